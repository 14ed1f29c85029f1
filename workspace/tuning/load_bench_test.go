//go:build unix

package tuning

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"roclua/tests/busy"
)

// slowestType returns the processor time of the file of a type that takes longest.
func slowestType(b *testing.B, folder, arch string) (most time.Duration) {
	l, err := OpenPath(folder, arch)
	if err != nil {
		b.Fatal(err)
	}
	types, _ := filepath.Glob(filepath.Join(folder, "TensileLibrary_Type_*_"+arch+".dat"))
	for _, file := range types {
		begin := busy.Time()
		if _, err := l.read(strings.TrimSuffix(filepath.Base(file), extension)); err != nil {
			b.Fatal(err)
		}
		most = max(most, busy.Time()-begin)
	}
	return most
}

// architecturesOf lists the architectures of the tuning files that ROCLUA_TUNING names.
func architecturesOf(b *testing.B) []string {
	archs := Architectures(os.DirFS(os.Getenv("ROCLUA_TUNING")))
	if len(archs) == 0 {
		b.Skip("ROCLUA_TUNING names no folder of tuning files")
	}
	return archs
}

// BenchmarkLoad loads the tuning files of a folder that ROCLUA_TUNING names: all of each architecture, and the file of
// a type that takes longest.
func BenchmarkLoad(b *testing.B) {
	folder := os.Getenv("ROCLUA_TUNING")
	for _, arch := range architecturesOf(b) {
		b.Run(arch, func(b *testing.B) {
			begin := busy.Time()
			for b.Loop() {
				l, err := OpenPath(folder, arch)
				if err != nil {
					b.Fatal(err)
				}
				if err := l.Load(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric((busy.Time()-begin).Seconds()/float64(b.N), "processor-s/op")
			b.ReportMetric(slowestType(b, folder, arch).Seconds(), "processor-s/type")
		})
	}
}

// tables are the kinds of tables that have an entry for every size.
var tables = []struct {
	name string
	of   func(node) *table // nil if the node is not of this kind
}{
	{"nearest", func(n node) *table { t, _ := n.(*nearestTable); return (*table)(t) }},
	{"grid", func(n node) *table { t, _ := n.(*gridTable); return (*table)(t) }},
}

// largest returns the table of a kind with the most entries in a library, its number of entries and its file.
func largest(n node, file string, of func(node) *table) (most node, entries int, in string) {
	if t := of(n); t != nil {
		return n, len(t.nodes), file
	}
	below := func(n node, file string) {
		if other, count, of := largest(n, file, of); count > entries {
			most, entries, in = other, count, of
		}
	}
	switch n := n.(type) {
	case rows:
		for _, r := range n {
			below(r.node, file)
		}
	case operations:
		for _, other := range n {
			below(other, file)
		}
	case *placeholder:
		below(n.node, n.name)
	}
	return most, entries, in
}

// BenchmarkLargestTable chooses kernels for random products in the largest tables of each architecture of the files
// that ROCLUA_TUNING names, alone: for products with types and an operation that its kernels compute.
func BenchmarkLargestTable(b *testing.B) {
	for _, arch := range architecturesOf(b) {
		l, err := OpenPath(os.Getenv("ROCLUA_TUNING"), arch)
		if err == nil {
			err = l.Load()
		}
		if err != nil {
			b.Fatal(err)
		}
		for _, kind := range tables {
			b.Run(arch+"/"+kind.name, func(b *testing.B) {
				n, entries, file := largest(l.root, "", kind.of)
				if n == nil {
					b.Skip("no table of this kind")
				}
				slowest, most := chooseIn(b, n, &Device{Arch: arch, ComputeUnits: 104})
				b.Logf("%s: %d entries; %s for %+v", file, entries, most, slowest)
			})
		}
	}
}

// chooseIn chooses kernels of a library and returns the product that took longest.
func chooseIn(b *testing.B, n node, d *Device) (slowest Problem, most time.Duration) {
	choose := func(p *Problem) (*Kernel, time.Duration) {
		start := time.Now()
		k := n.choose(&query{Problem: p, operation: p.Operation(), device: d})
		return k, time.Since(start)
	}
	like := accepted(b, func(p *Problem) bool { k, _ := choose(p); return k != nil })
	r := rand.New(rand.NewPCG(1, 2))
	var times []time.Duration
	for b.Loop() {
		p := like
		p.M, p.N, p.K = 1+r.Uint64N(1<<r.IntN(16)), 1+r.Uint64N(1<<r.IntN(16)), 1+r.Uint64N(1<<r.IntN(17))
		p.Free = []uint64{NoLimit, 64, r.Uint64N(64 << 20)}[r.IntN(3)]
		if r.IntN(8) == 0 {
			p.A.LD = 1 << (19 + r.IntN(12)) // beyond the offsets of some kernels, or of all
		}
		least := time.Hour
		for range 10 { // other processes interrupt some
			_, took := choose(&p)
			if least = min(least, took); least < 50*time.Microsecond {
				break
			}
		}
		times = append(times, least)
		if least > most {
			slowest, most = p, least
		}
	}
	slices.Sort(times)
	b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "median-ns")
	b.ReportMetric(float64(times[len(times)*99/100].Nanoseconds()), "99%-ns")
	b.ReportMetric(float64(times[len(times)-1].Nanoseconds()), "max-ns")
	return slowest, most
}

// accepted returns a product of types and an operation for which there is a kernel.
func accepted(b *testing.B, has func(*Problem) bool) Problem {
	for _, of := range []Type{Half, BFloat16, Float, Double, ComplexFloat, ComplexDouble, Int8} {
		for _, compute := range []Type{of, Float, Int32} {
			for _, operation := range []string{"NN", "NT", "TN", "TT", "NC", "CN", "CC"} {
				p := square(512, 512, 512)
				p.TransA, p.TransB, p.Compute = operation[0], operation[1], compute
				for _, m := range []*Matrix{&p.A, &p.B, &p.C, &p.D} {
					m.Type = of
				}
				if has(p) {
					return *p
				}
			}
		}
	}
	b.Skip("no product has a kernel in the table")
	return Problem{}
}
