! Members of objects that are no symbols: what they hold is data.
! caller: type(grid) :: g
! each: g%n = n
! release: 22
! bound: named(g) g.n=$1 (5 1) (100 30)
! bound: flagged(g) g.n=$1 (5 1) (100 30)
! call: counted(g) g.n=$1 (5 1) (100 30)
! call: linked(g) g.n=$1 (5 1) (100 30)
module members
  implicit none
  type grid
    integer :: n = 0
    character(len=8) :: name = 'coarse'
    complex :: z = (1.0, 2.0)
    integer :: dims(3) = 4
    type(grid), pointer :: next => null()
  end type
contains
  subroutine named(g)
    type(grid), intent(inout) :: g
    real(8), allocatable :: work(:)
    if (g%name == 'coarse') then
      allocate (work(g%n))
    else
      allocate (work(g%n*10))
    end if
    work = 1
    g%n = int(sum(work))
  end subroutine

  subroutine flagged(g)
    type(grid), intent(inout) :: g
    real(8), allocatable :: work(:)
    if (real(g%z) > 0.5) then
      allocate (work(g%n))
    else
      allocate (work(g%n*10))
    end if
    work = 1
    g%n = int(sum(work))
  end subroutine

  subroutine counted(g)
    type(grid), intent(inout) :: g
    real(8), allocatable :: work(:)
    allocate (work(g%n))
    work = g%dims(2)
    g%dims(1) = int(sum(work))
  end subroutine

  ! Nothing is known of other objects, which this one does not look at.
  subroutine linked(g)
    type(grid), intent(inout) :: g
    real(8) :: work(g%n)
    real(8), allocatable :: copy(:)
    work = 1
    copy = work
    g%dims(3) = int(sum(copy))
  end subroutine
end module
