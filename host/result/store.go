package result

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"roclua/internal/codec"
	"roclua/luabind/record"
)

// Store keeps the records of results outside of the results, so that a run of many cases or of large logs needs little
// memory: the last inMemory bytes in memory, those before them in a temporary file. The zero value is ready to use.
type Store struct {
	mu      sync.Mutex
	bytes   spill
	encoder codec.Coder
	decoder codec.Coder

	caseAt func(i int) *Case
	shared map[kind]*Result
	places []stored // of the shared results, by the positions of their cases
}

// stored is where the record of a result is.
type stored struct {
	start   int64
	seconds float64
	log     uint64 // LogDigest of the result
	size    uint32
}

// packed is what is stored of a result.
type packed struct {
	Record         *record.Record
	Started        time.Time
	HistoryMissing bool
}

func (p *packed) code(c *codec.Coder) {
	var started []byte
	var err error
	if !c.Decodes() {
		started, err = p.Started.MarshalBinary()
	}
	text := string(started)
	if c.Once(&text); c.Decodes() {
		err = p.Started.UnmarshalBinary([]byte(text))
	}
	if err != nil {
		c.Fail()
	}
	c.Flags(&p.HistoryMissing)
	p.Record.Code(c)
}

// Put takes over the record of a result, and leaves what decides the outcome: how the case ended, and what failed; and
// the required files. When there is no space for the record, the result keeps all of it.
func (s *Store) Put(r *Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(r)
}

func (s *Store) put(r *Result) {
	if r.stored != nil {
		return
	}
	at := stored{seconds: r.Record.Seconds, log: r.LogDigest()}
	whole := packed{r.Record, r.Started, r.HistoryMissing}
	text, err := s.encoder.Encode(whole.code)
	if err == nil && len(text) > math.MaxUint32 {
		err = errors.New("the record is too large")
	}
	if err == nil {
		at.start, err = s.bytes.add(text)
	}
	if s.encoder.Cap() > inMemory {
		s.encoder = codec.Coder{}
	}
	if err != nil {
		return
	}
	at.size = uint32(len(text))
	r.stored, r.Record = &at, outline(r.Record)
	if at.size >= largeRecord {
		s.compact(r)
	}
}

// compact copies the strings of a result. Strings of a worker's reply share memory, so that a short one would keep all
// of a large reply.
func (s *Store) compact(r *Result) {
	text, err := s.encoder.Encode(r.Record.Code)
	copied := &record.Record{}
	if err == nil && s.decoder.Decode(string(text), copied.Code) == nil {
		r.Record = copied
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		c.Name = strings.Clone(c.Name)
		if text, ok := c.New.(string); ok {
			c.New = strings.Clone(text)
		}
	}
}

// Share prepares the store for PutAt. caseAt returns the cases of a plan of n cases, counted from 0.
func (s *Store) Share(n int, caseAt func(i int) *Case) {
	s.places, s.caseAt, s.shared = make([]stored, n), caseAt, map[kind]*Result{}
}

// PutAt takes over the record of a result as Put does, and returns the result that a list of results must have at the
// position of its case. When the case passed or was skipped, the result is shared by all such cases of a scenario on
// a target: it has neither an id nor parameters. FullAt returns the case with both. Without Share no result is shared.
func (s *Store) PutAt(r *Result, i int) *Result {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.put(r)
	o := r.Outcome()
	if s.shared == nil || r.stored == nil || o != Passed && o != Skipped {
		return r
	}
	s.places[i] = *r.stored
	k := kind{r.Scenario, r.Script, r.Scheme, r.Platform, r.Profile, r.Arch, r.Record.Skipped, r.InjectsFaults,
		r.Record.Stats.Injected}
	one := s.shared[k]
	if one == nil {
		c := *r.Case
		c.ID, c.Params, c.KnownFailure = "", nil, ""
		one = &Result{Case: &c, Record: &record.Record{Skipped: r.Record.Skipped}, isShared: true}
		one.Record.Stats.Injected = r.Record.Stats.Injected
		s.shared[k] = one
	}
	return one
}

// kind is what the cases of a shared result have in common.
type kind struct {
	scenario, script, scheme, platform, profile, arch, skipped string

	injectsFaults bool
	injected      int
}

// outlineBytes bounds the texts of a record that results have in memory.
const outlineBytes = 64 << 10

// outline returns the part of a record that results have in memory: what decides the outcome, and what reports for
// people say about it.
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

// SecondsAt returns how long the case at a position of the plan took. r is its result in the list of results. A nil
// Store has no shared results.
func (s *Store) SecondsAt(r *Result, i int) float64 {
	if r.isShared {
		return s.places[i].seconds
	}
	return r.Record.Seconds
}

// Full returns the result with its whole record. The result itself stays short. A nil Store returns results as they
// are.
func (s *Store) Full(r *Result) (*Result, error) {
	if s == nil || r.stored == nil {
		return r, nil
	}
	p, err := s.restore(r.stored)
	if err != nil {
		return nil, fmt.Errorf("the result of case %s cannot be restored: %w", r.ID, err)
	}
	full := *r
	full.Record, full.stored = p.Record, nil
	return &full, nil
}

// FullAt returns the result of the case at a position of the plan, with its whole record. r is its result in the list
// of results.
func (s *Store) FullAt(r *Result, i int) (*Result, error) {
	if !r.isShared {
		return s.Full(r)
	}
	c := s.caseAt(i)
	p, err := s.restore(&s.places[i])
	if err != nil {
		return nil, fmt.Errorf("the result of case %s cannot be restored: %w", c.ID, err)
	}
	return &Result{Case: c, Record: p.Record, Started: p.Started, HistoryMissing: p.HistoryMissing}, nil
}

// largeRecord is the number of bytes from which a record is large.
const largeRecord = 1 << 20

// IsLarge reports whether the whole record of the case at a position of the plan takes much memory.
func (s *Store) IsLarge(r *Result, i int) bool {
	at := r.stored
	if r.isShared {
		at = &s.places[i]
	}
	return at != nil && at.size >= largeRecord
}

// RecordAt returns the whole record of the case at a position of the plan, as FullAt does, without the case.
func (s *Store) RecordAt(r *Result, i int) (*record.Record, error) {
	at := r.stored
	if r.isShared {
		at = &s.places[i]
	}
	if s == nil || at == nil {
		return r.Record, nil
	}
	p, err := s.restore(at)
	if err != nil {
		return nil, fmt.Errorf("the result of case %d cannot be restored: %w", i+1, err)
	}
	return p.Record, nil
}

// restore reads what is stored of a result.
func (s *Store) restore(at *stored) (packed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := packed{Record: &record.Record{}}
	text, err := s.bytes.at(at.start, int(at.size))
	if err != nil {
		return p, err
	}
	return p, s.decoder.Decode(string(text), p.code)
}

// Close removes the file. Results that were stored cannot be restored after that.
func (s *Store) Close() error { return s.bytes.close() }
