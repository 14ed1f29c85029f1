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

// Store keeps the records of results, so that a run of many cases or of large logs needs little memory: the first short
// ones as they are, the others as their lines of JSON. Long lines, and lines beyond InMemory bytes, are in a temporary
// file. The zero value is ready to use.
type Store struct {
	InMemory int // bytes; 0 means the default

	mu     sync.Mutex
	whole  int      // records that are kept as they are
	memory int      // bytes of lines in memory
	file   *os.File // nil until the lines are too many
	inFile int64    // bytes of the file
}

// defaultInMemory is the number of bytes of lines that a store keeps in memory. All lines of 100,000 usual cases would
// make the memory of a run a quarter larger, and save no time over the file.
const defaultInMemory = 16 << 20

// longLine is the number of bytes from which a line is in the file.
const longLine = 1 << 20

// wholeRecords is the number of short records that a store keeps as they are. Lines take more time: a case that only
// computes a size would take 15 % more.
const wholeRecords = 10_000

// isShort reports whether a record without its line takes little more memory than with it.
func isShort(r *record.Record) bool {
	h := &r.History
	return len(r.Log) < 1<<10 && len(r.Checks) < 16 && len(h.Calls)+len(h.Kernels)+len(h.Marks)+len(h.Hazards) == 0 &&
		r.Load == nil && r.End == nil
}

// stored is where the record of a result is.
type stored struct {
	line []byte // nil if it is in the file
	at   int64  // in the file
	size int
	log  uint64 // LogDigest of the result
}

// Put takes over the record of a result, and leaves the parts that decide the outcome, and the required files. When
// there is no space for the record, the result keeps all of it.
func (s *Store) Put(r *Result) {
	if r.stored != nil || s.keepsWhole(r.Record) {
		return
	}
	line, err := json.Marshal(r.Line(true), encoding, Plain)
	if err != nil {
		return
	}
	at := &stored{size: len(line), log: r.LogDigest()}
	if at.line, at.at, err = s.add(line); err != nil {
		return
	}
	r.stored, r.Record = at, outline(r.Record)
}

// keepsWhole reports whether a record is kept as it is, and counts it.
func (s *Store) keepsWhole(r *record.Record) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.whole == wholeRecords || !isShort(r) {
		return false
	}
	s.whole++
	return true
}

// add keeps a line, and returns it if it is in memory, or its place in the file.
func (s *Store) add(line []byte) (kept []byte, at int64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	most := s.InMemory
	if most == 0 {
		most = defaultInMemory
	}
	if len(line) < longLine && s.memory+len(line) <= most {
		s.memory += len(line)
		return line, 0, nil
	}
	if s.file == nil {
		if s.file, err = os.CreateTemp("", "roclua-results-*"); err != nil {
			return nil, 0, err
		}
		os.Remove(s.file.Name()) // it stays until it is closed, on systems that allow this
	}
	at = s.inFile
	if _, err = s.file.WriteAt(line, at); err == nil {
		s.inFile += int64(len(line))
	}
	return nil, at, err
}

// Full returns the result with its whole record. The result itself stays short. A nil Store returns results as they
// are.
func (s *Store) Full(r *Result) (*Result, error) {
	if s == nil || r.stored == nil {
		return r, nil
	}
	line, err := r.stored.line, error(nil)
	if line == nil {
		line = make([]byte, r.stored.size)
		_, err = s.file.ReadAt(line, r.stored.at)
	}
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
