// Package function is the table of the functions of HIP, rocBLAS and rocSOLVER that are not routines: handles, streams,
// workspaces, queries, memory and so on. The routines are in package routine. It also names the functions of hipBLAS
// and hipSOLVER, which call the others.
package function

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Kind is the C type of a parameter or of a result, as far as it decides how a value is passed and recorded. Recordings
// have its letter.
type Kind byte

// The kinds of parameters. Those in capital letters are pointers to results.
const (
	Int32     Kind = 'i' // and enumerations
	Uint32    Kind = 'u'
	Int64     Kind = 'l'
	Size      Kind = 'z'
	Handle    Kind = 'h' // a rocblas_handle
	Pointer   Kind = 'p' // a pointer whose value does not matter
	Address   Kind = 'm' // memory with its address, which may be one of the host
	Stream    Kind = 's'
	Event     Kind = 'e'
	Graph     Kind = 'g' // a graph or an executable graph
	Sizes     Kind = 'y' // the last parameter: several sizes
	NewHandle Kind = 'H'
	NewStream Kind = 'S'
	NewEvent  Kind = 'E'
	NewGraph  Kind = 'G'
	NewMemory Kind = 'M'
	Scalar    Kind = 'a' // alpha or beta in memory, or the value of an attribute
	SizeOut   Kind = 'Z'
	NewObject Kind = 'O' // another object
	IntOut    Kind = 'I'
	Value     Kind = '8' // a pointer to 8 bytes of host memory that a call reads
	InMemory  Kind = 'w' // 8 bytes of a structure that is passed in memory
	Float     Kind = 'f'
	Double    Kind = 'd'
	DoubleOut Kind = 'D'
)

// The kinds of results.
const (
	Status  Kind = 'r' // of rocBLAS or HIP; other functions return Int32, for an enumeration
	Bool    Kind = 'b'
	Nothing Kind = 'v'
	Text    Kind = 'p'
)

// IsResult reports whether a parameter is a pointer to a result.
func (k Kind) IsResult() bool { return k >= 'A' && k <= 'Z' }

// IsPointer reports whether a recorded parameter is a pointer that can be null.
func (k Kind) IsPointer() bool { return k.IsResult() || k == Pointer || k == Address || k == Scalar }

// IsInteger reports whether the value of a parameter is recorded as an integer.
func (k Kind) IsInteger() bool {
	switch k {
	case Int32, Uint32, Int64, Size, Address, Stream, Event, Graph:
		return true
	}
	return false
}

// Param is a parameter.
type Param struct {
	Name string
	Kind Kind
}

// Function is a function of a library.
type Function struct {
	Name     string // in C
	Returns  Kind
	Params   []Param
	Recorded Recorded

	Unneeded   string // why no replay of recorded calls needs the function; "" if one does
	Unfollowed string // why no replay can follow its effects; "" if one can
}

// Recorded says which calls to a function roclua record writes.
type Recorded uint8

// The kinds of functions. Never is one that changes nothing and waits for nothing.
const (
	Never    Recorded = iota
	Always            // all calls
	Waits             // all calls, but those inside routines are counted: the host waits for the device
	Copies            // the same for functions that copy or fill memory, and do not wait
	Launches          // calls with an event
	Failures          // calls that fail
)

// Result returns the index of the first parameter that is a pointer to a result, or -1.
func (f *Function) Result() int {
	for i, p := range f.Params {
		if p.Kind.IsResult() {
			return i
		}
	}
	return -1
}

type tables struct {
	list    []*Function
	byName  map[string]*Function
	ignored map[string]string
}

// hip.txt has every function of HIP's headers.
//
//go:embed hip.txt
var hipText string

var table = sync.OnceValue(func() *tables {
	t := &tables{byName: map[string]*Function{}, ignored: map[string]string{}}
	for row := range strings.Lines(rocblasRows + variadicRows + transferRows() + rocsolverRows) {
		t.add(row, Always)
	}
	section, why := "", ""
	for line := range strings.Lines(hipText) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "["):
			section, why, _ = strings.Cut(line[1:], "]")
			why = strings.TrimSpace(why)
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "r "):
			f := t.add(line, sections[section])
			switch section {
			case "never":
				t.ignored[f.Name] = why
			case "unneeded":
				f.Unneeded = why
			case "unfollowed":
				f.Unfollowed = why
			}
		default:
			for _, name := range strings.Fields(line) {
				t.ignored[name] = why
			}
		}
	}
	for row := range strings.Lines(layerRows) {
		t.add(row, Never)
	}
	return t
})

// sections has the parts of hip.txt.
var sections = map[string]Recorded{"never": Never, "always": Always, "unneeded": Always, "unfollowed": Always,
	"waits": Waits, "copies": Copies, "launches": Launches, "failures": Failures}

func (t *tables) add(row string, recorded Recorded) *Function {
	if strings.TrimSpace(row) == "" {
		return nil
	}
	f := parse(row)
	f.Recorded = recorded
	t.list = append(t.list, f)
	t.byName[f.Name] = f
	return f
}

// parse reads a row: the kind of the result, the name, and NAME:KIND of each parameter.
func parse(row string) *Function {
	fields := strings.Fields(row)
	f := &Function{Returns: Kind(fields[0][0]), Name: fields[1]}
	for _, field := range fields[2:] {
		name, kind, ok := strings.Cut(field, ":")
		if !ok || len(kind) != 1 {
			panic(fmt.Sprintf("hip/function: %s: %s is not NAME:KIND", f.Name, field))
		}
		f.Params = append(f.Params, Param{name, Kind(kind[0])})
	}
	return f
}

// All returns every function.
func All() []*Function { return table().list }

// Lookup finds a function by its C name.
func Lookup(name string) (*Function, bool) {
	f, ok := table().byName[name]
	return f, ok
}

// Ignored returns the functions of HIP that are not recorded, and why no call of them matters to memory or its order.
func Ignored() map[string]string { return table().ignored }

// Layer is a function of hipBLAS or hipSOLVER.
type Layer struct {
	Name  string // in C
	Words int    // arguments that are passed in memory, on x86-64
}

// layers.txt has the functions of the releases in the table. A line is a product of lists: the words, the library, the
// letters of types, names and suffixes; "-" is an empty list.
//
//go:embed layers.txt
var layersText string

// Layers returns the functions of hipBLAS and hipSOLVER.
var Layers = sync.OnceValue(func() []Layer {
	var list []Layer
	for line := range strings.Lines(layersText) {
		fields := strings.Fields(line)
		words, err := strconv.Atoi(fields[0])
		if err != nil || len(fields) != 5 {
			panic(fmt.Sprintf("hip/function: layers.txt: %q", line))
		}
		for _, typ := range options(fields[2]) {
			for _, name := range options(fields[3]) {
				for _, suffix := range options(fields[4]) {
					list = append(list, Layer{fields[1] + typ + name + suffix, words})
				}
			}
		}
	}
	return list
})

func options(list string) []string {
	if list == "-" {
		return []string{""}
	}
	return strings.Split(list, ",")
}
