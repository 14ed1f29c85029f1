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
	times  map[matmulLine]int64
	order  []matmulLine
	unread map[matmul.Line]int64 // lines whose products are not understood
	why    map[matmul.Line]error // of the first of them
}

// matmulLine is a product in lines of a kind.
type matmulLine struct {
	kind    matmul.Line
	product matmul.Product
}

func newMatmuls() *matmuls {
	return &matmuls{times: map[matmulLine]int64{}, unread: map[matmul.Line]int64{}, why: map[matmul.Line]error{}}
}

// add reads a line of hipBLASLt.
func (m *matmuls) add(line string) {
	kind, p, err := matmul.ParseLine(line)
	switch {
	case kind == matmul.NoProduct:
	case err != nil:
		m.unread[kind]++
		m.why[kind] = cmp.Or(m.why[kind], err)
	default:
		m.count(matmulLine{kind, p}, matmul.Times(line))
	}
}

func (m *matmuls) count(l matmulLine, times int64) {
	switch {
	case m.times[l] > 0:
	case len(m.order) == mostCalls:
		m.unread[l.kind] += times
		return
	default:
		m.order = append(m.order, l)
	}
	m.times[l] += times
}

// list returns the products in the order of their first lines, and the kind of lines that count: commands have more of
// a call than traces, so traces count only where there are no commands.
func (m *matmuls) list() (list []Matmul, counts matmul.Line) {
	for _, kind := range []matmul.Line{matmul.Command, matmul.Trace} {
		for _, l := range m.order {
			if l.kind == kind {
				list = append(list, Matmul{l.product, m.times[l]})
			}
		}
		if list != nil || m.unread[kind] > 0 {
			return list, kind
		}
	}
	return nil, matmul.NoProduct
}

// note describes the GEMMs in the lines of hipBLASLt.
func (m *matmuls) note() string {
	text := "lines of hipBLASLt have no GEMM; HIPBLASLT_LOG_MASK=32 makes it log them"
	list, kind := m.list()
	if len(list) > 0 {
		total := int64(0)
		for _, p := range list {
			total += p.Times
		}
		text = fmt.Sprintf("not counted: %s of %s; roclua gemm --lt predicts their workspace",
			units.Count(int(total), "hipBLASLt GEMM"), units.Count(len(list), "kind"))
	}
	if m.unread[kind] > 0 {
		text += "; " + units.Count(int(m.unread[kind]), "line") + " not understood"
		if why := m.why[kind]; why != nil {
			text += ", the first because: " + why.Error()
		}
	}
	return text + "; hipBLASLt uses the workspace that the application passes to each call, not the memory of a " +
		"rocBLAS handle"
}
