! Module state, derived types with allocatable members, pointers.
! caller: real(8), allocatable :: x(:); type(grid) :: g
! once: allocate (x(n)); call make(g, n, m)
! each: x = 1
! release: 22
! bound: prepare(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! bound: cached(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: copied(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: many(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: pointers(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: scaled(g) g.n=$1,g.m=$2,g.a.shape[0]=$1,g.a.shape[1]=$2,g.p.w.shape[0]=3,g.p.k=7,g.q.shape[0]=2 g.h=2 (1 1) (7 3) (100 30) (41 200)
module objects
  implicit none
  real(8), allocatable :: table(:), scratch(:, :)
  type part
    real, allocatable :: w(:)
    integer :: k = 7
  end type
  type grid
    integer :: n = 0, m = 0
    real(8) :: h = 1
    real(8), allocatable :: a(:, :)
    type(part) :: p
    type(part), allocatable :: q(:)
  end type
contains
  subroutine prepare(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    if (allocated(scratch)) deallocate (scratch)
    allocate (scratch(n, m))
    scratch = spread(x, 2, m)
    x = sum(scratch, dim=2)
    deallocate (scratch)
  end subroutine

  subroutine cached(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    if (allocated(table)) then
      if (size(table) /= n*m) deallocate (table)
    end if
    if (.not. allocated(table)) then
      allocate (table(n*m))
      table = 1
    end if
    x = x + table(1)
    deallocate (table)
  end subroutine

  subroutine make(g, n, m)
    type(grid), intent(out) :: g
    integer, intent(in) :: n, m
    g%n = n
    g%m = m
    allocate (g%a(n, m), g%q(2))
    g%a = 0.5d0
    g%p%w = [1.0, 2.0, 3.0]
    allocate (g%q(1)%w(m))
    g%q(1)%w = 1
  end subroutine

  subroutine copied(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    type(grid) :: g, h
    call make(g, n, m)
    h = g
    h%a = h%a + g%a
    x = x + h%a(:, 1)
  end subroutine

  subroutine many(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    type(part), allocatable :: parts(:)
    integer :: i
    allocate (parts(m))
    do i = 1, m
      allocate (parts(i)%w(i))
      parts(i)%w = real(x(1))
    end do
    x(1) = sum(parts(m)%w)
  end subroutine

  subroutine pointers(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), pointer :: p(:), q(:, :)
    allocate (p(n), q(n, m))
    p = x
    q = spread(p, 2, m)
    x = q(:, m)
    deallocate (p, q)
  end subroutine

  subroutine scaled(g)
    type(grid), intent(inout) :: g
    real(8), allocatable :: b(:, :)
    allocate (b(g%n, g%m))
    b = g%a*g%h
    g%a = b + transpose(transpose(b))
  end subroutine
end module
