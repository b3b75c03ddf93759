C     Moves a clock that all routines share.
      SUBROUTINE TICKED(N)
      INTEGER N, I
      DOUBLE PRECISION DT, T
      INTEGER STEPS
      LOGICAL STOPPED
      COMMON /CLOCK/ DT, STEPS, T(4), STOPPED
      IF (STOPPED) RETURN
      DO 10 I = 1, 4
      T(I) = T(I) + N * DT
   10 CONTINUE
      STEPS = STEPS + N
      END

      BLOCK DATA SETCLK
      DOUBLE PRECISION DT, T
      INTEGER STEPS
      LOGICAL STOPPED
      COMMON /CLOCK/ DT, STEPS, T(4), STOPPED
      DATA DT /0.25D0/, STEPS /0/
      END
