package result

import (
	"bytes"
	"errors"
	"os"
	"testing"
)

// pattern returns bytes that depend on a seed.
func pattern(seed, size int) []byte {
	text := make([]byte, size)
	for i := range text {
		text[i] = byte(seed + i>>8*seed + i)
	}
	return text
}

// TestSpillFillsMemory adds bytes of known sizes: memory is used up to its bound, and written as a whole.
func TestSpillFillsMemory(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &spill{}
	defer s.close()
	type part struct {
		size   int
		start  int64
		inFile int64 // bytes of the file after it
	}
	parts := []part{{inMemory - 10, 0, 0}, {10, inMemory - 10, 0}, {1, inMemory, inMemory},
		{inMemory, inMemory + 1, inMemory + 1}, {inMemory + 1, 2*inMemory + 1, 3*inMemory + 2},
		{5, 3*inMemory + 2, 3*inMemory + 2}, {inMemory + 7, 3*inMemory + 7, 4*inMemory + 14},
		{0, 4*inMemory + 14, 4*inMemory + 14}, {100, 4*inMemory + 14, 4*inMemory + 14}}
	for i, p := range parts {
		start, err := s.add(pattern(i, p.size))
		if err != nil || start != p.start || s.inFile != p.inFile {
			t.Errorf("part %d: %v, at %d with %d bytes in the file, want %+v", i, err, start, s.inFile, p)
		}
	}
	for _, i := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 5, 6, 2, 1, 0, 4} {
		have, err := s.at(parts[i].start, parts[i].size)
		if err != nil || !bytes.Equal(have, pattern(i, parts[i].size)) {
			t.Errorf("part %d: %v, other bytes", i, err)
		}
	}
	if cap(s.block) > 2*inMemory {
		t.Errorf("%d bytes are kept of those that were read", cap(s.block))
	}
}

// TestSpillReadsTogether reads short parts one after the other. Few of them are read from the file.
func TestSpillReadsTogether(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &spill{}
	defer s.close()
	const parts, size = 2000, 5000
	for i := range parts {
		if _, err := s.add(pattern(i, size)); err != nil {
			t.Fatal(err)
		}
	}
	blocks := map[int64]bool{}
	for i := range parts {
		have, err := s.at(int64(i*size), size)
		if err != nil || !bytes.Equal(have, pattern(i, size)) {
			t.Fatalf("part %d: %v, other bytes", i, err)
		}
		blocks[s.blockAt] = true
	}
	if most := parts*size/(readTogether-size) + 1; len(blocks) > most {
		t.Errorf("%d blocks were read, want at most %d", len(blocks), most)
	}
}

// TestSpillWithoutSpace keeps what it has in memory when the file cannot be made, and reports that it cannot be read.
func TestSpillWithoutSpace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()+"/missing")
	s := &spill{}
	if _, err := s.add(pattern(1, inMemory)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := s.add([]byte("x")); !errors.Is(err, os.ErrNotExist) {
			t.Error(err)
		}
	}
	if have, err := s.at(0, inMemory); err != nil || !bytes.Equal(have, pattern(1, inMemory)) {
		t.Errorf("%v, other bytes", err)
	}
	t.Setenv("TMPDIR", t.TempDir())
	if _, err := s.add([]byte("x")); err == nil {
		t.Error("it was tried again")
	}
}

// TestSpillThatIsDamaged reports a file that is shorter than what was written.
func TestSpillThatIsDamaged(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := &spill{}
	defer s.close()
	for range 3 {
		if _, err := s.add(pattern(1, inMemory)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.file.Truncate(inMemory + 10); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		start  int64
		passes bool
	}{{0, true}, {inMemory, false}, {10, true}, {2 * inMemory, true}} {
		if _, err := s.at(test.start, inMemory-10); err == nil != test.passes {
			t.Errorf("at %d: %v", test.start, err)
		}
	}
}
