package engine

import (
	"slices"

	lua "github.com/yuin/gopher-lua"

	"roclua/workspace/status"
)

// StatusCounts counts the statuses that functions of rocBLAS and rocSOLVER returned, by C name.
type StatusCounts map[string]*functionCounts

// functionCounts counts the statuses that one function returned, which are few different ones. It is nil for a function
// of another library.
type functionCounts []statusCount

type statusCount struct {
	status status.Status
	n      int
}

// of returns the counts of a function by its C name, which is "" for a function that C does not have.
func (c StatusCounts) of(function string) *functionCounts {
	if function == "" {
		return nil
	}
	if c[function] == nil {
		c[function] = &functionCounts{}
	}
	return c[function]
}

// Returned returns the counts by C name and status: "rocblas_dgemm.success".
func (c StatusCounts) Returned() map[string]int {
	list := map[string]int{}
	for function, counts := range c {
		for _, count := range *counts {
			list[function+"."+count.status.Short()] += count.n
		}
	}
	return list
}

// add counts a status, if it is a rocblas_status.
func (c *functionCounts) add(v lua.LValue) {
	ud, ok := v.(*lua.LUserData)
	if c == nil || !ok {
		return
	}
	st, ok := ud.Value.(rocblasStatus)
	if !ok {
		return
	}
	for i := range *c {
		if (*c)[i].status == status.Status(st) {
			(*c)[i].n++
			return
		}
	}
	*c = append(*c, statusCount{status.Status(st), 1})
}

// Add adds the counts of another machine.
func (c StatusCounts) Add(other StatusCounts) {
	for function, counts := range other {
		to := c.of(function)
		for _, count := range *counts {
			i := slices.IndexFunc(*to, func(have statusCount) bool { return have.status == count.status })
			if i < 0 {
				*to = append(*to, statusCount{count.status, 0})
				i = len(*to) - 1
			}
			(*to)[i].n += count.n
		}
	}
}
