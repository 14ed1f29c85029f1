package record

import (
	"fmt"
	"unicode/utf8"
)

// Bound cuts the messages of a record to limit bytes in total, not counting the notes that a message was cut: how the
// case ended, why it was skipped, leaks, and failures of teardown. 0 cuts none. Printed text, metrics and checks were
// counted when they were made.
func (r *Record) Bound(limit uint64) {
	if limit == 0 {
		return
	}
	left := int(min(limit, 1<<62))
	cut := func(text *string) {
		if len(*text) > left {
			end := left
			for end > 0 && !utf8.RuneStart((*text)[end]) {
				end--
			}
			*text = (*text)[:end] + fmt.Sprintf("… (%d more bytes; limits.output is %d)", len(*text)-end, limit)
			left = 0
			return
		}
		left -= len(*text)
	}
	if r.End != nil {
		cut(&r.End.Message)
		cut(&r.End.Traceback)
	}
	cut(&r.Skipped)
	for i := range r.Problems {
		cut(&r.Problems[i])
	}
}
