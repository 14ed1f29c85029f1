package record

import (
	"fmt"

	"roclua/internal/escape"
)

// minMessages is the least number of bytes of a report that the messages of a case may take.
const minMessages = 4 << 10

// Bound cuts the messages of a record and escapes all its texts, as reports have them. The messages say how the case
// ended, why it was skipped, and what problems it has. They take at most a quarter of limit in a report, not counting
// the notes that a message was cut; 0 cuts none. Printed text, metrics and checks were counted when they were made.
func (r *Record) Bound(limit uint64) {
	b := &budget{limit, int(min(max(limit/4, minMessages), 1<<62))}
	if r.End != nil {
		b.cut(&r.End.Message)
		b.cut(&r.End.Traceback)
	}
	b.cut(&r.Skipped)
	for i := range r.Problems {
		b.cut(&r.Problems[i])
	}
	r.Clean()
}

// Clean escapes what outputs must not have in the texts of a record: strings of Lua are bytes. The paths of the
// required files stay as they are.
func (r *Record) Clean() {
	required := r.Required
	r.Required = nil
	escape.Clean(r)
	r.Required = required
}

// budget is how many bytes of a report messages may still take.
type budget struct {
	limit uint64 // of output; 0 for none
	left  int
}

// places is how often a report repeats a message, at most.
const places = 2

// cut cuts text to what is left, and escapes that.
func (b *budget) cut(text *string) {
	if b.limit == 0 {
		return
	}
	n := escape.Fit(*text, b.left/places)
	if n == len(*text) {
		b.left -= places * escape.Size(*text)
		return
	}
	*text = escape.Text((*text)[:n]) + fmt.Sprintf("… (%d more bytes; limits.output is %d)", len(*text)-n, b.limit)
	b.left = 0
}
