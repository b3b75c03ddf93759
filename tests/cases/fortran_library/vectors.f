C     Sums and products of vectors in strides, as libraries of old have them.
      REAL FUNCTION TOTAL(N, X, INCX)
      INTEGER N, INCX, I, IX
      REAL X(*)
      TOTAL = 0.0
      IF (N.LE.0) RETURN
      IX = 1
      IF (INCX.LT.0) IX = 1 - (N - 1)*INCX
      DO 10 I = 1, N
        TOTAL = TOTAL + X(IX)
        IX = IX + INCX
   10 CONTINUE
      END

      SUBROUTINE ADDED(N, ALPHA, X, INCX, Y, INCY)
      INTEGER N, INCX, INCY, I, IX, IY
      DOUBLE PRECISION ALPHA, X(*), Y(*)
      IF (N.LE.0 .OR. ALPHA.EQ.0.0D0) RETURN
      IX = 1
      IY = 1
      IF (INCX.LT.0) IX = 1 - (N - 1)*INCX
      IF (INCY.LT.0) IY = 1 - (N - 1)*INCY
      DO I = 1, N
        Y(IY) = Y(IY) + ALPHA*X(IX)
        IX = IX + INCX
        IY = IY + INCY
      END DO
      END

      COMPLEX*16 FUNCTION INNER(N, X, Y)
      INTEGER N, I
      COMPLEX*16 X(*), Y(*)
      INNER = (0.0D0, 0.0D0)
      DO I = 1, N
        INNER = INNER + CONJG(X(I))*Y(I)
      END DO
      END

C     Every STEP-th element is marked; LAST is where the loop has ended.
      SUBROUTINE MARKED(FIRST, STOP1, STEP, Y, LAST)
      INTEGER FIRST, STOP1, STEP, LAST, I
      INTEGER Y(*)
      IF (FIRST.LT.1 .OR. STOP1.LT.1 .OR. STEP.EQ.0) THEN
        CALL REFUSE('MARKED', 3)
        RETURN
      END IF
      DO I = FIRST, STOP1, STEP
        Y(I) = Y(I) + I
      END DO
      LAST = I
      END

      SUBROUTINE REFUSE(NAME, NUMBER)
      CHARACTER*(*) NAME
      INTEGER NUMBER
      WRITE (*, '(1X, A, A, I3)') NAME, ': argument', NUMBER
      STOP
      END
