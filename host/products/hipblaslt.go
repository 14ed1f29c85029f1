package products

import (
	"fmt"
	"strings"

	"roclua/hip/matmul"
	"roclua/hip/routine"
)

// BLASLt computes products of hipBLASLt. On gfx940 to gfx942 the numbers of 8 bits have another format.
func BLASLt(ownFloat8 bool) *Library {
	l := &Library{call: "matmul", batched: "matmul", read: readMatmul, types: map[string]string{
		"f16": "a_type=f16_r", "bf16": "a_type=bf16_r", "f32": "a_type=f32_r",
		"xf32": "a_type=f32_r compute_type=xf32_r", "f64": "a_type=f64_r", "i8": "a_type=i8_r c_type=i32_r",
		"fp8": "a_type=f8_r c_type=bf16_r scaleA=1 scaleB=1", "bf8": "a_type=bf8_r c_type=bf16_r scaleA=1 scaleB=1",
	}}
	for _, name := range []string{"fp8", "bf8"} {
		if ownFloat8 {
			l.types[name] = strings.Replace(l.types[name], "f8_r", "f8_fnuz_r", 1)
		}
	}
	return l
}

// LtTypes are the names of types of short shapes of hipBLASLt.
const LtTypes = "bf16, f16, f32, xf32, f64, fp8, bf8, i8"

// readMatmul reads a command of hipblaslt-bench, a call with its options, or a rocBLAS call.
func readMatmul(call string) (Shape, error) {
	name, text, _ := strings.Cut(call, " ")
	var list []matmul.Option
	switch name {
	case "hipblaslt-bench":
		list = matmul.Options(text)
	case "matmul":
		for _, field := range strings.Fields(text) {
			name, value, _ := strings.Cut(field, "=")
			list = append(list, matmul.Option{Name: name, Value: value})
		}
	default:
		s, err := readCall(call)
		if err == nil {
			s.product, err = translate(s.Args)
		}
		return s, err
	}
	p, err := matmul.New(list)
	return Shape{product: &p}, err
}

// Matmul returns the shape of a product of hipBLASLt.
func Matmul(p matmul.Product, times int64) Shape {
	return Shape{Text: p.String(), Times: times, product: &p}
}

// translate makes a rocBLAS call a product of hipBLASLt.
func translate(a *routine.Args) (*matmul.Product, error) {
	if a.Routine.Variant == routine.Batched {
		return nil, fmt.Errorf("%s: hipBLASLt takes batches with strides, and not arrays of addresses", a.Routine.Name)
	}
	var list []matmul.Option
	add := func(name, value string) { list = append(list, matmul.Option{Name: name, Value: value}) }
	if _, ok := a.Routine.Param("a_type"); !ok {
		of := routine.ConstantName(routine.Datatype, a.Routine.Type.Datatype())
		add("a_type", strings.TrimPrefix(of, "datatype_"))
	}
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		switch {
		case p.Slot == routine.SolutionIndex || p.Slot == routine.Flags:
		case p.Kind == routine.Operation || p.Kind == routine.Datatype:
			name := routine.ConstantName(p.Kind, a.Int(p.Slot))
			add(p.Name, strings.TrimPrefix(name, routine.EnumName(p.Kind)+"_"))
		case p.Kind.IsInteger():
			add(p.Name, fmt.Sprint(a.Int(p.Slot)))
		}
	}
	for _, name := range []string{"ld", "stride_"} { // gemm has no D
		_, has := a.Routine.Param(name + "d")
		if c, ok := a.Routine.Param(name + "c"); ok && !has {
			add(name+"d", fmt.Sprint(a.Int(c.Slot)))
		}
	}
	p, err := matmul.New(list)
	if err != nil {
		err = fmt.Errorf("%s: %w", a.Routine.Name, err)
	}
	return &p, err
}

// WithEpilogues returns the shapes with each of several epilogues.
func WithEpilogues(shapes []Shape, names []string) []Shape {
	var list []Shape
	for _, s := range shapes {
		if s.product == nil {
			list = append(list, s)
			continue
		}
		for _, name := range names {
			p := s.product.WithEpilogue(name)
			with := Shape{Text: s.Text, Times: s.Times, product: &p}
			if name != s.product.Epilogue {
				with.Text += ", " + strings.ReplaceAll(name, "_", " ")
			}
			list = append(list, with)
		}
	}
	return list
}

// Matmuls is an installed hipBLASLt.
type Matmuls interface {
	Kernel(p *matmul.Product, free uint64) (*matmul.Kernel, error)
}

// Installed is an installed hipBLASLt on a device.
type Installed struct {
	Library Matmuls
	On      Device
}

// Device returns the device.
func (l Installed) Device() Device { return l.On }

func (l Installed) choose(s *Shape, free uint64) (*Kernel, string, bool, error) {
	if s.product == nil {
		return nil, s.refused, false, nil
	}
	k, err := l.Library.Kernel(s.product, free)
	if err != nil {
		return nil, err.Error(), true, nil
	}
	if k == nil {
		return nil, "hipBLASLt has no kernel for it", false, nil
	}
	name := k.Name
	if name == "" {
		name = fmt.Sprintf("solution %d", k.Index)
	}
	groups := k.Groups(s.product, l.On.Units)
	return &Kernel{Name: name, Tile: k.Tile, Split: k.Split, Bytes: k.Bytes, Groups: groups,
		Waves: waves(groups, l.On.Units), StreamK: k.StreamK}, "", false, nil
}

func (l Installed) recorded(s *Shape) (*Kernel, string) { return nil, s.Recorded + " is not looked up" }

func (l Installed) offer(bytes uint64) uint64 { return bytes }
