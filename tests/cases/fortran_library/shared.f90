! Routines whose effects are in variables of a module.
module counters
implicit none
private
integer, parameter :: most = 8
integer :: count = 0
real(8), public :: history(most)
logical, public :: full = .false.
character(4), public :: label = 'none'
public :: recorded, summed
contains

! Keeps the last numbers it was given.
subroutine recorded(x)
real(8), intent(in) :: x
count = count + 1
if (count < 1 .or. count > most) then
    full = .true.
    count = 1
end if
history(count) = x
end subroutine recorded

! The sum of the first numbers.
real(8) function summed(last)
integer, intent(in) :: last
integer :: i
summed = 0
do i = 1, min(last, most)
    summed = summed + history(i)
end do
end function summed

end module counters
