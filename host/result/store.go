package result

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/maphash"
	"os"
	"sync"

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
}

// inMemory is the number of bytes that a Store keeps in memory.
const inMemory = 4 << 20

// stored is where the record of a result is.
type stored struct {
	inFile bool
	start  int64
	size   int
	log    uint64 // LogDigest of the result
}

// Put takes over the record of a result, and leaves what decides the outcome: how the case ended, and what failed; and
// the required files. When there is no space for the record, the result keeps all of it.
func (s *Store) Put(r *Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.stored != nil {
		return
	}
	at := stored{log: r.LogDigest()}
	text, err := s.encode(r.Record)
	if err == nil {
		err = s.write(text, &at)
	}
	if err != nil {
		return
	}
	r.stored, r.Record = &at, outline(r.Record)
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

// encode returns a record as bytes. The descriptions of the types are not part of them: the first record that the
// encoder and the decoder see is empty, and has all of them.
func (s *Store) encode(r *luabind.Record) ([]byte, error) {
	if s.encoder == nil {
		s.encoder, s.decoder = gob.NewEncoder(&s.packed), gob.NewDecoder(&s.reading)
		if err := s.encoder.Encode(luabind.Record{}); err != nil {
			return nil, err
		}
		s.reading.Write(s.packed.Bytes())
		if err := s.decoder.Decode(&luabind.Record{}); err != nil {
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
	at.size = len(text)
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
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reading.Reset()
	if r.stored.inFile {
		text := make([]byte, r.stored.size)
		if _, err := s.file.ReadAt(text, r.stored.start); err != nil {
			return nil, fmt.Errorf("the temporary file of results cannot be read: %w", err)
		}
		s.reading = *bytes.NewBuffer(text)
	} else {
		s.reading.Write(s.memory[r.stored.start:][:r.stored.size])
	}
	full := *r
	full.Record, full.stored = &luabind.Record{}, nil
	if err := s.decoder.Decode(full.Record); err != nil {
		return nil, fmt.Errorf("the result of case %s cannot be restored: %w", r.ID, err)
	}
	if s.reading.Cap() > inMemory {
		s.reading = bytes.Buffer{}
	}
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
