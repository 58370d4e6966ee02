//===- LibraryText.h - Words in the texts of documents -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TYPED_LIBRARYTEXT_H
#define MEMSHAPE_TYPED_LIBRARYTEXT_H

#include "libraries/reader/Object.h"

#include "clang/AST/ASTContext.h"

#include <string>

namespace memshape::ast {

/// Text with Meaning in place of Word, which begins with `$`. A longer word that begins so stays: `$x` is not in `$xs`.
std::string withWord(std::string Text, const std::string &Word, const std::string &Meaning);

/// Puts Meaning in place of Word in all texts of the model.
void writeInto(BuildModel &Model, const std::string &Word, const std::string &Meaning);

/// A number, or a class of nothing but numbers: `cv::Vec3b`, `itk::Vector<float, 3>`, `std::complex<float>`.
bool holdsNumbersAlone(const clang::ASTContext &Context, clang::QualType Type);

} // namespace memshape::ast

#endif // MEMSHAPE_TYPED_LIBRARYTEXT_H
