package render

import (
	"fmt"
	"strings"

	"roclua/host/applog/analyze"
	"roclua/internal/units"
)

// writeSeen lists the growths in a profile, and compares them with the predicted ones.
func (r *Report) writeSeen(b *strings.Builder) {
	if r.Seen == nil {
		return
	}
	b.WriteString("\ngrowths that the profiler saw in calls of rocBLAS\n")
	var texts []string
	for i := range r.Seen.Growths {
		g := &r.Seen.Growths[i]
		texts = append(texts, fmt.Sprintf("  line %s  %s", r.place(g.File, g.Line), seenText(g)))
	}
	if texts == nil {
		texts = []string{"  none"}
	}
	writeSome(b, texts)
	r.grouped(b, "  ", func(t *analyze.Target) []string { return r.comparison(&t.Seen) })
}

func seenText(g *analyze.SeenGrowth) string {
	size := "memory"
	if g.Bytes > 0 {
		size = units.FormatBytes(g.Bytes)
	}
	return fmt.Sprintf("%s: hipFree, and hipMalloc of %s, in %.3f ms on thread %d of process %d",
		strings.TrimPrefix(g.Name, "rocblas_"), size, float64(g.Nanoseconds)/1e6, g.Thread, g.Process)
}

// comparison lists growths that were both predicted and seen, and growths that were only one of them.
func (r *Report) comparison(c *analyze.Compared) []string {
	list := []string{"no growth is predicted"}
	if predicted := c.Both + int64(len(c.NotSeen)); predicted > 0 {
		list[0] = fmt.Sprintf("the profiler saw %d of %s", c.Both, plural(predicted, "predicted growth"))
	}
	for i, g := range c.NotSeen {
		if i == listedLines {
			list = append(list, fmt.Sprintf("and %d more not seen", len(c.NotSeen)-listedLines))
			break
		}
		list = append(list, fmt.Sprintf("not seen: line %s  %s: %d -> %d bytes", r.place(g.File, g.Line),
			g.Call.Routine.UniqueName(), g.From, g.To))
	}
	for i, g := range c.NotPredicted {
		if i == listedLines {
			list = append(list, fmt.Sprintf("and %d more not predicted", len(c.NotPredicted)-listedLines))
			break
		}
		list = append(list, fmt.Sprintf("not predicted: line %s  %s", r.place(g.File, g.Line),
			strings.TrimPrefix(g.Name, "rocblas_")))
	}
	return list
}
