! Texts, and what is written into them.
! release: 22
! call: joined n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: padded n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: repeated n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! bound: trimmed n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: written n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: named s.len=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
module texts
  implicit none
contains
  subroutine joined(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    character(len=:), allocatable :: line, more
    character(len=n) :: part
    part = 'abc'
    line = part//'def'
    more = line//line//part
    x(1) = len(more)
  end subroutine

  subroutine padded(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    character(len=m), allocatable :: names(:)
    character(len=n), allocatable :: wide(:)
    allocate (names(n))
    names = 'x'
    allocate (wide(m))
    wide(:) = names(1)
    x(1) = len_trim(wide(1))
  end subroutine

  subroutine repeated(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    character(len=:), allocatable :: line
    line = repeat('ab', n)
    line = line//repeat(' ', m)
    x(1) = len(line)
    line = adjustl(line)
  end subroutine

  subroutine trimmed(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    character(len=n) :: part
    character(len=:), allocatable :: line
    part = ' '
    if (x(1) > 0) part = 'y'
    line = trim(part)//'!'
    x(1) = len(line)
  end subroutine

  subroutine written(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    character(len=64) :: line
    real, allocatable :: work(:)
    integer :: i
    do i = 1, 3
      write (line, '(a, i0, 1x, f8.3)') 'step', i, x(1)
    end do
    allocate (work(n*m))
    work = len_trim(line)
    read (line(5:5), *) i
    x(1) = work(n) + i
  end subroutine

  subroutine named(s, m)
    character(len=*), intent(in) :: s
    integer, intent(in) :: m
    character(len=:), allocatable :: line
    real, allocatable :: work(:)
    line = s//'/'//s
    allocate (work(len(line)*m))
    work = 1
    if (work(1) > 2) print *, line
  end subroutine
end module

program caller
  use texts
  implicit none
  character(len=32) :: name, word
  integer :: n, m, i
  real, allocatable :: x(:)
  character(len=:), allocatable :: given
  include 'arguments.inc'
  allocate (x(n))
  given = repeat('s', n)
  do i = 1, 2
    x = 1
    call count_begin()
    select case (name)
    case ('joined')
      call joined(x, n, m)
    case ('padded')
      call padded(x, n, m)
    case ('repeated')
      call repeated(x, n, m)
    case ('trimmed')
      call trimmed(x, n, m)
    case ('written')
      call written(x, n, m)
    case ('named')
      call named(given, m)
    end select
    call count_end()
  end do
end program
