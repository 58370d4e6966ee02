#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The gradient of the misfit of one shot by the adjoint of acoustic modelling, as in rtm2d.cpp: second order in time,
fourth in space, pressure zero on all sides, receivers along the top. The adjoint wave field runs backwards in time and
meets the field of the source at each step, so that all nt states are needed in the opposite order.

    rtm2d.py 100 120 300 --slots 30
    rtm2d.py 100 120 300 --levels ram:10,disk:40:2:1
    rtm2d.py 100 120 300 --memory 8MiB

is for nz, nx and nt: the gradient beside that with all states stored, and beside finite differences of the misfit."""

import argparse
import sys

import memshape
import numpy as np

PAD = 2  # points beyond each side that stay zero; the stencil reaches so far
INSIDE = slice(PAD, -PAD)


def laplacian(u):
    """nz x nx, of a padded field. Symmetric: it is its own adjoint."""
    def moved(z, x):
        return u[PAD + z:u.shape[0] - PAD + z, PAD + x:u.shape[1] - PAD + x]
    return (-5 * moved(0, 0) + 4 / 3 * (moved(0, -1) + moved(0, 1) + moved(-1, 0) + moved(1, 0))
            - 1 / 12 * (moved(0, -2) + moved(0, 2) + moved(-2, 0) + moved(2, 0)))


def padded(inside):
    return np.pad(inside, PAD)


def wavelet(step):
    """Of Ricker."""
    phase = 0.3 * step - 2
    return (1 - 2 * phase * phase) * np.exp(-phase * phase)


class Shot:
    """A source in the middle of nz x nx points, and receivers in their second row. A state is two padded fields, one time
    step apart: now and before."""

    def __init__(self, model, steps):
        """:param model: nz x nx: velocity times time step over grid step, squared, below 0.37."""
        self.model, self.steps = model, steps
        nz, nx = model.shape
        self.source = nz // 2 + PAD, nx // 2 + PAD
        self.receivers = min(nz - 1, 1) + PAD, INSIDE

    def start(self):
        return tuple(padded(np.zeros_like(self.model)) for _ in range(2))

    def advance(self, state, begin, end):
        """2 now - before + model * Laplacian(now) + source, in the place of before."""
        now, before = state
        for step in range(begin, end):
            before[INSIDE, INSIDE] = 2 * now[INSIDE, INSIDE] - before[INSIDE, INSIDE] + self.model * laplacian(now)
            before[self.source] += wavelet(step)
            now, before = before, now
        return now, before

    def record(self):
        """What the receivers see, nt x nx."""
        state, traces = self.start(), []
        for step in range(self.steps):
            state = self.advance(state, step, step + 1)
            traces.append(state[0][self.receivers].copy())
        return np.array(traces)

    def misfit(self, observed):
        return np.sum((self.record() - observed)**2) / 2

    def gradient(self, observed, **within):
        """Of the misfit with respect to the model, nz x nx; and what was done for it.

        :param within: slots, levels or memory, as ``memshape.reverse`` takes them."""
        found = np.zeros_like(self.model)
        adjoint = self.start()

        def backward(state, step):
            nonlocal adjoint
            now, before = self.advance(state, step, step + 1)
            ahead, behind = adjoint
            behind[INSIDE, INSIDE] = (2 * ahead[INSIDE, INSIDE] - behind[INSIDE, INSIDE]
                                      + laplacian(padded(self.model * ahead[INSIDE, INSIDE])))
            behind[self.receivers] += now[self.receivers] - observed[step]
            adjoint = behind, ahead
            # The step began with what is now the field before.
            found[:] += behind[INSIDE, INSIDE] * laplacian(before)

        done = memshape.reverse(self.steps, state=self.start(), forward=self.advance, backward=backward, **within)
        return found, done


def check(shape, steps, **within):
    """One line for each check; whether both hold."""
    noise = np.random.default_rng(0)
    observed = Shot(0.2 + 0.05 * noise.uniform(-1, 1, shape), steps).record()
    shot = Shot(np.full(shape, 0.2), steps)
    gradient, done = shot.gradient(observed, **within)
    identical = gradient.tobytes() == shot.gradient(observed, slots=steps)[0].tobytes()
    print(f"gradient with {done.peak_slots} of {steps} states: {'identical' if identical else 'DIFFERENT'}")

    # Towards a point that is not the one observed.
    change = 0.05 / 16384 * noise.uniform(-1, 1, shape)
    predicted = 2 * np.sum(gradient * change)
    measured = Shot(shot.model + change, steps).misfit(observed) - Shot(shot.model - change, steps).misfit(observed)
    error = abs(predicted - measured) / max(abs(measured), 1e-300)
    print(f"misfit by the gradient {predicted:.6e}, by differences {measured:.6e}: relative error {error:.1e}")
    print(f"{done.forward_steps} forward steps, {done.forward_steps / max(steps - 1, 1):.2f} of a single sweep")
    return identical and error < 1e-6


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("nz", type=int)
    parser.add_argument("nx", type=int)
    parser.add_argument("nt", type=int)
    kept = parser.add_mutually_exclusive_group(required=True)
    kept.add_argument("--slots", type=int)
    kept.add_argument("--levels")
    kept.add_argument("--memory")
    given = parser.parse_args()
    sys.exit(0 if check((given.nz, given.nx), given.nt, slots=given.slots, levels=given.levels, memory=given.memory) else 1)
