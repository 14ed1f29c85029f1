package result

import (
	"fmt"
	"hash/maphash"
	"os"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"roclua/luabind/record"
)

// Store keeps the records of results, so that a run of many cases or of large logs needs little memory: small ones as
// they are, the others as lines of JSON in a temporary file. The zero value is ready to use.
type Store struct {
	mu     sync.Mutex
	memory int      // bytes of records that are kept as they are, about
	file   *os.File // nil until a record is in it
	inFile int64    // bytes of the file
}

const (
	smallRecord = 8 << 10  // bytes; a larger record is in the file
	inMemory    = 32 << 20 // bytes of all records that are kept as they are
)

// bytesOf returns about how much memory a record takes that has no failure and no workload.
func bytesOf(r *record.Record) int {
	h := &r.History
	n := 1<<10 + len(r.Log) + 128*(len(r.Checks)+len(r.Metrics)) +
		512*(len(r.Measurements)+len(h.Calls)+len(h.Kernels)+len(h.Marks)+len(h.Hazards))
	for i := range r.Checks {
		n += len(r.Checks[i].Text) + len(r.Checks[i].Have) + len(r.Checks[i].Want)
	}
	for _, m := range r.Metrics {
		text, _ := m.Value.(string)
		n += len(text)
	}
	return n
}

// stored is where the record of a result is in the file.
type stored struct {
	at   int64
	size int
	log  uint64 // LogDigest of the result
}

// Put takes over the record of a result, and leaves the parts that decide the outcome, and the required files. When
// there is no space for the record, the result keeps all of it.
func (s *Store) Put(r *Result) {
	if r.stored != nil || s.keeps(r.Record) {
		return
	}
	line, err := json.Marshal(r.Line(true), encoding, Plain)
	if err != nil {
		return
	}
	at := &stored{size: len(line), log: r.LogDigest()}
	if at.at, err = s.add(line); err != nil {
		return
	}
	r.stored, r.Record = at, outline(r.Record)
}

// keeps reports whether a record is kept as it is, and counts it.
func (s *Store) keeps(r *record.Record) bool {
	n := bytesOf(r)
	if n > smallRecord || r.Load != nil || r.End != nil || len(r.Problems)+len(r.Retried) > 0 {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory+n > inMemory {
		return false
	}
	s.memory += n
	return true
}

// add writes a line to the file, and returns its place.
func (s *Store) add(line []byte) (at int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "roclua-results-*"); err != nil {
			return 0, err
		}
		os.Remove(s.file.Name()) // it stays until it is closed, on systems that allow this
	}
	at = s.inFile
	if _, err = s.file.WriteAt(line, at); err == nil {
		s.inFile += int64(len(line))
	}
	return at, err
}

// Full returns the result with its whole record. The result itself stays short. A nil Store returns results as they
// are.
func (s *Store) Full(r *Result) (*Result, error) {
	if s == nil || r.stored == nil {
		return r, nil
	}
	line := make([]byte, r.stored.size)
	_, err := s.file.ReadAt(line, r.stored.at)
	var whole *Line
	if err == nil {
		whole, err = DecodeLine(line)
	}
	if err != nil {
		return nil, fmt.Errorf("the result of case %s cannot be restored: %w", r.ID, err)
	}
	full := *r
	full.Record, full.stored = &whole.Record, nil
	full.Record.Required = r.Record.Required
	return &full, nil
}

// Close removes the file. Results that were stored cannot be restored after that.
func (s *Store) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name())
	return err
}

// outlineBytes bounds the texts of a record that results have in memory.
const outlineBytes = 64 << 10

// outline returns the part of a record that results have in memory, which decides the outcome and its description.
func outline(r *record.Record) *record.Record {
	left := outlineBytes
	short := &record.Record{Seconds: r.Seconds, Faults: r.Faults, Required: r.Required,
		Skipped: shorten(r.Skipped, &left)}
	short.Stats.Injected = r.Stats.Injected
	if r.End != nil {
		end := *r.End
		end.Message, end.Traceback = shorten(end.Message, &left), shorten(end.Traceback, &left)
		short.End = &end
	}
	for _, text := range r.Retried {
		short.Retried = append(short.Retried, shorten(text, &left))
	}
	for _, skipped := range r.SkippedRows {
		skipped.Reason = shorten(skipped.Reason, &left)
		short.SkippedRows = append(short.SkippedRows, skipped)
	}
	for _, text := range r.Problems {
		short.Problems = append(short.Problems, shorten(text, &left))
	}
	more := 0
	for _, c := range r.Checks {
		switch {
		case c.Passed:
		case left == 0:
			more++
		default:
			c.Text, c.Have, c.Want = shorten(c.Text, &left), shorten(c.Have, &left), shorten(c.Want, &left)
			short.Checks = append(short.Checks, c)
		}
	}
	if more > 0 {
		short.Problems = append(short.Problems, fmt.Sprintf("%d more checks failed; --out json lists them", more))
	}
	return short
}

// shorten returns the beginning of text, and counts it.
func shorten(text string, left *int) string {
	const most, cost = outlineBytes / 8, 16 // of one text, and in addition to its bytes
	n := min(*left, most)
	if *left = max(*left-len(text)-cost, 0); len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return strings.Clone(text[:n]) + fmt.Sprintf("… (%d more bytes)", len(text)-n)
}

// logSeed is the seed of LogDigest.
var logSeed = maphash.MakeSeed()

// LogDigest returns a number that is equal for results with the same log; 0 when there is none.
func (r *Result) LogDigest() uint64 {
	switch {
	case r.stored != nil:
		return r.stored.log
	case r.Record.Log == "":
		return 0
	}
	return max(1, maphash.String(logSeed, r.Record.Log))
}
