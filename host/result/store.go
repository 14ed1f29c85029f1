package result

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/maphash"
	"math"
	"os"
	"sync"
	"time"

	"roclua/luabind"
)

// Store keeps the records of results outside of the results, so that a run of many cases or of large logs needs little
// memory: the first inMemory bytes in memory, the others in a temporary file. The zero value is ready to use.
type Store struct {
	mu      sync.Mutex
	memory  []byte
	file    *os.File // nil until the memory is full
	end     int64    // bytes of the file
	packed  bytes.Buffer
	encoder *gob.Encoder
	reading bytes.Buffer
	decoder *gob.Decoder

	caseAt func(i int) *Case
	shared map[kind]*Result
	places []stored // of the shared results, by the positions of their cases
}

// inMemory is the number of bytes that a Store keeps in memory.
const inMemory = 4 << 20

// stored is where the record of a result is.
type stored struct {
	start   int64
	seconds float64
	log     uint64 // LogDigest of the result
	size    uint32
	inFile  bool
}

// packed is what is stored of a result.
type packed struct {
	Record         *luabind.Record
	Started        time.Time
	HistoryMissing bool
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
	text, err := s.encode(packed{r.Record, r.Started, r.HistoryMissing})
	if err == nil {
		err = s.write(text, &at)
	}
	if err != nil {
		return
	}
	r.stored, r.Record = &at, outline(r.Record)
}

// Share prepares the store for PutAt. caseAt returns the cases of a plan of n cases, counted from 0.
func (s *Store) Share(n int, caseAt func(i int) *Case) {
	s.places, s.caseAt, s.shared = make([]stored, n), caseAt, map[kind]*Result{}
}

// PutAt takes over the record of a result as Put does, and returns the result that a list of results must have at the
// position of its case. When the case passed or was skipped, the result is shared by all such cases of a scenario on
// a target: it has neither an id nor parameters. FullAt returns that of the case. Without Share no result is shared.
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
		one = &Result{Case: &c, Record: &luabind.Record{Skipped: r.Record.Skipped}, isShared: true}
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

// outline returns the part of a record that results have in memory.
func outline(r *luabind.Record) *luabind.Record {
	short := &luabind.Record{Skipped: r.Skipped, End: r.End, Problems: r.Problems, Seconds: r.Seconds,
		Faults: r.Faults, Required: r.Required}
	short.Stats.Injected = r.Stats.Injected
	for _, c := range r.Checks {
		if !c.Passed {
			short.Checks = append(short.Checks, c)
		}
	}
	return short
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

// encode returns a result as bytes. The descriptions of the types are not part of them: the first one that the
// encoder and the decoder see is empty, and has all of them.
func (s *Store) encode(r packed) ([]byte, error) {
	if s.encoder == nil {
		s.encoder, s.decoder = gob.NewEncoder(&s.packed), gob.NewDecoder(&s.reading)
		if err := s.encoder.Encode(packed{}); err != nil {
			return nil, err
		}
		s.reading.Write(s.packed.Bytes())
		if err := s.decoder.Decode(&packed{}); err != nil {
			return nil, err
		}
	}
	if s.packed.Cap() > inMemory {
		s.packed = bytes.Buffer{}
	}
	s.packed.Reset()
	err := s.encoder.Encode(r)
	return s.packed.Bytes(), err
}

// write adds bytes to the memory, or to the file.
func (s *Store) write(text []byte, at *stored) error {
	if len(text) > math.MaxUint32 {
		return errors.New("the record is too large")
	}
	at.size = uint32(len(text))
	if s.file == nil && len(s.memory)+len(text) <= inMemory {
		at.start = int64(len(s.memory))
		s.memory = append(s.memory, text...)
		return nil
	}
	if s.file == nil {
		file, err := os.CreateTemp("", "roclua-results-*")
		if err != nil {
			return err
		}
		os.Remove(file.Name()) // it stays until it is closed, on systems that allow this
		s.file = file
	}
	if n, err := s.file.WriteAt(text, s.end); err != nil || n < len(text) {
		return errors.Join(err, errors.New("the temporary file of results cannot be written"))
	}
	at.inFile, at.start = true, s.end
	s.end += int64(len(text))
	return nil
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

// restore reads what is stored of a result.
func (s *Store) restore(at *stored) (packed, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := packed{Record: &luabind.Record{}}
	s.reading.Reset()
	if at.inFile {
		text := make([]byte, at.size)
		if _, err := s.file.ReadAt(text, at.start); err != nil {
			return p, fmt.Errorf("the temporary file of results cannot be read: %w", err)
		}
		s.reading = *bytes.NewBuffer(text)
	} else {
		s.reading.Write(s.memory[at.start:][:at.size])
	}
	err := s.decoder.Decode(&p)
	if s.reading.Cap() > inMemory {
		s.reading = bytes.Buffer{}
	}
	return p, err
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
