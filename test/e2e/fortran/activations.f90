! What one call of a procedure keeps in its variables is an argument of the next.
! caller: real(8), allocatable :: x(:)
! once: allocate (x(n))
! each: x = 1
! call: refined(x, n, m) n=$1,levels=$2 (1 1) (7 3) (100 5)
! bound: chained(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
! call: halved(x, n) n=$1 (1 1) (7 3) (100 30)
module activations
  implicit none
contains
  recursive subroutine refine(u, level, most)
    real(8), intent(inout) :: u(:)
    integer, intent(in) :: level, most
    real(8), allocatable :: fine(:)
    if (level > most) return
    allocate (fine(2*size(u)))
    fine(1::2) = u
    fine(2::2) = u
    call refine(fine, level + 1, most)
    u = fine(1::2)
  end subroutine

  subroutine refined(x, n, levels)
    integer, intent(in) :: n, levels
    real(8), intent(inout) :: x(n)
    call refine(x, 1, levels)
  end subroutine

  subroutine lengthen(lengths, by, longer)
    integer, intent(in) :: lengths(:), by
    integer, allocatable, intent(out) :: longer(:)
    allocate (longer(size(lengths)))
    longer = lengths + by
  end subroutine

  subroutine chained(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    integer, allocatable :: first(:), second(:)
    real(8), allocatable :: work(:)
    integer :: zeros(3)
    zeros = 0
    call lengthen(zeros, n, first)
    call lengthen(first, m, second)
    allocate (work(second(1) + second(3)))
    work = x(1)
    x(1) = sum(work)
  end subroutine

  recursive subroutine halve(n, total)
    integer, intent(in) :: n
    integer, intent(inout) :: total
    integer, allocatable :: part(:)
    integer :: half
    half = n/2
    total = total + 1
    allocate (part(half))
    part = total
    if (half > 0) call halve(half, total)
    total = total + size(part)
  end subroutine

  subroutine halved(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: work(:)
    integer :: total
    total = 0
    call halve(n, total)
    allocate (work(total))
    work = 1
    x(1) = sum(work)
  end subroutine
end module
