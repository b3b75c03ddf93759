C     Fixed form: continuation, comments, labels, tabs and columns beyond 72.
      PROGRAM LEGACY
      INTEGER N, I
      REAL X(5), S, DOT
      CHARACTER*12 NAME
      COMMON /STATE/ COUNT, ITEMS(3)
      INTEGER COUNT, ITEMS
      DATA X /1.0, 2.0, 3*0.5/                                          IGNORED
      N = 5
      S = 0.0
      DO 10 I = 1, N
         S = S +
     &       X(I) *
     1       2.0
   10 CONTINUE
      PRINT *, 'SUM', S
      NAME = 'LONG
     + TEXT'
      WRITE (6, 100) NAME, DOT(N, X, X)
  100 FORMAT (1X, A12, F8.3)
      COUNT = 0
      DO 30 I = 1, 3
      DO 20 J = I, 3
   20 COUNT = COUNT + 1
   30 ITEMS(I) = COUNT
      CALL SHOW
	PRINT *, 'TAB'
      IF (N .GT. 3) THEN
        GOTO 40
      ELSE IF (N .EQ. 0) THEN
        STOP
      ENDIF
   40 CALL SCALE(N, 2.0, X)
      PRINT *, X
      END
      REAL FUNCTION DOT(N, A, B)
      INTEGER N
      REAL A(N), B(*)
      DOT = 0.0
      DO 10, I = 1, N
   10 DOT = DOT + A(I)*B(I)
      RETURN
      END
      SUBROUTINE SHOW
      COMMON /STATE/ NC, IT(3)
      PRINT *, NC, IT
      END
      SUBROUTINE SCALE(N, F, X)
      DIMENSION X(N)
      DO 1 I = N, 1, -1
    1 X(I) = F*X(I)
      END
