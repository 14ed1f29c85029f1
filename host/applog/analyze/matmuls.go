package analyze

import (
	"fmt"

	"roclua/hip/matmul"
	"roclua/internal/units"
)

// Matmul is a product of hipBLASLt, and how often it is in the logs.
type Matmul struct {
	Product matmul.Product
	Times   int64
}

// matmuls are the products in lines of hipBLASLt.
type matmuls struct {
	kinds  map[matmul.Line]map[matmul.Product]int64
	order  []matmul.Product
	unread int64 // lines whose products are not understood
	why    error // of the first of them
}

// add reads a line of hipBLASLt.
func (m *matmuls) add(line string) {
	kind, p, err := matmul.ParseLine(line)
	switch {
	case kind == matmul.NoProduct:
		return
	case err != nil:
		if m.unread++; m.why == nil {
			m.why = err
		}
		return
	case m.kinds == nil:
		m.kinds = map[matmul.Line]map[matmul.Product]int64{}
	}
	if m.kinds[kind] == nil {
		m.kinds[kind] = map[matmul.Product]int64{}
	}
	n := m.kinds[kind][p]
	if n == 0 && len(m.kinds[kind]) == mostCalls {
		m.unread++
		return
	}
	m.kinds[kind][p] = n + 1
	if n == 0 {
		m.order = append(m.order, p)
	}
}

// list returns the products in the order of their first lines. Commands have more of a call than traces, so traces
// count only where there are no commands.
func (m *matmuls) list() []Matmul {
	counts := m.kinds[matmul.Command]
	if len(counts) == 0 {
		counts = m.kinds[matmul.Trace]
	}
	var list []Matmul
	listed := map[matmul.Product]bool{}
	for _, p := range m.order {
		if n := counts[p]; n > 0 && !listed[p] {
			list = append(list, Matmul{p, n})
			listed[p] = true
		}
	}
	return list
}

// note describes the products in the lines of hipBLASLt.
func (m *matmuls) note(list []Matmul) string {
	text := "lines of hipBLASLt have no product of matrices; HIPBLASLT_LOG_MASK=32 makes it log them"
	if len(list) > 0 {
		total := int64(0)
		for _, p := range list {
			total += p.Times
		}
		text = fmt.Sprintf("%s of hipBLASLt, of %s, do not count: roclua gemm --lt says what they want",
			units.Count(int(total), "product"), units.Count(len(list), "kind"))
	}
	if m.unread > 0 {
		text += "; " + units.Count(int(m.unread), "line") + " not understood"
		if m.why != nil {
			text += ", the first because: " + m.why.Error()
		}
	}
	return text + "; hipBLASLt uses the workspace that the application gives each call, and not memory of a handle " +
		"of rocBLAS"
}
