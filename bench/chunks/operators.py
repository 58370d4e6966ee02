# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What people run over seismic cubes and images, written as they write it. Arrays are float32 of shape (ni, nx, ns)."""

import numpy as np
import scipy.fft
import scipy.ndimage
import scipy.signal


def gst3d(cube):
    """Dip from the gradient structure tensor: gradients, products smoothed over 5 samples, eigenvalues."""
    double = cube.astype(np.float64)
    gi, gx, gs = np.gradient(double)
    ii, ix, js = (scipy.ndimage.uniform_filter(gi * each, 5) for each in (gi, gx, gs))
    xx, xs, ss = (scipy.ndimage.uniform_filter(each, 5) for each in (gx * gx, gx * gs, gs * gs))
    tensor = np.stack([np.stack(row, axis=-1) for row in ((ii, ix, js), (ix, xx, xs), (js, xs, ss))], axis=-2)
    values = np.linalg.eigvalsh(tensor)
    return ((values[..., 2] - values[..., 1]) / (values.sum(axis=-1) + 1e-9)).astype(np.float32)


def envelope(cube):
    """The envelope of each trace: the analytic signal's absolute value."""
    return np.abs(scipy.signal.hilbert(cube, axis=-1)).astype(np.float32)


def gaussian(cube):
    return scipy.ndimage.gaussian_filter(cube, 2.0)


def gradient_products(cube):
    gi, gx, gs = np.gradient(cube)
    return gi * gx + gx * gs + gi * gs


def band_pass(cube):
    """A trapezoid in the spectrum of each trace."""
    spectrum = scipy.fft.rfft(cube, axis=-1)
    weights = np.clip(np.linspace(0, 4, spectrum.shape[-1]), 0, 1).astype(np.float32)
    return scipy.fft.irfft(spectrum * weights, n=cube.shape[-1], axis=-1)


def semblance(cube):
    """Coherence of 3 x 3 traces."""
    summed = scipy.ndimage.uniform_filter(cube, (3, 3, 1))
    power = scipy.ndimage.uniform_filter(cube * cube, (3, 3, 1))
    return summed * summed / (power + 1e-9)


def median_of_time(cube):
    """The cube less the median of each trace."""
    return cube - np.median(cube, axis=-1, keepdims=True)


def rms_window(cube):
    """Root mean square over 9 samples, by running sums."""
    sums = np.cumsum(cube.astype(np.float64) ** 2, axis=-1)
    padded = np.concatenate([np.zeros(sums.shape[:-1] + (1,)), sums], axis=-1)
    width = min(9, cube.shape[-1])
    inner = np.sqrt((padded[..., width:] - padded[..., :-width]) / width)
    return np.concatenate([inner, np.repeat(inner[..., -1:], width - 1, axis=-1)], axis=-1).astype(np.float32)


ALL = {each.__name__: each for each in (gst3d, envelope, gaussian, gradient_products, band_pass, semblance,
                                        median_of_time, rms_window)}


def make(ni, nx, ns):
    """The arguments at a shape."""
    return (np.random.default_rng(ni + nx + ns).standard_normal((ni, nx, ns), dtype=np.float32),)
