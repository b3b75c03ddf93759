C     In the style of the NAS benchmarks: work arrays in parts, common blocks, entry by element, computed goto.
      PROGRAM OLD
      IMPLICIT NONE
      INTEGER NMAX, M
      PARAMETER (NMAX = 8, M = 3)
      DOUBLE PRECISION WORK(4*NMAX), A(NMAX, NMAX), TRAN, AMULT, RANDLC
      DOUBLE PRECISION NORM
      INTEGER I, J, K, IERR, KEY(0:4)
      LOGICAL DONE
      CHARACTER*8 TAG
      COMMON /URANDO/ AMULT, TRAN
      COMMON /SIZES/ K, KEY
      EXTERNAL RANDLC
      DATA TAG /'CLASS S'/, DONE /.FALSE./
      TRAN = 314159265.0D0
      AMULT = 1220703125.0D0
      DO 10 I = 1, NMAX
         DO 10 J = 1, NMAX
   10 A(I, J) = RANDLC(TRAN, AMULT)
      WRITE (*, 1000) TAG, A(1,1), A(NMAX, NMAX)
 1000 FORMAT (' Test ', A, /, 2(1X, F18.14))
      CALL VECSET(WORK(1), NMAX, 1.0D0)
      CALL VECSET(WORK(NMAX+1), NMAX, 2.0D0)
      CALL MATVEC(A, NMAX, WORK(1), WORK(2*NMAX+1), NMAX)
      CALL DAXPY2(NMAX, -0.5D0, WORK(NMAX+1), 1, WORK(2*NMAX+1), 1)
      PRINT 1010, (WORK(2*NMAX + I), I = 1, NMAX)
 1010 FORMAT (4E16.8)
      PRINT '(F20.12)', NORM(NMAX, WORK(2*NMAX+1))
      K = 2
      DO 20 I = 0, 4
         KEY(I) = MOD(7*I, 5)
   20 CONTINUE
      CALL RANK(IERR)
      PRINT *, IERR, KEY
      I = 0
   30 I = I + 1
      IF (I .LT. 4) THEN
         GO TO (31, 32), I
         PRINT *, 'third'
         GO TO 30
   31    PRINT *, 'first'
         GO TO 30
   32    PRINT *, 'second'
         GO TO 30
      END IF
      IF (.NOT. DONE) STOP
      PRINT *, 'not reached'
      END

      DOUBLE PRECISION FUNCTION RANDLC(X, A)
      IMPLICIT NONE
      DOUBLE PRECISION R23, R46, T23, T46, A, X, T1, T2, T3, T4
      DOUBLE PRECISION A1, A2, X1, X2, Z
      PARAMETER (R23 = 0.5D0**23, R46 = R23**2, T23 = 2.0D0**23,
     &           T46 = T23**2)
      T1 = R23*A
      A1 = INT(T1)
      A2 = A - T23*A1
      T1 = R23*X
      X1 = INT(T1)
      X2 = X - T23*X1
      T1 = A1*X2 + A2*X1
      T2 = INT(R23*T1)
      Z = T1 - T23*T2
      T3 = T23*Z + A2*X2
      T4 = INT(R46*T3)
      X = T3 - T46*T4
      RANDLC = R46*X
      RETURN
      END

      SUBROUTINE VECSET(V, N, VAL)
      DOUBLE PRECISION V(1), VAL
      INTEGER N
      DO 1 I = 1, N
    1    V(I) = VAL*I
      END

      SUBROUTINE MATVEC(A, LDA, X, Y, N)
      INTEGER LDA, N
      DOUBLE PRECISION A(LDA, *), X(N), Y(*)
      DO I = 1, N
         Y(I) = 0D0
      ENDDO
      DO J = 1, N
         DO I = 1, N
            Y(I) = Y(I) + A(I, J)*X(J)
         ENDDO
      ENDDO
      END

      SUBROUTINE DAXPY2(N, DA, DX, INCX, DY, INCY)
      DOUBLE PRECISION DX(*), DY(*), DA
      INTEGER I, INCX, INCY, IX, IY, M, MP1, N
      IF (N .LE. 0) RETURN
      IF (DA .EQ. 0.0D0) RETURN
      IF (INCX .EQ. 1 .AND. INCY .EQ. 1) GO TO 20
      IX = 1
      IY = 1
      IF (INCX .LT. 0) IX = (-N + 1)*INCX + 1
      DO 10 I = 1, N
        DY(IY) = DY(IY) + DA*DX(IX)
        IX = IX + INCX
        IY = IY + INCY
   10 CONTINUE
      RETURN
   20 M = MOD(N, 4)
      IF (M .EQ. 0) GO TO 40
      DO 30 I = 1, M
        DY(I) = DY(I) + DA*DX(I)
   30 CONTINUE
      IF (N .LT. 4) RETURN
   40 MP1 = M + 1
      DO 50 I = MP1, N, 4
        DY(I) = DY(I) + DA*DX(I)
        DY(I + 1) = DY(I + 1) + DA*DX(I + 1)
        DY(I + 2) = DY(I + 2) + DA*DX(I + 2)
        DY(I + 3) = DY(I + 3) + DA*DX(I + 3)
   50 CONTINUE
      RETURN
      END

      FUNCTION NORM(N, X)
      DOUBLE PRECISION NORM, X(N), S
      S = 0
      DO 5, I = 1, N
    5 S = S + X(I)**2
      NORM = SQRT(S)
      END

      SUBROUTINE RANK(IERR)
      COMMON /SIZES/ K, KEY(0:4)
      INTEGER COUNTS(0:4)
      SAVE COUNTS
      DATA COUNTS /5*0/
      DO I = 0, 4
         COUNTS(KEY(I)) = COUNTS(KEY(I)) + K
      END DO
      DO I = 1, 4
         COUNTS(I) = COUNTS(I) + COUNTS(I - 1)
      END DO
      DO I = 0, 4
         KEY(I) = COUNTS(I)
      END DO
      IERR = COUNTS(4) - 10
      END
