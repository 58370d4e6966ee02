! Elements that are chosen, moved and computed one by one.
! caller: real, allocatable :: x(:)
! once: allocate (x(n))
! each: x = 1
! bound: packed(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
! call: chosen(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
! call: reduced(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
! call: moved(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
! call: computed(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
module choices
  implicit none
contains
  subroutine packed(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    real, allocatable :: y(:)
    y = pack(x, x > 0.5)
    x(1) = size(y)
  end subroutine

  subroutine chosen(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    real, allocatable :: y(:)
    logical :: mask(n)
    integer :: i
    mask = [(mod(i,2) == 1, i=1,n)]
    y = pack(x, mask)
    x(1) = size(y)
  end subroutine

  subroutine reduced(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    real, allocatable :: a(:,:), v(:), w(:,:,:)
    integer :: k
    allocate(a(n,m), source=1.0)
    do k = 1, 3
      v = sum(a, dim=2)*k
      a = a + spread(v, 2, m)
      w = reshape([a, a], [n, m, 2])
      v = matmul(a, a(1,:))
    end do
    x = v + w(:,1,2) + norm2(a, dim=2) + real(maxloc(a, dim=2))
    deallocate(a)
  end subroutine

  subroutine moved(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    real, allocatable :: y(:)
    allocate(y, mold=x)
    where (x > 0)
      y = sqrt(x)
    elsewhere
      y = 0
    end where
    forall (integer :: i = 1:n) x(i) = y(n+1-i)
    x = x(n:1:-1)
    x(2:n) = x(1:n-1)
  end subroutine

  elemental real function twice(v)
    real, intent(in) :: v
    twice = 2*v
  end function

  subroutine computed(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    real, allocatable :: y(:,:)
    y = spread(twice(x), 2, m)
    associate (z => y(:, 1))
      x = twice(z) + y(:, m)
    end associate
    block
      real :: t(n)
      t = x
      x = t
    end block
  end subroutine
end module
