package record

import (
	"fmt"
	"unicode/utf8"
)

// Bound cuts the messages of a record so that together they have at most limit bytes, apart from what says that a
// message was cut: how the case ended, why it was skipped, leaks, and failures of teardown. With 0 none is cut.
// What a script prints, and its metrics and checks, have been counted when they were made.
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
