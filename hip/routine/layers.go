package routine

import (
	"slices"
	"strings"
	"sync"
)

// layers has the functions of the modules above rocBLAS and rocSOLVER: by library in the order of the documentation,
// and by C name. Their indices follow the indices of All.
var layers = sync.OnceValue(func() (t struct {
	lists  map[Library][]*Routine
	byName map[string]*Routine
	count  int
}) {
	t.lists, t.byName = map[Library][]*Routine{}, map[string]*Routine{}
	add := func(r *Routine) {
		r.Index = Count() + t.count
		t.count++
		t.lists[r.Library] = append(t.lists[r.Library], r)
		t.byName[r.cName] = r
	}
	for _, f := range layerFamilies() {
		v := Plain
		if strings.HasPrefix(f.Name, "potr") && strings.HasSuffix(f.Name, "Batched") {
			v = Batched
		}
		for _, r := range f.functions(f.expand(v), "") {
			add(r)
			if size, ok := bufferSizes()[r.cName+bufferSuffix]; ok {
				own := *size
				own.Name = r.Name + bufferSuffix
				add(&own)
			}
		}
	}
	for _, r := range hipblasRoutines() {
		add(r)
	}
	return t
})

// Find finds a routine by the name that scripts use in one library's module.
func Find(lib Library, name string) (*Routine, bool) {
	if lib == RocBLAS || lib == RocSOLVER {
		r, ok := Lookup(lib.String() + "_" + name)
		return r, ok && r.Family.ID < endOfListed
	}
	r, ok := layers().byName[lib.String()+name]
	return r, ok
}

// Routine returns the routine of a family.
func (f *Family) Routine(t Type, v Variant, wide bool) (*Routine, bool) {
	return Lookup(f.Library.String() + "_" + f.nameOf(t, v, wide))
}

// Sibling returns the routine of the same family, type and width in another variant.
func Sibling(r *Routine, v Variant) (*Routine, bool) { return r.Family.Routine(r.Type, v, r.Wide) }

// Under returns a routine under the name of the function that calls it, for messages: no header declares the name of an
// unlisted routine. It returns other routines as they are.
func (r *Routine) Under(f *Routine) *Routine {
	if r.Family.ID < endOfListed {
		return r
	}
	named := *r
	named.Name, named.cName = f.cName, f.cName
	return &named
}

// Routines returns the routines of a library, of rocBLAS and rocSOLVER in the order of All.
func (l Library) Routines() []*Routine {
	if l != RocBLAS && l != RocSOLVER {
		return layers().lists[l]
	}
	return slices.DeleteFunc(slices.Clone(All()), func(r *Routine) bool { return r.Library != l })
}

// IsLayer reports whether a routine belongs to a library above rocBLAS and rocSOLVER.
func (r *Routine) IsLayer() bool { return r.Library != RocBLAS && r.Library != RocSOLVER }

// LayerNamed finds a routine of a library above rocBLAS and rocSOLVER, by its name in C, in scripts, or in cuSOLVER:
// "hipsolverDgetrf", "hipsolver.Dgetrf", "cusolverDnDgetrf_bufferSize". Names that end in _v2 mean the same functions.
func LayerNamed(name string) (*Routine, bool) {
	name = strings.Replace(fromCUDA(strings.Replace(name, ".", "", 1)), "_v2", "", 1)
	if r, ok := layers().byName[name]; ok {
		return r, true
	}
	return BufferSize(name)
}

// ReturnsNumber reports whether calls return an integer in host memory in both pointer modes.
func (r *Routine) ReturnsNumber() bool {
	return slices.ContainsFunc(r.Params, func(p Param) bool { return p.IsNumber() })
}

// Numbers returns how many integers calls return in host memory in both pointer modes.
func (r *Routine) Numbers() (n int) {
	for i := range r.Params {
		if r.Params[i].IsNumber() {
			n++
		}
	}
	return n
}

// IsSize reports whether a function returns the size of a buffer.
func (r *Routine) IsSize() bool { return strings.HasSuffix(r.cName, bufferSuffix) }

// IndexCount returns the number of routines, of Layer too, for tables by Routine.Index.
func IndexCount() int { return Count() + layers().count }
