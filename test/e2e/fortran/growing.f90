! Assignments that allocate anew, array constructors, and what intrinsic functions make.
! caller: real(8), allocatable :: x(:)
! once: allocate (x(n))
! each: x = 1
! call: grow(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: appended(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: shrunk(x, n, m) n=$1,m=$2 (2 1) (7 3) (100 30) (41 200)
! call: intrinsics(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: listed(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
module growing
  implicit none
contains
  subroutine grow(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: a(:), b(:)
    a = x
    b = a*2
    a = [a, b]
    b = a(1:n)
    a = a(n:2*n)
    x = b + a(1)
  end subroutine

  subroutine appended(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: list(:)
    integer :: i
    allocate (list(0))
    do i = 1, m
      list = [list, x(1)*i]
    end do
    x(1) = sum(list)
  end subroutine

  subroutine shrunk(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: a(:), b(:)
    allocate (a(2*n))
    a = 1
    b = a(1:n:2)
    a = a(2:n)
    call move_alloc(b, a)
    x(1) = a(1)
  end subroutine

  subroutine intrinsics(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: a(:, :), b(:, :), c(:, :)
    a = reshape([x, x], [n, 2])
    b = spread(x, 2, m)
    c = matmul(transpose(a), b)
    x = sum(b, dim=2) + maxval(b, dim=2)
    x = cshift(x, 1) + eoshift(x, 1)
    x(1) = x(1) + dot_product(a(:, 1), a(:, 2)) + c(1, 1)
    x(2:) = count(b > 1) + minloc(x, 1)
  end subroutine

  subroutine listed(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    integer, allocatable :: lengths(:)
    real(8), allocatable :: work(:)
    integer :: i
    lengths = [(i*m, i=1, n)]
    allocate (work(sum(lengths)))
    work = 1
    deallocate (work)
    allocate (work(maxval(lengths) + lengths(n)))
    work = 2
    x(1) = work(1)
  end subroutine
end module
