! Libraries of numerical algebra, threads, and what C calls and is called by.
! caller: real(8), allocatable :: x(:)
! once: allocate (x(n))
! each: x = 1
! call: decomposed(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 60)
! call: asked(x, n, m) n=$1,m=$2 (2 1) (7 3) (100 30) (41 60)
! bound: parted(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 60)
! bound: reduced(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 60)
! call: of_c(x, n, m) n=$1,m=$2 (1 1) (7 3) (100 30) (41 60)
module foreign
  use iso_c_binding
  implicit none
  interface
    subroutine dsyev(jobz, uplo, n, a, lda, w, work, lwork, info)
      character, intent(in) :: jobz, uplo
      integer, intent(in) :: n, lda, lwork
      real(8) :: a(lda, *), w(*), work(*)
      integer, intent(out) :: info
    end subroutine
    function c_malloc(bytes) bind(C, name='malloc') result(p)
      import :: c_ptr, c_size_t
      integer(c_size_t), value :: bytes
      type(c_ptr) :: p
    end function
    subroutine c_free(p) bind(C, name='free')
      import :: c_ptr
      type(c_ptr), value :: p
    end subroutine
  end interface
contains
  subroutine decomposed(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: a(:, :), b(:, :)
    integer, allocatable :: pivots(:)
    integer :: info, i
    allocate (a(n, n), b(n, m), pivots(n))
    a = 0
    do i = 1, n
      a(i, i) = 2
    end do
    b = spread(x, 2, m)
    call dgesv(n, m, a, n, pivots, b, n, info)
    x = b(:, 1)
  end subroutine

  subroutine asked(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: a(:, :), work(:)
    real(8) :: wanted(1)
    integer :: info, i
    allocate (a(n, n))
    a = 0
    do i = 1, n
      a(i, i) = x(i)
    end do
    call dsyev('V', 'U', n, a, n, x, wanted, -1, info)
    allocate (work(int(wanted(1))))
    call dsyev('V', 'U', n, a, n, x, work, size(work), info)
  end subroutine

  subroutine parted(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: work(:)
    integer :: i
    !$omp parallel num_threads(2) private(work)
    allocate (work(m))
    work = 1
    !$omp do
    do i = 1, n
      x(i) = x(i) + work(m)
    end do
    !$omp end do
    deallocate (work)
    !$omp barrier
    !$omp end parallel
  end subroutine

  subroutine reduced(x, n, m)
    integer, intent(in) :: n, m
    real(8), intent(inout) :: x(n)
    real(8), allocatable :: rows(:, :)
    real(8) :: total
    integer :: i
    allocate (rows(m, n))
    total = 0
    !$omp parallel do reduction(+:total) num_threads(2)
    do i = 1, n
      rows(:, i) = x(i)
      total = total + rows(1, i)
    end do
    x(1) = total
  end subroutine

  subroutine of_c(x, n, m) bind(C, name='of_c')
    integer(c_int), value :: n, m
    real(c_double), intent(inout) :: x(n)
    type(c_ptr) :: block
    real(c_double), pointer :: view(:, :)
    real(c_double), allocatable :: copy(:, :)
    block = c_malloc(int(n, c_size_t)*m*8)
    call c_f_pointer(block, view, [n, m])
    view = 1
    copy = transpose(view)
    x = view(:, m)
    call c_free(block)
    x(1) = copy(1, 1)
  end subroutine
end module
