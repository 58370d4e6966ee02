! Arrays whose length follows from arguments, on the stack.
! caller: external :: smooth, transform; real(8), allocatable :: x(:, :), y(:, :); real, allocatable :: a(:, :), b(:, :)
! once: allocate (x(n, m), y(n, m), a(n, m), b(n, m)); x = 1; a = 1
! call: smooth(x, y, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: transform(a, b, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
subroutine smooth(x, y, n, m)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(in) :: x(n, m)
  real(8), intent(out) :: y(n, m)
  real(8) :: column(0:n + 1), total(m)
  integer :: i, j
  do j = 1, m
    column(0) = x(1, j)
    column(1:n) = x(:, j)
    column(n + 1) = x(n, j)
    total(j) = sum(column)
    do i = 1, n
      y(i, j) = (column(i - 1) + column(i) + column(i + 1))/total(j)
    end do
  end do
end subroutine

subroutine transform(x, y, n, m)
  implicit none
  integer, intent(in) :: n, m
  real, intent(in) :: x(n, m)
  real, intent(out) :: y(n, m)
  real :: work(n, m), turned(m, n)
  work = 2.0*x + 1.0
  turned = transpose(work)
  y = work*transpose(turned)
end subroutine
