// It needs a function of glibc 2.36.
unsigned arc4random(void);
unsigned newer(void) { return arc4random(); }
