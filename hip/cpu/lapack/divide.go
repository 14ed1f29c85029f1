package lapack

import (
	"cmp"
	"math"
	"slices"

	"roclua/hip/cpu/blas"
	"roclua/hip/cpu/vector"
)

// Divide and conquer computes the vectors of real tridiagonal and bidiagonal matrices. A matrix is divided into two
// halves and a correction of rank one. The vectors of the halves transform it to D + rho z z^T, D being diagonal, whose
// eigenvalues are the roots of the secular equation 1 + rho sum z(i)^2 / (D(i) - x) = 0. For a bidiagonal matrix they
// are the squares of the singular values, and D has squares.
//
// J. J. M. Cuppen, "A divide and conquer method for the symmetric tridiagonal eigenproblem", Numer. Math. 36 (1981).
// M. Gu and S. C. Eisenstat, "A divide-and-conquer algorithm for the symmetric tridiagonal eigenproblem" and "... for
// the bidiagonal SVD", SIAM J. Matrix Anal. Appl. 16 (1995): the vectors are orthogonal, because they are computed from
// the z whose roots are exactly the computed ones. R.-C. Li, "Solving secular equations stably and efficiently", LAPACK
// Working Note 89 (1993): the interpolation.

// union joins the halves of a matrix. Their vectors are the columns of the bases, with the elements of the first half
// in the rows before bottom.
type union struct {
	d, z    []float64
	rho     float64
	squares bool // the diagonal has the squares of d
	bottom  int
	halves  []half // where the elements of a vector are not zero
	bases   []basis
	kept    []int // the columns that z changes, in the ascending order of d
}

// basis is the vectors, of a number of elements.
type basis struct {
	blas.Matrix[float64]
	rows int
}

type half uint8

const (
	first half = iota
	both
	second
)

func newUnion(d []float64, bottom int, rho float64, squares bool, bases ...basis) *union {
	u := &union{d: d, z: make([]float64, len(d)), rho: rho, squares: squares, bottom: bottom,
		halves: make([]half, len(d)), bases: bases, kept: make([]int, 0, len(d))}
	for i := bottom; i < len(d); i++ {
		u.halves[i] = second
	}
	return u
}

// tridiagonalVectors replaces d by the eigenvalues, in any order, of the tridiagonal matrix with the diagonal d and the
// other diagonal e, and stores the eigenvectors in z, which is zero before. The largest elements should be near 1. It
// returns false if a root is not found, because an element is not finite.
func tridiagonalVectors(d, e []float64, z blas.Matrix[float64]) bool {
	n := len(d)
	switch n {
	case 1:
		z.Set(0, 0, 1)
		return true
	case 2:
		r, ok := rotationOf(d[0], d[1], e[0])
		if !ok {
			r.c = 1
		}
		d[0], d[1] = d[0]-r.shift, d[1]+r.shift
		storeRotation(r.c, -r.s, z)
		return true
	}
	middle := n / 2
	size := math.Abs(e[middle-1])
	d[middle-1] -= size
	d[middle] -= size
	if !tridiagonalVectors(d[:middle], e[:middle-1], z) ||
		!tridiagonalVectors(d[middle:], e[middle:], z.From(middle, middle)) {
		return false
	}
	u := newUnion(d, middle, 2*size, false, basis{z, n})
	for i := range u.z {
		row, factor := middle-1, math.Sqrt2/2
		if i >= middle {
			row, factor = middle, math.Copysign(factor, e[middle-1])
		}
		u.z[i] = z.At(row, i) * factor
	}
	u.deflate(toleranceOfUnion(d, u.z), u.ascending())
	return u.solve()
}

// bidiagonalVectors replaces d by the singular values, in any order, of the bidiagonal matrix with the diagonal d and
// the superdiagonal e, and stores the left and right singular vectors, which are zero before. With as many elements in
// e as in d the matrix has another column, and right as its last column the vector that the matrix maps to zero. The
// largest elements should be near 1. It returns false like tridiagonalVectors.
func bidiagonalVectors(d, e []float64, left, right blas.Matrix[float64]) bool {
	n := len(d)
	columns := len(e) + 1
	middle := n / 2
	if n == 1 {
		left.Set(0, 0, 1)
		if columns == 1 {
			right.Set(0, 0, math.Copysign(1, d[0]))
			d[0] = math.Abs(d[0])
		} else if size := math.Hypot(d[0], e[0]); size > 0 {
			storeRotation(d[0]/size, e[0]/size, right)
			d[0] = size
		} else {
			storeRotation(1, 0, right)
		}
		return true
	}
	// The row in the middle connects the rows before it, which have another column, and the rows after it.
	alpha, beta := d[middle], 0.0
	if !bidiagonalVectors(d[:middle], e[:middle], left, right) {
		return false
	}
	if middle < len(e) {
		beta = e[middle]
		corner := right.From(middle+1, middle+1)
		if middle+1 == n {
			corner.Set(0, 0, 1)
		} else if !bidiagonalVectors(d[middle+1:], e[middle+1:], left.From(middle+1, middle+1), corner) {
			return false
		}
	}
	left.Set(middle, middle, 1)
	d[middle] = 0
	u := newUnion(d, middle+1, 1, true, basis{right, columns}, basis{left, n})
	for i := range u.z {
		if i <= middle {
			u.z[i] = alpha * right.At(middle, i)
		} else {
			u.z[i] = beta * right.At(middle+1, i)
		}
	}
	if columns > n { // a combination of the vectors that the halves map to zero remains
		x, y := u.z[middle], beta*right.At(middle+1, n)
		if size := math.Hypot(x, y); size > 0 {
			u.bases[0].rotate(x/size, y/size, n, middle)
			u.z[middle], u.halves[middle] = size, both
		}
	}
	tolerance := toleranceOfUnion(d, []float64{alpha, beta})
	u.kept = append(u.kept, middle)
	u.deflate(tolerance, slices.DeleteFunc(u.ascending(), func(i int) bool { return i == middle }))
	if len(u.kept) == 1 {
		d[middle] = math.Abs(u.z[middle])
		left.Set(middle, middle, math.Copysign(1, u.z[middle]))
		return true
	}
	if math.Abs(u.z[middle]) <= tolerance {
		u.z[middle] = tolerance
	}
	next := u.kept[1]
	d[next] = max(d[next], tolerance/2) // poles differ, and the first one is 0
	return u.solve()
}

// storeRotation stores an orthogonal matrix of order 2 with the first column (c, s).
func storeRotation(c, s float64, to blas.Matrix[float64]) {
	to.Set(0, 0, c)
	to.Set(1, 0, s)
	to.Set(0, 1, -s)
	to.Set(1, 1, c)
}

// toleranceOfUnion returns the change of the matrix that is only a rounding error. Much smaller numbers count as zero,
// so that no square of a quotient overflows.
func toleranceOfUnion(lists ...[]float64) float64 {
	largest := 0.0
	for _, list := range lists {
		for _, v := range list {
			largest = max(largest, math.Abs(v))
		}
	}
	return max(8*0x1p-53*largest, 0x1p-200)
}

// ascending returns the columns in the ascending order of d.
func (u *union) ascending() []int {
	order := make([]int, len(u.d))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(u.d[i], u.d[j]) })
	return order
}

// rotate replaces column j by c times it plus s times column i, and column i by c times it minus s times column j.
func (b basis) rotate(c, s float64, i, j int) {
	x, y := b.Data[i*b.LD:][:b.rows], b.Data[j*b.LD:][:b.rows]
	for row, v := range x {
		w := y[row]
		x[row], y[row] = c*v-s*w, c*w+s*v
	}
}

// deflate adds to the kept columns the ones in order whose z is not negligible. Of columns with about the same d it
// rotates one to a z of zero.
func (u *union) deflate(tolerance float64, order []int) {
	d, z, last := u.d, u.z, -1
	for _, j := range order {
		if u.rho*math.Abs(z[j]) <= tolerance {
			continue
		}
		if last >= 0 {
			size := math.Hypot(z[last], z[j])
			c, s := z[j]/size, z[last]/size
			if math.Abs((d[j]-d[last])*c*s) > tolerance {
				u.kept = append(u.kept, last)
			} else {
				z[last], z[j] = 0, size
				d[last], d[j] = d[last]*c*c+d[j]*s*s, d[last]*s*s+d[j]*c*c
				for _, b := range u.bases {
					b.rotate(c, s, last, j)
				}
				if u.halves[j] != u.halves[last] {
					u.halves[j] = both
				}
			}
		}
		last = j
	}
	if last >= 0 {
		u.kept = append(u.kept, last)
	}
}

// solve replaces the kept elements of d and the kept vectors by the solutions for the joined matrix.
func (u *union) solve() bool {
	k := len(u.kept)
	if k == 0 {
		return true
	}
	work := make([]float64, 5*k)
	take := func() (part []float64) {
		part, work = work[:k], work[k:]
		return part
	}
	s := secular{rho: u.rho, squares: u.squares, d: take(), z: take()}
	values, norms, column := take(), take(), take()
	for i, column := range u.kept {
		s.d[i], s.z[i] = u.d[column], u.z[column]
	}
	// The columns by halves, so that the rows of each half are the product of adjacent columns.
	place, order, count := make([]int, k), make([]int, 0, k), [3]int{}
	for h := first; h <= second; h++ {
		for i, column := range u.kept {
			if u.halves[column] == h {
				place[i] = len(order)
				order = append(order, column)
			}
		}
		count[h] = len(order)
	}
	rows := max(u.bottom, u.bases[0].rows-u.bottom)
	blas.WithScratch(k*(k+2*rows), func(memory []float64) {
		x := blas.Matrix[float64]{Data: memory[:k*k], LD: k}
		blas.Parallel(min(blas.Threads(), 1+k/64), k, func(j int) {
			values[j] = s.root(j, x.Data[j*k:][:k])
		})
		s.restore(x)
		for b, basis := range u.bases {
			for j := range k {
				to := x.Data[j*k:][:k]
				if b == 0 {
					for i, v := range to {
						column[i] = s.z[i] / v
					}
				} else { // the left vectors, from the right ones
					for i, d := range s.d {
						column[i] = d * to[place[i]]
					}
					column[0] = -1 / norms[j]
				}
				norms[j] = math.Sqrt(vector.Dot(column, column))
				for i, v := range column {
					to[place[i]] = v / norms[j]
				}
			}
			halves := memory[k*k:]
			u.multiply(basis, 0, u.bottom, order[:count[both]], x, halves)
			u.multiply(basis, u.bottom, basis.rows, order[count[first]:], x.From(count[first], 0), halves)
		}
	})
	for j, column := range u.kept {
		u.d[column] = values[j]
	}
	return !slices.ContainsFunc(values, math.IsNaN)
}

// multiply replaces rows of the kept columns by the product of the columns in order and X.
func (u *union) multiply(b basis, from, to int, order []int, x blas.Matrix[float64], memory []float64) {
	rows, k := to-from, len(u.kept)
	if rows == 0 {
		return
	}
	old, product := memory[:rows*len(order)], memory[rows*k:][:rows*k]
	for i, column := range order {
		copy(old[i*rows:][:rows], b.Data[from+column*b.LD:])
	}
	blas.Gemm(blas.None, blas.None, rows, k, len(order), 1, blas.Matrix[float64]{Data: old, LD: rows}, x, 0,
		blas.Matrix[float64]{Data: product, LD: rows})
	for j, column := range u.kept {
		copy(b.Data[from+column*b.LD:][:rows], product[j*rows:])
	}
}

// secular is an equation whose poles are d or the squares of d, in ascending order.
type secular struct {
	d, z    []float64
	rho     float64
	squares bool
}

// difference returns the difference of two poles.
func (s *secular) difference(x, y float64) float64 {
	if s.squares {
		return (x - y) * (x + y)
	}
	return x - y
}

// differences stores the differences of all poles and one.
func (s *secular) differences(pole int, to []float64) {
	for i, v := range s.d {
		to[i] = s.difference(v, s.d[pole])
	}
}

// interval is where the search of a root begins: a number, and others that are less and greater than the root. They are
// distances from the pole origin, which is the nearest one.
type interval struct {
	origin        int
	low, at, high float64
}

// start returns the interval of the root after pole j, and stores the differences of the poles and the nearest one.
func (s *secular) start(j int, gaps []float64) (v interval) {
	v.origin = j
	s.differences(j, gaps)
	p := s.z[j] * s.z[j]
	if j == len(s.d)-1 {
		v.low, v.high = s.rho*p, 2*s.rho*vector.Dot(s.z, s.z)
		v.at = v.low // the root of one pole
		return v
	}
	rest, gap := 1/s.rho, gaps[j+1] // rest is the value in the middle without the poles next to it
	for i, z := range s.z {
		if i != j && i != j+1 {
			rest += z * (z / (gaps[i] - gap/2))
		}
	}
	q := s.z[j+1] * s.z[j+1]
	left, right := 0.0, gap
	if rest*gap/2+q-p < 0 { // the root is nearer to the right pole
		left, right, v.origin = -gap, 0, j+1
		s.differences(j+1, gaps)
	}
	v.low, v.high = left, right
	v.at = quadratic(rest, rest*(left+right)+p+q, p*right+q*left)
	if !(v.at > left && v.at < right) {
		v.at = between(left, right)
	}
	return v
}

// root returns the root after pole j, or the root of it for squares, and stores the differences of the poles and the
// root. It computes the distance of the root from the nearest pole, because only so the differences are precise enough
// for vectors. It returns NaN if it does not find the root.
func (s *secular) root(j int, gaps []float64) float64 {
	const most = 100 // steps; five times as many as hard matrices need
	v := s.start(j, gaps)
	last, slow := j == len(s.d)-1, 0
	fixed, before, d := !last, math.Inf(1), math.NaN()
	if last {
		j--
	}
	if j < 0 { // the only root
		d = s.d[0]
	}
	for step := 0; step < most && j >= 0; step++ {
		e := s.evaluate(j, v.at, gaps)
		size := math.Abs(e.value)
		if e.value < 0 {
			v.low = v.at
		} else {
			v.high = v.at
		}
		if size > before/10 {
			fixed, slow = !fixed && !last, slow+1
		}
		next := v.at + s.step(j, v.origin, fixed, last, v.at, gaps, e)
		inside := next > v.low && next < v.high
		if size <= e.rounding {
			if inside {
				v.at = next // the bound is generous: this step still halves the largest errors
			}
			d = s.d[v.origin]
			break
		}
		if slow > 2 || !inside {
			next, slow = between(v.low, v.high), 0
		}
		if next == v.low || next == v.high { // no number is between
			d = s.d[v.origin]
			break
		}
		v.at, before = next, size
	}
	for i := range gaps {
		gaps[i] -= v.at
	}
	if s.squares {
		return d + v.at/(d+math.Sqrt(d*d+v.at))
	}
	return d + v.at
}

// evaluation is the value of 1/rho + sum z(i)^2 / (D(i) - x), a bound of its rounding errors, and the derivatives of
// the sums up to a pole and after it.
type evaluation struct{ value, rounding, below, above float64 }

// evaluate evaluates the equation at a distance from a pole.
func (s *secular) evaluate(j int, at float64, gaps []float64) (e evaluation) {
	var sum, sums float64 // sums is the sum of the partial sums, which have one sign
	weights := s.z[:j+1]
	for i, gap := range gaps[:j+1] {
		z := weights[i]
		quotient := z / (gap - at)
		sum += z * quotient
		e.below += quotient * quotient
		sums += sum
	}
	bound := 8*math.Abs(sum) + math.Abs(sums)
	e.value, sum, sums = sum, 0, 0
	for i := len(gaps) - 1; i > j; i-- {
		z := s.z[i]
		quotient := z / (gaps[i] - at)
		sum += z * quotient
		e.above += quotient * quotient
		sums += sum
	}
	bound += 8*math.Abs(sum) + math.Abs(sums)
	e.value += sum + 1/s.rho
	e.rounding = 0x1p-53 * (bound + 2/s.rho + math.Abs(at)*(e.below+e.above))
	return e
}

// step returns the step to the root of a sum of two fractions and a number. The fractions have the poles j and j+1. The
// sum has the same value and derivative as the equation. If fixed is true, it has the weight of the nearest pole;
// otherwise each fraction has the derivative of the sum on its side.
func (s *secular) step(j, origin int, fixed, last bool, at float64, gaps []float64, e evaluation) float64 {
	left, right, below, above, slope := gaps[j]-at, gaps[j+1]-at, e.below, e.above, e.below+e.above
	if quotient := s.z[origin] / at; fixed && origin == j {
		below = quotient * quotient
		above = slope - below
	} else if fixed {
		above = quotient * quotient
		below = slope - above
	}
	rest := e.value - left*below - right*above
	sum, product := (left+right)*e.value-left*right*slope, left*right*e.value
	if last { // the root is after both poles
		return -quadratic(rest, -sum, product)
	}
	return quadratic(rest, sum, product)
}

// between returns a number between two numbers of the same sign, or a number and zero. It halves the interval, or the
// exponents of a wide one.
func between(low, high float64) float64 {
	if low < 0 {
		return -between(-high, -low)
	}
	if least := max(low, high*0x1p-20); least < high/4 {
		return math.Sqrt(least) * math.Sqrt(high)
	}
	return low + (high-low)/2
}

// quadratic returns the root of rest x^2 - a x + b that is (a - sqrt(a^2 - 4 b rest)) / (2 rest).
func quadratic(rest, a, b float64) float64 {
	root := math.Sqrt(math.Abs(a*a - 4*b*rest))
	if a > 0 {
		return 2 * b / (a + root)
	}
	return (a - root) / (2 * rest)
}

// restore replaces z by the vector that has exactly the computed roots, given by their differences from the poles.
func (s *secular) restore(x blas.Matrix[float64]) {
	k := len(s.d)
	squares := make([]float64, k)
	for i := range squares {
		squares[i] = -x.At(i, i)
	}
	for j, d := range s.d {
		for i, gap := range x.Data[j*x.LD:][:k] {
			if i != j {
				squares[i] *= gap / s.difference(s.d[i], d)
			}
		}
	}
	for i, v := range squares {
		s.z[i] = math.Copysign(math.Sqrt(max(v, 0)), s.z[i])
	}
}
