// The polynomial in given atoms through samples.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where several atoms stand for one symbol no lattice of shapes makes them independent. The linear system of all terms
// is solved modulo a prime, with more samples than terms, and the coefficients are read back as fractions: exact where
// all samples agree, and they never do by chance.

#pragma once

#include "model/formula/Atom.h"

#include <span>

namespace memshape {

/// Values of atoms at a shape, in their order, and what was seen there.
struct AtomSample {
  std::vector<std::int64_t> Atoms;
  std::int64_t Value = 0;
};

/// Products of powers of Atoms up to a total degree, simple ones first; atoms that are 0 or 1 to no higher power.
std::vector<Polynomial::Monomial> termsUpTo(unsigned Degree, std::span<const Atom> Atoms);

/// The polynomial of Terms that goes through all samples; nothing where there is none or where the samples are too few
/// to tell. Of terms that depend on each other at the samples the simple ones stay.
std::optional<Polynomial> fitTerms(const std::vector<Polynomial::Monomial> &Terms,
                                   const std::vector<AtomSample> &Samples);

/// Samples beyond the number of terms that have to agree.
inline constexpr std::size_t SamplesBeyondTerms = 16;

} // namespace memshape
