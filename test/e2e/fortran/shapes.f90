! Arrays that bring their shape, copies for those that do not, and results that are arrays.
! caller: real, allocatable :: x(:, :), y(:, :); real(8), allocatable :: a(:), b(:)
! once: allocate (x(n, m), y(n, m), a(n), b(n)); x = 1; y = 1; a = 1; b = 1
! call: apply(x, y) x.shape[0]=$1,x.shape[1]=$2,y.shape[0]=$1,y.shape[1]=$2 (1 1) (7 3) (100 30) (41 200)
! call: rows(x) x.shape[0]=$1,x.shape[1]=$2 (1 1) (7 3) (100 30) (41 200)
! call: every_second(a, b) x.shape[0]=$1,y.shape[0]=$1 (1 1) (7 3) (100 30) (41 200)
module shapes
  implicit none
contains
  subroutine apply(x, y)
    real, intent(in) :: x(:, :)
    real, intent(inout) :: y(:, :)
    real, allocatable :: work(:, :)
    allocate (work(size(x, 1) + 2, size(x, 2)))
    work = 0
    work(2:size(x, 1) + 1, :) = x
    y = work(1:size(x, 1), :) + work(3:, :)
  end subroutine

  ! The rows of x do not lie in one piece, and column takes an array that does.
  subroutine rows(x)
    real, intent(inout) :: x(:, :)
    integer :: i
    do i = 1, size(x, 1)
      call column(x(i, :), size(x, 2))
    end do
  end subroutine

  subroutine column(v, n)
    integer, intent(in) :: n
    real, intent(inout) :: v(n)
    v = v + 1
  end subroutine

  subroutine every_second(x, y)
    real(8), intent(in) :: x(:)
    real(8), intent(inout) :: y(:)
    real(8), allocatable :: z(:)
    z = doubled(x(::2), size(x(::2)))
    y(1) = z(1) + sum(doubled(z, size(z)))
  end subroutine

  function doubled(v, n) result(r)
    integer, intent(in) :: n
    real(8), intent(in) :: v(n)
    real(8) :: r(2*n)
    r(:n) = v
    r(n + 1:) = v
  end function
end module
