package api

import "math"

// transferFunctions declares the functions that copy vectors and matrices between host and device, each with a form
// that waits and one that copies in stream order, both also with 64-bit integers.
func transferFunctions() []*Function {
	var list []*Function
	for _, wide := range []bool{false, true} {
		for _, async := range []bool{false, true} {
			for _, what := range []string{"vector", "matrix"} {
				for _, toDevice := range []bool{true, false} {
					list = append(list, transferFunction(what, toDevice, async, wide))
				}
			}
		}
	}
	return list
}

func transferFunction(what string, toDevice, async, wide bool) *Function {
	host := Param{Kind: Array, About: "host array", Nil: "the null pointer", Filled: !toDevice}
	device := pointer("", "device memory")
	name, from, to := "get_"+what, "the device", "the host"
	first, second := device, host
	if toDevice {
		name, from, to = "set_"+what, "the host", "the device"
		first, second = host, device
	}
	params := []Param{int32Param("n", "elements")}
	first.Name, second.Name = "x", "y"
	distances := []Param{int32Param("incx", "increment of x"), int32Param("incy", "increment of y")}
	if what == "matrix" {
		params = []Param{int32Param("rows", "rows"), int32Param("cols", "columns")}
		first.Name, second.Name = "a", "b"
		distances = []Param{int32Param("lda", "leading dimension of a"), int32Param("ldb", "leading dimension of b")}
	}
	params = append(params, int32Param("elem_size", "bytes of an element"), first, distances[0], second, distances[1])
	about := "copies a " + what + " from " + from + " to " + to + ": " + first.Name + " to " + second.Name +
		"; elements between those that are copied are unchanged"
	if async {
		name += "_async"
		about += "; does not wait, so a host array is complete when the stream is synchronized"
		params = append(params, stream())
	}
	if wide {
		name += "_64"
		for i := range params {
			if params[i].Kind == Integer {
				params[i].Low, params[i].High = MinInteger, MaxInteger
			}
		}
	}
	return declare(name, about, params...).
		fails("rocblas.status_invalid_size",
			"a size is negative, elem_size or an increment is not positive, or a leading dimension is less than rows").
		fails("rocblas.status_invalid_pointer", "a pointer is null").
		fails("rocblas.status_internal_error",
			"HIP refused the copy; on rocm-6.4 the library prints the error and returns success")
}

// int32Param declares a rocblas_int.
func int32Param(name, about string) Param { return integer(name, math.MinInt32, math.MaxInt32, about) }
