package engine

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/workspace/status"
)

// StatusCounts counts the statuses that functions of rocBLAS and rocSOLVER returned, by C name.
type StatusCounts map[string]functionCounts

// functionCounts counts the statuses of one function. It is nil for a function that C does not have.
type functionCounts map[status.Status]int

// of returns the counts of a function by its C name; nil for "".
func (c StatusCounts) of(function string) functionCounts {
	if c[function] == nil && function != "" {
		c[function] = functionCounts{}
	}
	return c[function]
}

// Returned returns the counts by C name and status: "rocblas_dgemm.success".
func (c StatusCounts) Returned() map[string]int {
	list := map[string]int{}
	for function, counts := range c {
		for st, n := range counts {
			list[function+"."+st.Short()] += n
		}
	}
	return list
}

// add counts a status, if it is a rocblas_status.
func (c functionCounts) add(v lua.LValue) {
	if ud, ok := v.(*lua.LUserData); ok && c != nil {
		if st, ok := ud.Value.(StatusCode).Status.(status.Status); ok {
			c[st]++
		}
	}
}

// Add adds the counts of another machine.
func (c StatusCounts) Add(other StatusCounts) {
	for function, counts := range other {
		to := c.of(function)
		for st, n := range counts {
			to[st] += n
		}
	}
}
