      SUBROUTINE EVENED( JOB, M, N, A, LDA, S, WORK, LWORK, TOP, INFO )
*     Divides the columns of a matrix by their largest elements, in
*     parts, where these are within bounds.
      CHARACTER          JOB
      INTEGER            M, N, LDA, LWORK, INFO
      DOUBLE PRECISION   A( LDA, * ), S( * ), WORK( * ), TOP
      DOUBLE PRECISION   LEAST, MOST
      PARAMETER          ( LEAST = 1.0D-290, MOST = 1.0D290 )
      LOGICAL            KEEP, QUERY
      INTEGER            I, J, NB, FIRST, LAST
      INTEGER            PARTS
      EXTERNAL           PARTS
      KEEP = JOB.EQ.'K'
      QUERY = LWORK.EQ.-1
      INFO = 0
      IF( .NOT.KEEP .AND. JOB.NE.'D' ) THEN
         INFO = -1
      ELSE IF( M.LT.0 ) THEN
         INFO = -2
      ELSE IF( N.LT.0 .OR. N.GT.2*M + 100 ) THEN
         INFO = -3
      ELSE IF( LDA.LT.MAX( 1, M ) ) THEN
         INFO = -5
      ELSE IF( LWORK.LT.MAX( 1, 2*N ) .AND. .NOT.QUERY ) THEN
         INFO = -8
      END IF
      IF( INFO.NE.0 ) RETURN
      NB = PARTS( 1, 'DEVENED', N )
      IF( QUERY ) THEN
         WORK( 1 ) = N*NB
         RETURN
      END IF
      TOP = 0.0D0
      DO 30 FIRST = 1, N, NB
         LAST = MIN( FIRST + NB - 1, N )
         DO 20 J = FIRST, LAST
            WORK( J ) = 0.0D0
            DO 10 I = 1, M
               WORK( J ) = MAX( WORK( J ), ABS( A( I, J ) ) )
   10       CONTINUE
            TOP = MAX( TOP, WORK( J ) )
   20    CONTINUE
   30 CONTINUE
      IF( TOP.EQ.0.0D0 ) THEN
         DO 40 J = 1, N
            IF( WORK( J ).EQ.0.0D0 ) GO TO 50
   40    CONTINUE
   50    INFO = J
         RETURN
      END IF
      DO 70 J = 1, N
         S( J ) = MIN( MAX( WORK( J ), LEAST ), MOST )
         IF( .NOT.KEEP ) THEN
            DO 60 I = 1, M
               A( I, J ) = A( I, J ) / S( J )
   60       CONTINUE
         END IF
   70 CONTINUE
      END
      INTEGER FUNCTION PARTS( WHAT, NAME, N )
*     Returns how many columns are done at once, or how many are many.
      CHARACTER*( * )    NAME
      INTEGER            WHAT, N
      CHARACTER          FIRST*1, OWN*6
      OWN = NAME
      FIRST = OWN( 1: 1 )
      PARTS = 1
      GO TO ( 10, 20 ) WHAT
      PARTS = -1
      RETURN
   10 CONTINUE
      IF( OWN( 2: 6 ).EQ.'EVENE' ) THEN
         IF( FIRST.EQ.'D' .OR. FIRST.EQ.'Z' ) THEN
            PARTS = 32
         ELSE
            PARTS = 64
         END IF
      ELSE IF( N.GE.5000 ) THEN
         PARTS = 128
      END IF
      RETURN
   20 CONTINUE
      IF( OWN( 4: 5 ).EQ.'QR' .AND. N.GT.300 ) PARTS = 7
      END
      SUBROUTINE PICKED( SELECT, N, X, COUNT, DONE )
*     Gathers the elements that are selected, and marks what is done.
      LOGICAL            SELECT( * ), DONE( 3 )
      INTEGER            N, COUNT
      REAL               X( * )
      LOGICAL            SEEN( 3 )
      INTEGER            I
      DO 10 I = 1, 3
         SEEN( I ) = DONE( I )
   10 CONTINUE
      COUNT = 0
      DO 20 I = 1, N
         IF( SELECT( I ) ) THEN
            COUNT = COUNT + 1
            X( COUNT ) = X( I )
            SELECT( I ) = COUNT.LT.I .OR. SEEN( 1 + MOD( I, 3 ) )
            SEEN( 1 + MOD( COUNT, 3 ) ) = .TRUE.
         END IF
   20 CONTINUE
      DONE( 1 ) = SEEN( 1 ) .NEQV. DONE( 3 )
      DONE( 2 ) = .NOT.SEEN( 2 )
      END
      LOGICAL FUNCTION EVERY( ROW, N )
      INTEGER            N, I
      LOGICAL            ROW( N )
      EVERY = .FALSE.
      DO 10 I = 1, N
         IF( .NOT.ROW( I ) ) RETURN
   10 CONTINUE
      EVERY = .NOT.EVERY
      END
