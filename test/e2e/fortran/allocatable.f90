! Allocatable variables of an operator.
! caller: real(8), allocatable :: x(:, :), y(:, :), z(:, :); real, allocatable :: a(:, :), b(:, :)
! once: allocate (x(n, m), y(n, m), z(n, n), a(n, m), b(n, m)); x = 1; a = 1
! call: halo(x, y, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: staged(a, b, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: product_of(x, z, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
module filters
  implicit none
contains
  subroutine halo(x, y, n, m)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(out) :: y(n, m)
    real(8), allocatable :: padded(:, :)
    integer :: i, j
    allocate (padded(0:n + 1, 0:m + 1))
    padded = 0.0d0
    padded(1:n, 1:m) = x
    do j = 1, m
      do i = 1, n
        y(i, j) = padded(i - 1, j) + padded(i + 1, j) + padded(i, j - 1) + padded(i, j + 1)
      end do
    end do
  end subroutine

  subroutine staged(x, y, n, m)
    integer, intent(in) :: n, m
    real, intent(in) :: x(n, m)
    real, intent(out) :: y(n, m)
    real, allocatable :: first(:), second(:, :)
    integer :: level
    do level = 1, 3
      allocate (first(n*level), second(m, level))
      first = level
      second = x(1, 1)
      y(1, 1) = sum(first) + sum(second)
      deallocate (first)
      if (level == 2) deallocate (second)
      if (allocated(second)) deallocate (second)
    end do
  end subroutine

  subroutine product_of(x, y, n, m)
    integer, intent(in) :: n, m
    real(8), intent(in) :: x(n, m)
    real(8), intent(out) :: y(n, n)
    real(8), allocatable :: work(:, :)
    allocate (work, source=x)
    work = 2*work
    y = matmul(work, transpose(x))
  end subroutine
end module
