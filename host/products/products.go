// Package products computes which kernels rocBLAS uses for products of matrices, by the bytes that are free, for the
// command roclua gemm. It reads tuning files, and needs neither rocBLAS nor a device.
package products

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"roclua/hip/routine"
	"roclua/host/output"
	"roclua/workspace/footprint"
	"roclua/workspace/sizing"
	"roclua/workspace/tuning"
)

// Shape is a product of matrices.
type Shape struct {
	Text  string        `json:"call"`
	Times int64         `json:"times"` // how often it is made
	Args  *routine.Args `json:"-"`
}

// Kernel is a kernel, and what a product uses of the device with it.
type Kernel struct {
	Name   string  `json:"name"`
	Tile   [2]int  `json:"tile"`
	Split  int     `json:"split"`  // parts of the sum over k
	Bytes  uint64  `json:"bytes"`  // workspace that it wants
	Groups uint64  `json:"groups"` // of threads
	Waves  float64 `json:"waves"`  // groups for each compute unit
}

// Product is the kernels of a shape on a target.
type Product struct {
	*Shape
	Best   *Kernel   `json:"best"`             // with any number of bytes; nil if there is none
	At     []*Kernel `json:"at,omitempty"`     // with each of the workspaces
	Reason string    `json:"reason,omitempty"` // why there is no kernel, or it is not known

	needs uint64 // the smallest workspace with the best kernel
}

// Target is the products on a release and an architecture.
type Target struct {
	footprint.Target `json:"-"`
	Profile          string     `json:"profile"`
	Arch             string     `json:"arch"`
	Units            int        `json:"compute_units"`
	Products         []*Product `json:"products"`
	Smallest         uint64     `json:"smallest_workspace"` // that loses no kernel
	Curve            []Step     `json:"curve"`
	Unknown          int        `json:"unknown"` // products whose kernel is not known
}

// Step is a number of bytes below which products lose their best kernels.
type Step struct {
	Bytes uint64 `json:"bytes"`
	Lost  int    `json:"lost"` // products that lose below it, with those that need more
}

// Report is the answer to a request.
type Report struct {
	Workspaces []uint64 `json:"workspaces"`
	Targets    []Target `json:"targets"`
}

// New computes the kernels of shapes on targets, with numbers of free bytes.
func New(shapes []Shape, targets []footprint.Target, workspaces []uint64) (*Report, error) {
	r := &Report{Workspaces: workspaces}
	for _, t := range targets {
		of := Target{Target: t, Profile: t.Profile.Name, Arch: t.Arch, Units: t.ComputeUnits()}
		for i := range shapes {
			p, err := product(t, &shapes[i], workspaces)
			if err != nil {
				return nil, err
			}
			of.Products = append(of.Products, p)
			if p.Best == nil {
				of.Unknown++
			}
		}
		of.summarize()
		r.Targets = append(r.Targets, of)
	}
	return r, nil
}

// step is the multiple of bytes that the library offers to kernels.
const step = sizing.WorkspaceStep

func product(t footprint.Target, s *Shape, workspaces []uint64) (*Product, error) {
	p := &Product{Shape: s}
	best, err := footprint.KernelOf(t, s.Args, tuning.NoLimit)
	if err != nil {
		if refused := (*footprint.Refusal)(nil); errors.As(err, &refused) {
			p.Reason = err.Error()
			return p, nil
		}
		return nil, err
	}
	if p.Reason = best.Unknown; best.Kernel == nil || p.Reason != "" {
		p.Reason = cmp.Or(p.Reason, "no kernel of the tuning files computes it")
		return p, nil
	}
	p.Best = kernel(&best, t.ComputeUnits())
	p.needs = (p.Best.Bytes + step - 1) / step * step
	for _, bytes := range workspaces {
		c, err := footprint.KernelOf(t, s.Args, bytes)
		if err != nil || c.Kernel == nil {
			return nil, fmt.Errorf("%s with %d bytes: %s %w", s.Text, bytes, c.Unknown, err)
		}
		p.At = append(p.At, kernel(&c, t.ComputeUnits()))
	}
	return p, nil
}

func kernel(c *sizing.Choice, units int) *Kernel {
	k := c.Kernel
	groups := k.Tiles(&c.Problem)
	return &Kernel{Name: k.Name, Tile: k.Tile, Split: k.Split, Bytes: k.Workspace(&c.Problem), Groups: groups,
		Waves: float64(groups) / float64(max(1, units))}
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

func (p *Product) loses(i int) bool { return p.Best != nil && p.At[i].Name != p.Best.Name }

// Kind returns the kind of the data.
func (r *Report) Kind() output.Kind { return output.Products }

// Title names the report.
func (r *Report) Title() string { return "roclua gemm" }

// Failures returns nil: a product that loses its kernel is part of the answer.
func (r *Report) Failures() []output.Failure { return nil }

// HasDetails reports that the text adds to the table: the smallest workspace, and the products that decide.
func (r *Report) HasDetails() {}
