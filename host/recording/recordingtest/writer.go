// Package recordingtest writes recordings for tests.
package recordingtest

import (
	"encoding/binary"
	"math"

	"roclua/hip/function"
	"roclua/host/recording"
)

// Writer makes a recording in memory. The zero value is ready to use.
type Writer struct {
	Process recording.Process // PID, Parent, Start, Ended, DiskFull and Facts are written

	threads map[int]*thread
	chunks  [][]byte
}

// thread is the state of a thread: its chunk, and what the chunk has.
type thread struct {
	chunk     int // in Writer.chunks
	number    uint32
	clock     uint64
	functions map[string]uint64
	shapes    map[string]uint64
	addresses map[uint64][]int64 // of the latest call of a shape
}

// Add adds a call and the calls inside it, which end before it. The fields of a recording are used as a reader returns
// them.
func (w *Writer) Add(call *recording.Call) { w.add(call, 0) }

func (w *Writer) add(call *recording.Call, depth uint64) {
	for _, inner := range call.Inside {
		w.add(inner, depth+1)
	}
	t := w.thread(call.Thread)
	place := w.shape(t, call)
	end := uint64(call.End)
	body := binary.AppendUvarint(nil, place)
	for _, v := range []uint64{depth, end - t.clock, uint64(call.End - call.Start), zigzag(int64(call.Status))} {
		body = binary.AppendUvarint(body, v)
	}
	body = append(body, t.changed(place, call.Args)...)
	for _, v := range call.Results {
		body = binary.AppendUvarint(body, v)
	}
	if call.Waits > 0 || call.Copies > 0 {
		body = binary.AppendUvarint(binary.AppendUvarint(body, uint64(call.Waits)), uint64(call.Copies))
	}
	t.clock = end
	w.record(t, recording.CallRecord, body)
	if call.Name == "rocblas_create_handle" && call.Status == 0 {
		w.count(t, 36)
	}
}

// changed returns the addresses that are not the ones of the previous call of a shape.
func (t *thread) changed(place uint64, args []recording.Value) []byte {
	var mask uint64
	var list, differences []byte
	var latest []int64
	for _, v := range args {
		if v.Letter != function.Address {
			continue
		}
		before := int64(0)
		if n := len(latest); n < len(t.addresses[place]) {
			before = t.addresses[place][n]
		}
		if v.Int != before {
			mask |= 1 << len(latest)
			differences = binary.AppendUvarint(differences, zigzag(v.Int-before))
		}
		latest = append(latest, v.Int)
	}
	if t.addresses[place] = latest; latest != nil {
		list = binary.AppendUvarint(list, mask)
	}
	return append(list, differences...)
}

// count adds one to a number in the header of a thread's chunk.
func (w *Writer) count(t *thread, at int) {
	header := w.chunks[t.chunk]
	binary.LittleEndian.PutUint32(header[at:], binary.LittleEndian.Uint32(header[at:])+1)
}

// thread returns the state of a call's thread, with space in its chunk for a call with a new shape.
func (w *Writer) thread(number int) *thread {
	const space = 2048
	if w.threads == nil {
		w.threads = map[int]*thread{}
	}
	t := w.threads[number]
	switch {
	case t == nil:
		t = &thread{}
		w.threads[number] = t
	case len(w.chunks[t.chunk]) > recording.ChunkBytes-space:
		t.number++
	default:
		return t
	}
	header := append([]byte(recording.ChunkMagic), make([]byte, recording.ChunkHeader-4)...)
	for _, at := range []int{8, 12, 20, recording.RunningOffset} { // each thread has its own slot
		binary.LittleEndian.PutUint32(header[at:], uint32(number))
	}
	binary.LittleEndian.PutUint32(header[16:], t.number)
	binary.LittleEndian.PutUint64(header[24:], t.clock)
	t.chunk, t.functions, t.shapes = len(w.chunks), map[string]uint64{}, map[string]uint64{}
	t.addresses = map[uint64][]int64{}
	w.chunks = append(w.chunks, header)
	return t
}

// record adds a record and returns its place in the chunk.
func (w *Writer) record(t *thread, kind byte, body []byte) uint64 {
	chunk := w.chunks[t.chunk]
	place := len(chunk)
	chunk = binary.AppendUvarint(append(chunk, kind), uint64(len(body)))
	w.chunks[t.chunk] = append(chunk, body...)
	return uint64(place)
}

// Begin adds a call that does not end, after all calls that do. Begin a call before the calls inside it.
func (w *Writer) Begin(r *recording.Running) {
	t := w.thread(r.Thread)
	number := w.function(t, r.Function)
	entry := w.chunks[t.chunk][recording.RunningOffset+8+16*r.Depth:]
	binary.LittleEndian.PutUint32(entry, uint32(number)+1)
	binary.LittleEndian.PutUint32(entry[4:], uint32(r.Handle))
	binary.LittleEndian.PutUint64(entry[8:], uint64(r.Start))
}

// function returns the number of a function in a thread's chunk.
func (w *Writer) function(t *thread, f *recording.Function) uint64 {
	number, ok := t.functions[f.Name]
	if !ok {
		number = uint64(len(t.functions))
		t.functions[f.Name] = number
		body := binary.AppendUvarint(nil, number)
		w.record(t, recording.FunctionRecord, append(body, f.Signature+"\x00"+f.Name...))
	}
	return number
}

// shape returns the place of a call's shape.
func (w *Writer) shape(t *thread, call *recording.Call) uint64 {
	number := w.function(t, call.Function)
	var mask uint64
	bit, args := 0, []byte(nil)
	for _, v := range call.Args {
		if v.Letter.IsPointer() {
			if v.Null {
				mask |= 1 << bit
			}
			bit++
		}
		args = appendValue(args, &v)
	}
	var body []byte
	for _, v := range []uint64{number, uint64(call.Handle), uint64(call.Device), uint64(call.Stream), mask} {
		body = binary.AppendUvarint(body, v)
	}
	body = append(body, args...)
	place, ok := t.shapes[string(body)]
	if !ok {
		place = w.record(t, recording.ShapeRecord, body)
		t.shapes[string(body)] = place
	}
	return place
}

// appendValue appends the value of an argument.
func appendValue(to []byte, v *recording.Value) []byte {
	switch v.Letter {
	case function.Float:
		return binary.LittleEndian.AppendUint32(to, math.Float32bits(float32(v.Real)))
	case function.Double:
		return binary.LittleEndian.AppendUint64(to, math.Float64bits(v.Real))
	case function.Scalar:
		if v.Null {
			return to
		}
		if v.Int != 0 { // in device memory
			return binary.AppendUvarint(append(to, 255), zigzag(v.Int))
		}
		return append(append(to, byte(len(v.Scalar))), v.Scalar...)
	case function.Handle, function.Pointer, function.Address:
		return to
	}
	if v.Letter.IsResult() {
		return to
	}
	return binary.AppendUvarint(to, zigzag(v.Int))
}

func zigzag(v int64) uint64 { return uint64(v<<1) ^ uint64(v>>63) }

// Bytes returns the file.
func (w *Writer) Bytes() []byte {
	header := append([]byte(recording.Magic), make([]byte, recording.HeaderBytes-len(recording.Magic))...)
	var flags uint32
	if w.Process.Ended {
		flags |= recording.FlagEnded
	}
	if w.Process.DiskFull {
		flags |= recording.FlagDiskFull
	}
	facts := ""
	for name, value := range w.Process.Facts {
		facts += name + "=" + value + "\n"
	}
	for i, v := range []uint32{recording.Version, recording.HeaderBytes, recording.ChunkBytes, uint32(w.Process.PID),
		uint32(w.Process.Parent), flags} {
		binary.LittleEndian.PutUint32(header[16+4*i:], v)
	}
	binary.LittleEndian.PutUint64(header[48:], uint64(w.Process.Start.UnixNano()))
	binary.LittleEndian.PutUint32(header[56:], uint32(copy(header[recording.FactsOffset:], facts)))
	file := header
	for _, chunk := range w.chunks {
		whole := make([]byte, recording.ChunkBytes)
		copy(whole, chunk)
		binary.LittleEndian.PutUint32(whole[4:], uint32(len(chunk)))
		file = append(file, whole...)
	}
	return file
}
