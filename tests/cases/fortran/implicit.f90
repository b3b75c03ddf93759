! Implicit typing, statement functions, arithmetic and computed jumps, labels.
      program implicit
      implicit real*8 (a-h), integer (i-n)
      dimension x(3), k(2)
      area(r, h) = r * r * h
      cube(i) = i ** 3
      a = 1.5
      n = a
      x(1) = a
      x(2) = n
      x(3) = area(2.0, 3d0)
      print *, a, n, x, cube(3)
      k(1) = 7
      do 10 i = 1, 3
        if (i - 2) 1, 2, 3
    1   print *, 'less'
        goto 10
    2   print *, 'equal'
        goto 10
    3   print *, 'more'
   10 continue
      do 20 i = 1, 2
      do 20 j = 1, 2
   20 print *, i, j
      do 40 i = 1, 4
        goto (31, 32, 33), i
        print *, 'beyond'
        goto 40
   31   print *, 'one'
        goto 40
   32   print *, 'two'
        goto 40
   33   print *, 'three'
   40 continue
      b = half(a) + half(3d0)
      print *, b
      end

      double precision function half(v)
      implicit double precision (v)
      half = v / 2
      end
