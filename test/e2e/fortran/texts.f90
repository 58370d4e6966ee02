! Texts, and what is written into them.
! caller: real, allocatable :: x(:); character(len=:), allocatable :: given
! once: allocate (x(n)); given = repeat('s', n)
! each: x = 1
! release: 22
! call: joined(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: padded(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: repeated(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! bound: trimmed(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: written(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: named(given, m) s.len=$1,m=$2 (1 1) (7 3) (100 30) (41 200)
! call: wide(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
! bound: reasons(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30)
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

  ! Characters of four bytes, and of two.
  subroutine wide(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    character(kind=4, len=:), allocatable :: line, all(:)
    character(kind=2, len=:), allocatable :: half
    line = repeat(4_'ab', m)
    line = line//line
    half = repeat(2_'ab', m)
    half = half//half//half
    all = [line, line, line]
    x(1) = len(line) + len(half) + len(all)
  end subroutine

  ! Numbers and texts that say why something failed.
  subroutine reasons(x, n, m)
    integer, intent(in) :: n, m
    real, intent(inout) :: x(n)
    real, allocatable :: none(:), twice(:), room(:)
    character(len=100) :: reason
    integer :: missing, there
    reason = 'fine'
    deallocate (none, stat=missing, errmsg=reason)
    allocate (twice(n))
    allocate (twice(m), stat=there)
    allocate (room(missing*n + there*m + len_trim(reason)))
    room = 1
    x(1) = room(1) + twice(1)
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
