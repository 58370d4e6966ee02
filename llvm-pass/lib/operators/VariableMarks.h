// Marks of variables and functions, shared by stages.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace memshape {

/// Metadata kind on a variable that is const in the source: it does not change after its constructor.
inline constexpr char ConstantMetadata[] = "memshape.constant";

/// Metadata kind on a variable of one unit, or of one inline function, whose address escapes: another unit may write
/// it.
inline constexpr char SharedMetadata[] = "memshape.shared";

/// Metadata kind on a variable of the clone that keeps a pointer which escapes: other code may write to what it leads
/// to.
inline constexpr char LeadingMetadata[] = "memshape.leading";

/// Metadata kind on a variable of the clone that other code may have set before the operator runs, such as a setter or
/// another translation unit. Its contents are unknown.
inline constexpr char ForeignMetadata[] = "memshape.foreign";

/// Attribute of a function that other units can call, since something keeps its address where they find it.
inline constexpr char HandedOutAttribute[] = "memshape-handed-out";

} // namespace memshape
