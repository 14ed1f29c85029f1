package recording

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"roclua/input"
)

// File is an open recording.
type File struct {
	Process  Process
	Totals   Totals
	Problems []string // missing and unreadable parts; complete when all calls were read

	version uint32
	data    io.ReaderAt
	closer  io.Closer
	slots   [][]chunk
}

// chunk is a chunk of a file by its header.
type chunk struct {
	offset, used int64
	number       uint32 // in its slot
	thread       int    // of the first call
	clock        uint64
	running      []running
}

// running is a call that has not ended, in the header of a chunk.
type running struct {
	number uint32 // of the function
	Running
}

// ErrFormat is the error of a file that is not a recording.
var ErrFormat = errors.New("is not a recording of roclua record")

// Is reports whether a file begins as a recording does.
func Is(begin []byte) bool { return strings.HasPrefix(string(begin), Magic) }

// IsFile reports whether a file is a recording, by its first bytes.
func IsFile(name string) bool {
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	begin := make([]byte, len(Magic))
	n, _ := io.ReadFull(f, begin)
	return Is(begin[:n])
}

// Digest identifies the contents of a file.
func Digest(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return h.Sum(nil), err
}

// Open opens a recording. Damaged parts are left out, and described in Problems.
func Open(name string) (*File, error) {
	file, err := input.Open(name, input.Calls)
	if err != nil {
		return nil, err
	}
	f, err := New(file, file.Size())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	f.closer = file
	return f, nil
}

// New reads the header of a recording and finds its chunks.
func New(data io.ReaderAt, size int64) (*File, error) {
	header := make([]byte, min(size, HeaderBytes))
	if _, err := data.ReadAt(header, 0); err != nil && err != io.EOF {
		return nil, err
	}
	if !Is(header) || len(header) < FactsOffset {
		return nil, ErrFormat
	}
	f := &File{data: data, Process: process(header)}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(header[at:]) }
	if f.version = u32(16); f.version == 0 || f.version > Version {
		return nil, fmt.Errorf("is a recording in version %d of the format; this program reads the versions 1 to %d",
			f.version, Version)
	}
	if u32(20) != HeaderBytes || u32(24) != ChunkBytes {
		return nil, fmt.Errorf("has a damaged header: parts of %d and %d bytes, want %d and %d", u32(20), u32(24),
			HeaderBytes, ChunkBytes)
	}
	if names := f.Process.Unknown(); names != nil {
		f.Problems = append(f.Problems, "the program uses functions that record does not know, whose effects are "+
			"missing: "+strings.Join(names, ", "))
	}
	return f, f.findChunks(size)
}

func process(header []byte) Process {
	u32 := func(at int) int { return int(binary.LittleEndian.Uint32(header[at:])) }
	p := Process{PID: u32(28), Parent: u32(32), Facts: map[string]string{}}
	p.Ended, p.DiskFull = u32(36)&FlagEnded != 0, u32(36)&FlagDiskFull != 0
	p.FactsFull = u32(36)&FlagFacts != 0
	p.clock = binary.LittleEndian.Uint64(header[40:])
	p.Start = time.Unix(0, int64(binary.LittleEndian.Uint64(header[48:])))
	facts := header[FactsOffset:]
	for line := range strings.Lines(string(facts[:min(u32(56), len(facts))])) {
		if name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok {
			p.Facts[name] = value
		}
	}
	return p
}

func (f *File) findChunks(size int64) error {
	if size < HeaderBytes {
		f.problem(size, "the file is cut")
	}
	slots := map[uint32][]chunk{}
	header := make([]byte, f.chunkHeader())
	empty := make([]byte, len(header))
	for offset := int64(HeaderBytes); offset < size; offset += ChunkBytes {
		if _, err := f.data.ReadAt(header, offset); err != nil {
			if err != io.EOF {
				return err
			}
			f.problem(offset, "the file is cut")
			break
		}
		if bytes.Equal(header, empty) {
			continue // allocated, and not yet used
		}
		u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(header[at:]) }
		used := int64(u32(4))
		if string(header[:4]) != ChunkMagic || used < int64(len(header)) || used > ChunkBytes {
			f.problem(offset, "a part of 64 KiB is damaged")
			continue
		}
		if offset+used > size {
			f.problem(offset, "the file is cut")
			used = size - offset
		}
		f.Totals.Calls += int(u32(32))
		f.Totals.Handles += int(u32(36))
		f.Totals.Growths += int(u32(40))
		slots[u32(20)] = append(slots[u32(20)], chunk{offset, used, u32(16), int(u32(8)),
			binary.LittleEndian.Uint64(header[24:]), f.runningIn(header)})
	}
	for _, list := range slots {
		slices.SortStableFunc(list, func(a, b chunk) int { return int(int64(a.number) - int64(b.number)) })
		f.slots = append(f.slots, list)
	}
	slices.SortFunc(f.slots, func(a, b []chunk) int { return int(a[0].offset - b[0].offset) })
	return nil
}

// chunkHeader returns the bytes of the header of a chunk.
func (f *File) chunkHeader() int {
	if f.version == 1 {
		return RunningOffset
	}
	return ChunkHeader
}

// runningIn returns the calls that have not ended in the header of a chunk. Of each slot the last chunk has them.
func (f *File) runningIn(header []byte) (list []running) {
	for depth := 0; f.version > 1 && depth < MostRunning; depth++ {
		entry := header[RunningOffset+8+16*depth:]
		number := binary.LittleEndian.Uint32(entry)
		if number == 0 {
			break
		}
		list = append(list, running{number - 1, Running{Thread: int(binary.LittleEndian.Uint32(header[RunningOffset:])),
			Handle: int(binary.LittleEndian.Uint32(entry[4:])), Depth: depth,
			Start: f.since(binary.LittleEndian.Uint64(entry[8:]))}})
	}
	return list
}

// Running returns the calls that had not ended when the recording ended, by thread and depth. Version 1 has none.
func (f *File) Running() (list []*Running) {
	for _, chunks := range f.slots {
		last := chunks[len(chunks)-1]
		if last.running == nil {
			continue
		}
		d := f.decoder(last)
		for _, _, more := d.call(); more; _, _, more = d.call() {
		}
		for _, r := range last.running {
			if r.Function = d.functions[uint64(r.number)]; r.Function != nil {
				list = append(list, &r.Running)
			}
		}
	}
	return list
}

// problem describes an unreadable part, and its place. Each reader of the file finds the problems again. Of many
// problems the first ones are kept.
func (f *File) problem(offset int64, problem string) {
	const most = 20
	text := fmt.Sprintf("at byte %d: %s", offset, problem)
	if slices.Contains(f.Problems, text) {
		return
	}
	if len(f.Problems) < most {
		f.Problems = append(f.Problems, text)
	} else if len(f.Problems) == most {
		f.Problems = append(f.Problems, "and more")
	}
}

// Close closes the file.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}
