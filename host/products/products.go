// Package products computes which kernels rocBLAS and hipBLASLt use for GEMMs, by the bytes that are
// free, for the command roclua gemm. For rocBLAS it reads tuning files, and needs neither rocBLAS nor a device; an
// installed hipBLASLt says it itself.
package products

import (
	"cmp"
	"fmt"
	"slices"

	"roclua/hip/matmul"
	"roclua/hip/routine"
	"roclua/workspace/footprint"
	"roclua/workspace/tuning"
)

// Shape is a GEMM.
type Shape struct {
	Text  string        `json:"call"`  // a short shape or a call, as it was given or logged
	Times int64         `json:"times"` // how often it is made
	Args  *routine.Args `json:"-"`

	Recorded string `json:"recorded,omitempty"` // the kernel that a tuning chose, as its file has it

	modes   footprint.Modes // of the handle
	product *matmul.Product // for hipBLASLt
	refused string          // why hipBLASLt does not compute it
}

// Kernel is a kernel, and the part of the device that a GEMM uses with it.
type Kernel struct {
	Name   string  `json:"name"`   // as the library has it
	Tile   [2]int  `json:"tile"`   // rows and columns that a group of threads computes; zeros if not known
	Split  int     `json:"split"`  // parts of the sum over k; 0 if the library decides them at the call
	Bytes  uint64  `json:"bytes"`  // workspace that it wants
	Groups uint64  `json:"groups"` // of threads; 0 if they are not known
	Waves  float64 `json:"waves"`  // groups for each compute unit

	StreamK bool `json:"stream_k,omitempty"` // groups share the sums, as many as fit on the device
}

// Product is the kernels of a shape on a target.
type Product struct {
	*Shape
	Best   *Kernel `json:"best" jsonschema:"nullable"` // with any number of bytes; null if there is none
	At     Kernels `json:"at,omitempty"`               // with each of the workspaces; null if the call fails
	Reason string  `json:"reason,omitempty"`           // why there is no kernel, or it is not known

	Tuned  *Kernel `json:"tuned,omitempty"`  // the recorded one, in the files of the release
	Looked string  `json:"looked,omitempty"` // why there is none

	needs   uint64 // the smallest workspace with the best kernel
	unknown bool   // the kernel is not known
}

// Kernels are kernels, and nil where there is none.
type Kernels []*Kernel

// Target is the products on a device.
type Target struct {
	Device
	Products []*Product `json:"products"`           // in the order of the arguments
	Smallest uint64     `json:"smallest_workspace"` // that loses no kernel
	Curve    []Step     `json:"curve"`              // from the most bytes down
	Unknown  int        `json:"unknown"`            // products whose kernel is not known
	Without  int        `json:"without"`            // products that have none, for their reason
}

// Device is a library and its device.
type Device struct {
	Library string `json:"library"`       // "rocBLAS" or "hipBLASLt"
	Profile string `json:"profile"`       // the release of rocBLAS or the version of hipBLASLt
	Arch    string `json:"arch"`          // of the device
	Units   int    `json:"compute_units"` // of the device
}

func (d Device) String() string { return d.Profile + "/" + d.Arch }

// Chooser chooses kernels as a library does on a device.
type Chooser interface {
	Device() Device

	// choose returns the kernel with a number of free bytes. Without one it returns nil and the reason; unknown means
	// that there may be one.
	choose(s *Shape, free uint64) (k *Kernel, reason string, unknown bool, err error)

	// recorded returns the kernel that a tuning chose. Without one it returns nil and the reason.
	recorded(s *Shape) (k *Kernel, reason string)

	// offer returns the bytes that must be free for a kernel that wants some.
	offer(bytes uint64) uint64
}

// Step is a number of bytes below which products lose their best kernels.
type Step struct {
	Bytes uint64 `json:"bytes"` // of the workspace
	Lost  int    `json:"lost"`  // products that lose below it, with those that need more
}

// Report is the answer to a request.
type Report struct {
	Workspaces []uint64 `json:"workspaces"` // bytes, for the kernels in at
	Targets    []Target `json:"targets"`    // profiles and architectures

	Notes []string `json:"notes,omitempty"` // gaps of logs and recordings, and calls that are not modelled
}

// New computes the kernels of shapes, with numbers of free bytes.
func New(shapes []Shape, choosers []Chooser, workspaces []uint64) (*Report, error) {
	r := &Report{Workspaces: workspaces}
	for _, c := range choosers {
		of := Target{Device: c.Device(), Curve: []Step{}}
		for i := range shapes {
			p, err := product(c, &shapes[i], workspaces)
			if err != nil {
				return nil, err
			}
			of.Products = append(of.Products, p)
			switch {
			case p.Unknown() != "":
				of.Unknown++
			case p.Best == nil:
				of.Without++
			}
		}
		of.summarize()
		r.Targets = append(r.Targets, of)
	}
	return r, nil
}

func product(c Chooser, s *Shape, workspaces []uint64) (*Product, error) {
	p := &Product{Shape: s}
	var err error
	if s.Recorded != "" {
		p.Tuned, p.Looked = c.recorded(s)
	}
	if p.Best, p.Reason, p.unknown, err = c.choose(s, tuning.NoLimit); err != nil || p.Best == nil {
		return p, err
	}
	p.needs = c.offer(p.Best.Bytes)
	for _, bytes := range workspaces {
		k, _, _, err := c.choose(s, bytes)
		if err != nil {
			return nil, fmt.Errorf("%s with %d bytes: %w", s.Text, bytes, err)
		}
		p.At = append(p.At, k)
	}
	return p, nil
}

// Needs returns the smallest workspace with the best kernel; 0 if there is none, or it is not known.
func (p *Product) Needs() uint64 { return p.needs }

// Unknown returns why the kernel is not known; "" if it is known, or known that none runs.
func (p *Product) Unknown() string {
	if p.unknown {
		return p.Reason
	}
	return ""
}

// summarize computes the curve: each number of bytes below which products lose their kernels.
func (t *Target) summarize() {
	var needs []uint64
	for _, p := range t.Products {
		if p.needs > 0 {
			needs = append(needs, p.needs)
		}
	}
	slices.SortFunc(needs, func(a, b uint64) int { return cmp.Compare(b, a) })
	for i, n := range needs {
		if len(t.Curve) > 0 && t.Curve[len(t.Curve)-1].Bytes == n {
			t.Curve[len(t.Curve)-1].Lost = i + 1
			continue
		}
		t.Curve = append(t.Curve, Step{n, i + 1})
	}
	if len(needs) > 0 {
		t.Smallest = needs[0]
	}
}

// lost counts the products that lose their best kernel in workspace i.
func (t *Target) lost(i int) (n int) {
	for _, p := range t.Products {
		if p.loses(i) {
			n++
		}
	}
	return n
}

func (p *Product) loses(i int) bool {
	return p.Best != nil && (p.At[i] == nil || p.At[i].Name != p.Best.Name)
}

// Title names the report.
func (r *Report) Title() string { return "roclua gemm" }
