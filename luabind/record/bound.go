package record

import (
	"fmt"

	"roclua/internal/escape"
)

// minMessages is the least number of bytes that the messages of a case may take.
const minMessages = 4 << 10

// Bound cuts the messages of a record and escapes all its texts, as reports have them. The messages say how the case
// ended, why it was skipped, and what problems it has. They take at most an eighth of limit, not counting the notes
// that a message was cut; 0 cuts none. Printed text, metrics and checks were counted when they were made.
func (r *Record) Bound(limit uint64) {
	messages := []*string{&r.Skipped}
	if r.End != nil {
		messages = []*string{&r.End.Message, &r.End.Traceback, &r.Skipped}
	}
	for i := range r.Problems {
		messages = append(messages, &r.Problems[i])
	}
	for i := range r.SkippedRows {
		messages = append(messages, &r.SkippedRows[i].Reason)
	}
	left := max(limit/8, minMessages)
	for _, text := range messages {
		n := min(uint64(len(*text)), left)
		if left -= n; limit > 0 && n < uint64(len(*text)) {
			*text = fmt.Sprintf("%s… (%d more bytes; limits.output is %d)", (*text)[:n], uint64(len(*text))-n, limit)
		}
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
