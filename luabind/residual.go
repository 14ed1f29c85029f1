package luabind

import (
	"math"
	"math/cmplx"

	lua "github.com/yuin/gopher-lua"
)

// norm returns the Frobenius norm, the largest absolute value ("max"), or the largest column sum ("one").
func norm(c *call, a *Array, kind string) float64 {
	total, largest := 0.0, 0.0
	step := everyElement(c, a.rows)
	for j := range a.cols {
		step()
		column := 0.0
		for i := range a.rows {
			v := cmplx.Abs(a.at(j*a.rows + i))
			total = math.Hypot(total, v)
			column += v
			largest = maxNaN(largest, pick(kind == "max", v, 0))
		}
		largest = maxNaN(largest, pick(kind == "one", column, 0))
	}
	if kind == "frobenius" {
		return total
	}
	return largest
}

func pick(first bool, a, b float64) float64 {
	if first {
		return a
	}
	return b
}

// maxNaN returns the larger of two numbers, or NaN if one is NaN, so that a wrong result does not look small.
func maxNaN(a, b float64) float64 {
	if math.IsNaN(a) || math.IsNaN(b) {
		return math.NaN()
	}
	return math.Max(a, b)
}

func arrayNorm(c *call, a numbers, kind string) error {
	c.out(lua.LNumber(norm(c, a.Array, kind)))
	return nil
}

// arrayResidual computes ||A x - b|| / (||A|| ||x||) in Frobenius norms, in double precision. x and b may have several
// columns.
func arrayResidual(c *call, a, x, b numbers) error {
	if a.cols != x.rows || a.rows != b.rows || x.cols != b.cols {
		c.bad("A", "%dx%d does not fit x %dx%d and b %dx%d", a.rows, a.cols, x.rows, x.cols, b.rows, b.cols)
	}
	r, step := reservedArray(c, "z", b.rows, b.cols), everyElement(c, a.rows)
	for j := range x.cols {
		for k := range a.cols {
			step()
			xk := x.at(j*x.rows + k)
			for i := range a.rows {
				r.put(j*r.rows+i, r.at(j*r.rows+i)+a.at(k*a.rows+i)*xk)
			}
		}
		for i := range b.rows {
			r.put(j*r.rows+i, r.at(j*r.rows+i)-b.at(j*b.rows+i))
		}
	}
	c.out(lua.LNumber(relative(norm(c, r, "frobenius"), norm(c, a.Array, "frobenius")*norm(c, x.Array, "frobenius"))))
	return nil
}

// relative divides a residual by its scale. 0/0 is 0: an empty problem has no residual.
func relative(residual, scale float64) float64 {
	if scale == 0 && residual == 0 {
		return 0
	}
	return residual / scale
}

// arrayLUResidual computes ||P A - L U|| / ||A|| in Frobenius norms, from the factors of getrf.
func arrayLUResidual(c *call, a, lu, ipiv numbers) error {
	if a.rows != lu.rows || a.cols != lu.cols || ipiv.len() < min(a.rows, a.cols) {
		c.bad("LU", "%dx%d with %d pivots does not fit A %dx%d", lu.rows, lu.cols, ipiv.len(), a.rows, a.cols)
	}
	r, step := reservedArray(c, "z", a.rows, a.cols), everyElement(c, 1)
	for i := range a.len() {
		step()
		r.put(i, a.at(i))
	}
	step = everyElement(c, a.cols)
	for i := range min(a.rows, a.cols) {
		step()
		p := int(real(ipiv.at(i))) - 1
		if p < 0 || p >= a.rows {
			c.bad("ipiv", "pivot %d is %d, outside 1..%d", i+1, p+1, a.rows)
		}
		for j := range a.cols {
			at, other := j*a.rows+i, j*a.rows+p
			v := r.at(at)
			r.put(at, r.at(other))
			r.put(other, v)
		}
	}
	subtractProduct(c, r, lu.Array)
	c.out(lua.LNumber(relative(norm(c, r, "frobenius"), norm(c, a.Array, "frobenius"))))
	return nil
}

// subtractProduct takes L U from r, with L unit lower and U upper in one matrix.
func subtractProduct(c *call, r, lu *Array) {
	step := everyElement(c, lu.rows)
	for j := range lu.cols {
		for k := range min(j+1, lu.rows) {
			step()
			u := lu.at(j*lu.rows + k)
			r.put(j*r.rows+k, r.at(j*r.rows+k)-u)
			for i := k + 1; i < lu.rows; i++ {
				r.put(j*r.rows+i, r.at(j*r.rows+i)-lu.at(k*lu.rows+i)*u)
			}
		}
	}
}

// arrayDifference returns the largest |a - b|; a NaN anywhere gives NaN.
func arrayDifference(c *call, a, b numbers) error {
	if a.len() != b.len() {
		c.bad("b", "%d elements against %d", b.len(), a.len())
	}
	largest, step := 0.0, everyElement(c, 1)
	for i := range a.len() {
		step()
		largest = maxNaN(largest, cmplx.Abs(a.at(i)-b.at(i)))
	}
	c.out(lua.LNumber(largest))
	return nil
}
