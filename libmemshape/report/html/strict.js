// The report in the browser.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The build joins the scripts of this folder in the order of ../CMakeLists.txt. All text that comes from elsewhere goes
// through textContent or setAttribute, never through innerHTML.
"use strict";

