package matmul

import (
	"regexp"
	"strconv"
)

// Kernel is a kernel of hipBLASLt.
type Kernel struct {
	Index   int    // of the solution, in the files of an installation
	Name    string // "" if the library does not say it
	Bytes   uint64 // workspace that it wants
	Tile    [2]int // of D, by one group of threads; zeros if the name does not say it
	Split   int    // parts of the sum over k; 0 if the library decides them at the call
	StreamK bool   // groups of threads share the sums, as many as fit on the device
}

var (
	tilePattern   = regexp.MustCompile(`_MT(\d+)x(\d+)x`)
	splitPattern  = regexp.MustCompile(`_GSU(\d+)_`)
	streamPattern = regexp.MustCompile(`_SK[1-9]\d*_`)
)

// NewKernel returns a kernel, with what its name says.
func NewKernel(index int, name string, bytes uint64) *Kernel {
	k := &Kernel{Index: index, Name: name, Bytes: bytes, StreamK: streamPattern.MatchString(name)}
	if m := tilePattern.FindStringSubmatch(name); m != nil {
		k.Tile[0], _ = strconv.Atoi(m[1])
		k.Tile[1], _ = strconv.Atoi(m[2])
	}
	if m := splitPattern.FindStringSubmatch(name); m != nil && !k.StreamK {
		k.Split, _ = strconv.Atoi(m[1])
	}
	return k
}

// Groups returns the groups of threads of a product on a device; 0 if they are not known.
func (k *Kernel) Groups(p *Product, units int) uint64 {
	switch {
	case k.StreamK:
		return uint64(units)
	case k.Split == 0 || k.Tile[0] == 0 || k.Tile[1] == 0:
		return 0
	}
	tiles := func(size int64, of int) uint64 { return uint64((size + int64(of) - 1) / int64(of)) }
	return tiles(p.M, k.Tile[0]) * tiles(p.N, k.Tile[1]) * uint64(max(1, p.Batch)) * uint64(k.Split)
}
