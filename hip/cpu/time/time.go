// Package time is the model of a device's time: a row for each architecture. It is good for ratios and for queues:
// which of two ways is faster, and which work waits. It does not know a library's kernels, clocks or caches.
package time

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"roclua/hip/peak"
	"roclua/hip/routine"
)

// Row has the times and rates of a device by key.
type Row map[string]float64

// Key describes a value of a row.
type Key struct{ Name, Unit, About string }

// Keys are the keys of every row.
var Keys = []Key{
	{"launch", "s", "the host queues a kernel, a copy or a mark of an event, or chooses a kernel"},
	{"kernel", "s", "the least that a kernel or a copy takes"},
	{"step", "s", "a row or a column of a factorization, or a block of a triangular solution"},
	{"row", "s", "a row of a triangular solution, within a block"},
	{"wait", "s", "the host notices the end of its wait"},
	{"query", "s", "a query that is not ready, or a read of os.clock"},
	{"malloc", "s", "hipMalloc, in addition to its wait for the device"},
	{"free", "s", "hipFree, in addition to its wait for the device"},
	{"bandwidth", "B/s", "reads and writes of device memory"},
	{"upload", "B/s", "copies from the host"},
	{"download", "B/s", "copies to the host"},
	{"f64", "1/s", "operations on f64"},
	{"f32", "1/s", "operations on f32"},
	{"f16", "1/s", "operations on f16 and bf16"},
	{"i8", "1/s", "operations on i8"},
	{"efficiency", "", "the share of the rates that kernels reach"},
	{"at_once", "", "small kernels that run at the same time"},
}

// Names returns the names of the keys.
func Names() []string {
	var list []string
	for _, k := range Keys {
		list = append(list, k.Name)
	}
	return list
}

// chips are the devices of the architectures that have a row: package peak has their rates. Copies
// have the rate of the bus.
var chips = map[string]struct {
	name string
	bus  float64 // bytes in a second, each way
}{
	"gfx90a":  {"AMD Instinct MI210", 32e9},
	"gfx942":  {"AMD Instinct MI300X", 64e9},
	"gfx1100": {"AMD Radeon RX 7900 XTX", 32e9},
	"sm_90":   {"NVIDIA H200", 64e9},
}

// defaultArch has the row of architectures without one.
const defaultArch = "gfx90a"

// estimates are the values that data sheets do not have. They are typical of programs that use HIP, and measured on no
// device, except row, and the launches of WorkOf, which were chosen with the times of an H200.
var estimates = Row{"launch": 5e-6, "kernel": 4e-6, "step": 2e-6, "row": 1e-7, "wait": 5e-6, "query": 1e-6,
	"malloc": 100e-6, "free": 100e-6, "efficiency": 0.8, "at_once": 1}

// Of returns the row of an architecture with some values replaced, and where its values are from.
func Of(arch string, replaced Row) (r Row, source string) {
	chip, ok := chips[arch]
	if !ok {
		chip = chips[defaultArch]
	}
	p := peak.Of(chip.name)
	r = maps.Clone(estimates)
	maps.Copy(r, Row{"bandwidth": p.Bytes(), "upload": chip.bus, "download": chip.bus,
		"f64": p.Flops(routine.DatatypeF64), "f32": p.Flops(routine.DatatypeF32), "f16": p.Flops(routine.DatatypeF16),
		"i8": p.Flops(routine.DatatypeI8)})
	maps.Copy(r, replaced)
	return r, "rates: " + p.Source + "; copies: its bus; other times: estimates"
}

// Check returns an error if a value of a key is not possible. The key is known.
func Check(key string, value float64) error {
	switch {
	case !(value > 0) || math.IsInf(value, 1):
		return fmt.Errorf("%s = %g, must be more than 0: %s", key, value, about(key))
	case key == "efficiency" && value > 1:
		return fmt.Errorf("%s = %g, must be at most 1: %s", key, value, about(key))
	case key == "at_once" && (value != math.Trunc(value) || value > 1024):
		return fmt.Errorf("%s = %g, must be an integer of at most 1024: %s", key, value, about(key))
	}
	return nil
}

func about(key string) string {
	k := Keys[slices.IndexFunc(Keys, func(k Key) bool { return k.Name == key })]
	if k.Unit != "" {
		return fmt.Sprintf("%s, in %s", k.About, k.Unit)
	}
	return k.About
}

// Model is a row that is ready for use.
type Model struct {
	Launch, Kernel, Wait, Query, Malloc, Free time.Duration
	AtOnce                                    int
	step, row, bandwidth, upload, download    float64
	rates                                     map[int64]float64 // by datatype of real numbers
	usual                                     float64           // of other datatypes
}

// Model returns the model of a row.
func (r Row) Model() *Model {
	share := r["efficiency"]
	f16 := r["f16"] * share
	return &Model{Launch: seconds(r["launch"]), Kernel: seconds(r["kernel"]), Wait: seconds(r["wait"]),
		Query: seconds(r["query"]), Malloc: seconds(r["malloc"]), Free: seconds(r["free"]), AtOnce: int(r["at_once"]),
		step: r["step"], row: r["row"], bandwidth: r["bandwidth"] * share, upload: r["upload"], download: r["download"],
		rates: map[int64]float64{routine.DatatypeF64: r["f64"] * share, routine.DatatypeF32: r["f32"] * share,
			routine.DatatypeF16: f16, routine.DatatypeBF16: f16, routine.DatatypeI8: r["i8"] * share},
		usual: r["f32"] * share}
}

// seconds converts seconds. Work that takes time takes at least a nanosecond.
func seconds(s float64) time.Duration {
	return time.Duration(max(1, min(s*float64(time.Second), math.MaxInt64/4)))
}

// Work is the work of a call on the host and its device.
type Work struct {
	Operations, Bytes float64 // Bytes are read or written
	Datatype          int64   // of the operations
	Launches          float64 // that the host makes, or as long as it takes to choose a kernel
	Steps             float64 // parts that all threads of the device finish before the next one
	Rows              float64 // rows of triangles, which one group of threads handles one after another
}

// triangleBlock is the order of the blocks on the diagonal that trsv solves with one group of threads each:
// ROCBLAS_SDCTRSV_NB of rocblas_block_sizes.h. Double complex has 32.
const triangleBlock = 64

// WorkOf returns the work of a call that reads and writes a number of bytes. A factorization takes a step for each row
// or column, and a solution with a triangle one for each block on the diagonal. A product and a solution choose a
// kernel, which takes as long as a launch; trsv has one kernel.
func WorkOf(a *routine.Args, bytes float64) Work {
	w := Work{Operations: a.Operations(), Bytes: bytes, Datatype: a.Operands(), Launches: 1}
	m, n := float64(max(0, a.Int(routine.M))), float64(max(0, a.Int(routine.N)))
	f := a.Routine.Family
	switch {
	case a.Routine.IsProduct():
		w.Launches = 2
	case a.Routine.Library != routine.RocSOLVER || f.Factored:
	case m > 0:
		w.Steps = min(m, n)
	default:
		w.Steps = n
	}
	if f.Triangles == 0 {
		return w
	}
	order, count := n, float64(f.Triangles)
	if a.Int(routine.Side) == routine.SideLeft {
		order = m
	}
	if f.Level != 2 { // level 2 has one kernel
		w.Launches += 2 * count
	}
	w.Steps += count * math.Ceil(order/triangleBlock)
	w.Rows = count * order
	return w
}

// Host returns how long the host takes for a call in addition to a launch.
func (m *Model) Host(w Work) time.Duration {
	return time.Duration((w.Launches - 1) * float64(m.Launch))
}

// Call returns how long the device takes: the least time, the sequential work, and the longer one of the times for the
// operations and for the bytes.
func (m *Model) Call(w Work) time.Duration {
	rate, ok := m.rates[routine.RealOf(w.Datatype)]
	if !ok {
		rate = m.usual
	}
	return m.Kernel + time.Duration(1e9*min(1e9, w.Steps*m.step+w.Rows*m.row+
		max(w.Operations/rate, w.Bytes/m.bandwidth)))
}

// Bytes returns how long the device takes to read and write a number of bytes of its memory.
func (m *Model) Bytes(n uint64) time.Duration { return m.move(n, m.bandwidth) }

// Upload and Download return how long a copy takes from and to the host.
func (m *Model) Upload(n uint64) time.Duration   { return m.move(n, m.upload) }
func (m *Model) Download(n uint64) time.Duration { return m.move(n, m.download) }

func (m *Model) move(n uint64, rate float64) time.Duration {
	return m.Kernel + time.Duration(1e9*min(1e9, float64(n)/rate))
}
