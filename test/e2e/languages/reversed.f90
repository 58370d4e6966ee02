! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
subroutine reversed(x, n, total)
  integer, intent(in) :: n
  real, intent(in) :: x(n)
  double precision, intent(out) :: total
  double precision, allocatable :: both(:, :)
  allocate (both(n, 5))
  both(:, 1:4) = 0
  both(:, 2) = x
  both(:, 5) = x(n:1:-1)
  total = sum(both(:, 2) * both(:, 5))
end subroutine
