package analyze

import (
	"cmp"
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
	kinds map[matmul.Line]*matmulLines
	order []matmul.Product
}

// matmulLines are the products in lines of a kind.
type matmulLines struct {
	times  map[matmul.Product]int64
	unread int64 // lines whose products are not understood
	why    error // of the first of them
}

// add reads a line of hipBLASLt.
func (m *matmuls) add(line string) {
	kind, p, err := matmul.ParseLine(line)
	if kind == matmul.NoProduct {
		return
	}
	if err != nil {
		of := m.of(kind)
		of.unread++
		of.why = cmp.Or(of.why, err)
		return
	}
	m.count(kind, p, matmul.Times(line))
}

func (m *matmuls) count(kind matmul.Line, p matmul.Product, times int64) {
	of := m.of(kind)
	n := of.times[p]
	if n == 0 && len(of.times) == mostCalls {
		of.unread += times
		return
	}
	of.times[p] = n + times
	if n == 0 {
		m.order = append(m.order, p)
	}
}

func (m *matmuls) of(kind matmul.Line) *matmulLines {
	if m.kinds[kind] == nil {
		if m.kinds == nil {
			m.kinds = map[matmul.Line]*matmulLines{}
		}
		m.kinds[kind] = &matmulLines{times: map[matmul.Product]int64{}}
	}
	return m.kinds[kind]
}

// read returns the lines that count: commands have more of a call than traces, so traces count only where there are no
// commands.
func (m *matmuls) read() *matmulLines {
	if commands := m.of(matmul.Command); len(commands.times) > 0 || commands.unread > 0 {
		return commands
	}
	return m.of(matmul.Trace)
}

// list returns the products in the order of their first lines.
func (m *matmuls) list() []Matmul {
	counts := m.read().times
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

// note describes the GEMMs in the lines of hipBLASLt.
func (m *matmuls) note(list []Matmul) string {
	text := "lines of hipBLASLt have no GEMM; HIPBLASLT_LOG_MASK=32 makes it log them"
	if len(list) > 0 {
		total := int64(0)
		for _, p := range list {
			total += p.Times
		}
		text = fmt.Sprintf("not counted: %s of %s; roclua gemm --lt predicts their workspace",
			units.Count(int(total), "hipBLASLt GEMM"), units.Count(len(list), "kind"))
	}
	if of := m.read(); of.unread > 0 {
		text += "; " + units.Count(int(of.unread), "line") + " not understood"
		if of.why != nil {
			text += ", the first because: " + of.why.Error()
		}
	}
	return text + "; hipBLASLt uses the workspace that the application passes to each call, not the memory of a " +
		"rocBLAS handle"
}
