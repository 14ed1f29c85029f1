package result

import (
	"errors"
	"fmt"
	"os"
)

// spill is bytes: the last ones are in memory, the others in a temporary file. The zero value is empty.
type spill struct {
	memory []byte
	file   *os.File // nil until the memory was full
	inFile int64    // bytes of the file, before those in memory
	failed error    // the file cannot be written

	block   []byte // bytes of the file that were read together
	blockAt int64
}

const (
	// inMemory is the number of bytes that a spill keeps in memory.
	inMemory = 4 << 20

	// readTogether is the number of bytes that are read from the file at once, as far as there are so many.
	readTogether = 64 << 10
)

// add appends bytes and returns their position.
func (s *spill) add(text []byte) (int64, error) {
	if len(s.memory) > 0 && len(s.memory)+len(text) > inMemory {
		if err := s.flush(s.memory); err != nil {
			return 0, err
		}
		s.memory = s.memory[:0]
	}
	start := s.inFile + int64(len(s.memory))
	if len(text) > inMemory {
		return start, s.flush(text)
	}
	s.memory = append(s.memory, text...)
	return start, nil
}

// flush appends bytes to the file. After an error it is not tried again.
func (s *spill) flush(text []byte) error {
	if s.file == nil && s.failed == nil {
		if s.file, s.failed = os.CreateTemp("", "roclua-results-*"); s.failed == nil {
			os.Remove(s.file.Name()) // it stays until it is closed, on systems that allow this
		}
	}
	if s.failed != nil {
		return s.failed
	}
	if n, err := s.file.WriteAt(text, s.inFile); err != nil || n < len(text) {
		s.failed = errors.Join(err, errors.New("the temporary file of results cannot be written"))
		return s.failed
	}
	s.inFile += int64(len(text))
	return nil
}

// at returns bytes at a position that add has returned. They are valid until the next call of at or add.
func (s *spill) at(start int64, size int) ([]byte, error) {
	if start >= s.inFile {
		return s.memory[start-s.inFile:][:size], nil
	}
	if from := start - s.blockAt; from < 0 || from+int64(size) > int64(len(s.block)) {
		if err := s.read(start, size); err != nil {
			return nil, fmt.Errorf("the temporary file of results cannot be read: %w", err)
		}
	}
	return s.block[start-s.blockAt:][:size], nil
}

// read reads a block that begins at a position of the file, of at least size bytes.
func (s *spill) read(start int64, size int) error {
	length := int(min(int64(max(size, readTogether)), s.inFile-start))
	if cap(s.block) < length || cap(s.block) > readTogether {
		s.block = make([]byte, length)
	}
	s.block, s.blockAt = s.block[:length], start
	n, err := s.file.ReadAt(s.block, start)
	if n < length {
		s.block = s.block[:0]
		return err
	}
	return nil
}

// close removes the file.
func (s *spill) close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	os.Remove(s.file.Name())
	s.block = s.block[:0]
	return err
}
