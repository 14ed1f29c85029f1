package tuning

// node is a library of the files. It returns the kernel that it chooses, or nil. A file that cannot be read panics.
type node interface {
	choose(q *query) *Kernel
}

// nothing is a library without a solution.
type nothing struct{}

func (nothing) choose(*query) *Kernel { return nil }

// rows is a list of libraries with conditions. The first that has a kernel is used.
type rows []row

type row struct {
	test test
	node node
}

func (r rows) choose(q *query) *Kernel {
	for i := range r {
		if r[i].test.holds(q) {
			if k := r[i].node.choose(q); k != nil {
				return k
			}
		}
	}
	return nil
}

// operations is a library for each operation.
type operations map[string]node

func (o operations) choose(q *query) *Kernel {
	if n, ok := o[q.operation]; ok {
		return n.choose(q)
	}
	return nil
}
