package engine

import (
	lua "github.com/yuin/gopher-lua"

	"roclua/workspace/status"
)

// StatusCounts counts the statuses that functions of rocBLAS and rocSOLVER returned, by C name.
type StatusCounts map[string]*functionCounts

// functionCounts counts the statuses that one function returned. It is nil for a function of another library.
type functionCounts struct {
	successes int
	others    []statusCount // few different ones
}

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
		if counts.successes > 0 {
			list[function+"."+status.Success.Short()] = counts.successes
		}
		for _, count := range counts.others {
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
	if st, ok := ud.Value.(rocblasStatus); ok {
		*c.of(status.Status(st))++
	}
}

// of returns the count of a status.
func (c *functionCounts) of(st status.Status) *int {
	if st == status.Success {
		return &c.successes
	}
	for i := range c.others {
		if c.others[i].status == st {
			return &c.others[i].n
		}
	}
	c.others = append(c.others, statusCount{status: st})
	return &c.others[len(c.others)-1].n
}

// Add adds the counts of another machine.
func (c StatusCounts) Add(other StatusCounts) {
	for function, counts := range other {
		to := c.of(function)
		to.successes += counts.successes
		for _, count := range counts.others {
			*to.of(count.status) += count.n
		}
	}
}
