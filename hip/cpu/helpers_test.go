package cpu

import (
	"fmt"
	"testing"

	"roclua/hip/cpu/kernel"
	"roclua/hip/driver"
	"roclua/hip/routine"
)

// bench is an open runtime with kernels and call sites that the test chooses.
type bench struct {
	*testing.T
	rt  *runtime
	dev *device
	at  int // the call site, as a number

	blocks []driver.Ptr // of malloc
}

func open(t *testing.T, cfg driver.Config) *bench {
	t.Helper()
	cfg.RealTime = true // tests hold kernels, and observe that they run
	rt, err := Driver{}.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, rt: rt.(*runtime)}
	b.dev = b.rt.devices[0]
	b.rt.SetLocator(func() driver.Site { return driver.Site{Call: "call", Origin: fmt.Sprint(b.at)} })
	t.Cleanup(func() { b.ok(rt.Close()) })
	return b
}

func (b *bench) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

func (b *bench) code(err error, want driver.Error) {
	b.Helper()
	if have := driver.CodeOf(err); have != want {
		b.Errorf("have %v, want %v (%v)", have, want, err)
	}
}

func (b *bench) malloc(n uint64) driver.Ptr {
	b.Helper()
	p, err := b.dev.Malloc(n)
	b.ok(err)
	b.blocks = append(b.blocks, p)
	return p
}

func (b *bench) stream(nonBlocking bool) driver.Stream {
	b.Helper()
	s, err := b.dev.NewStream(nonBlocking)
	b.ok(err)
	return s
}

// write puts values into device memory and waits.
func (b *bench) write(p driver.Ptr, data []byte) {
	b.Helper()
	b.ok(b.dev.Write(b.dev.null, p, data, driver.Row(uint64(len(data)))))
	b.ok(b.dev.null.Synchronize())
}

func (b *bench) read(p driver.Ptr, n int) []byte {
	b.Helper()
	data := make([]byte, n)
	b.ok(b.dev.Read(b.dev.null, data, p, driver.Row(uint64(len(data)))))
	b.ok(b.dev.null.Synchronize())
	return data
}

// launch returns a routine call with its arguments by slot. Alpha and beta are 1.
func (b *bench) launch(cName string, values map[routine.Slot]int64) *driver.Launch {
	b.Helper()
	r, ok := routine.Lookup(cName)
	if !ok {
		b.Fatalf("no routine %s", cName)
	}
	a := r.New()
	for s, v := range values {
		a.SetInt(s, v)
	}
	for _, s := range []routine.Slot{routine.Alpha, routine.Beta} {
		if r.Has(s) {
			a.SetScalar(s, 1)
		}
	}
	return &driver.Launch{Args: a}
}

// asum returns a launch that reads n doubles at x.
func (b *bench) asum(x driver.Ptr, n int64) *driver.Launch {
	b.Helper()
	return b.launch("rocblas_dasum", map[routine.Slot]int64{routine.N: n, routine.IncX: 1, routine.X: int64(x),
		routine.Result: routine.Host})
}

// trsv returns a launch that overwrites n doubles at x and reads a matrix at a.
func (b *bench) trsv(a, x driver.Ptr, n int64) *driver.Launch {
	b.Helper()
	return b.launch("rocblas_dtrsv", map[routine.Slot]int64{routine.Uplo: routine.FillUpper, routine.N: n,
		routine.LDA: n, routine.IncX: 1,
		routine.A: int64(a), routine.X: int64(x)})
}

// replaceKernels replaces all kernels, which their streams run, however small they are.
func (b *bench) replaceKernels(run func(*driver.Launch, kernel.Memory) error) {
	b.rt.briefWork, b.rt.execute = 0, run
}

// hold makes kernels wait until the returned function is called.
func (b *bench) hold() (release func()) {
	gate := make(chan struct{})
	b.replaceKernels(func(*driver.Launch, kernel.Memory) error { <-gate; return nil })
	return func() { close(gate) }
}
