# quotient of 0.123, misere play, order 20
free := FreeMonoid("a", "b", "c", "d");;
a := free.1;; b := free.2;; c := free.3;; d := free.4;;
relations := [[a^2, One(free)], [b^4, b^2], [b^2*c, b^3], [c^2, One(free)], [b^2*d, d], [c*d, b*d], [d^3, a*d^2], [b*a, a*b], [c*a, a*c], [c*b, b*c], [d*a, a*d], [d*b, b*d], [d*c, c*d]];;
monoid := free / relations;;
