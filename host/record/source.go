package record

import (
	"cmp"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"roclua/hip/function"
	"roclua/hip/routine"
	"roclua/host/recording"
	"roclua/internal/ccompile"
)

// The sources of the libraries. table.h and wrappers.h are made from the tables of functions.
//
//go:embed c
var sources embed.FS

// The file names of the libraries.
const (
	recorderName = "libroclua-record.so"
	auditName    = "libroclua-audit.so"
)

// wrapped is a function that the recorder wraps.
type wrapped struct {
	name      string
	signature string // letters of recordings; '2', '4', '8' and '9' are scalars of 2, 4, 8 and 16 bytes, 'x' is one
	// whose datatype is the argument of the index that follows, from 'A'
	words   int // arguments in memory
	library string
	special string
	kind    string // enum call of recorder.h; "" is CALL
}

// specials are the functions that change the recorder's state.
var specials = map[string]string{
	"rocblas_create_handle": "CREATE", "hipMalloc": "GROW", "rocblas_set_stream": "SET_STREAM",
	"rocblas_set_pointer_mode": "SET_POINTER_MODE", "rocblas_destroy_handle": "DESTROY",
	"hipStreamDestroy": "DESTROY", "hipEventDestroy": "DESTROY",
	"hipGraphDestroy": "DESTROY", "hipGraphExecDestroy": "DESTROY", "hipSetDevice": "SET_DEVICE",
	"hipCtxCreate": "CONTEXT", "hipCtxDestroy": "CONTEXT", "hipCtxSetCurrent": "CONTEXT",
	"hipCtxPushCurrent": "CONTEXT", "hipCtxPopCurrent": "CONTEXT",
}

// kinds has the kinds of functions that are not always recorded.
var kinds = map[function.Recorded]string{function.Waits: "WAIT", function.Copies: "COPY",
	function.Launches: "LAUNCH", function.Failures: "FAILURE"}

// finders are the functions that return others.
var finders = []string{"hipGetProcAddress", "hipGetDriverEntryPoint", "hipGetDriverEntryPoint_spt"}

func all() []wrapped {
	var list []wrapped
	for _, name := range finders {
		list = append(list, wrapped{name: name, signature: "rpp", library: "HIP", special: "GET_PROC_ADDRESS",
			kind: "QUIET"})
	}
	for _, f := range function.All() {
		if f.Recorded == function.Never {
			continue
		}
		w := wrapped{name: f.Name, signature: string(f.Returns), library: "HIP", special: specials[f.Name],
			kind: kinds[f.Recorded]}
		if prefix, _, _ := strings.Cut(f.Name, "_"); strings.HasPrefix(prefix, "roc") {
			w.library = strings.ToUpper(prefix)
		}
		for _, p := range f.Params {
			w.signature += string(p.Kind)
		}
		if strings.HasSuffix(w.signature, string(function.Sizes)) {
			w.special = "VARIADIC"
		}
		list = append(list, w.withWords())
	}
	for _, r := range routine.All() {
		w := wrapped{name: r.CName(), signature: signature(r), library: strings.ToUpper(r.Library.String()),
			kind: "ROUTINE"}
		list = append(list, w.withWords())
	}
	signatures := layerSignatures()
	for _, l := range function.Layers() {
		same := strings.NewReplacer("_v2", "", "hipsolverDn", "hipsolver").Replace(l.Name)
		list = append(list, wrapped{name: l.Name, signature: cmp.Or(signatures[l.Name], signatures[same], "r"),
			words: l.Words, library: "LAYER"})
	}
	return list
}

// layerSignatures returns the signatures of the functions of hipBLAS and hipSOLVER whose parameters are known.
func layerSignatures() map[string]string {
	list := map[string]string{}
	for _, f := range function.All() {
		list[f.Name] = string(function.Status)
		for _, p := range f.Params {
			list[f.Name] += string(p.Kind)
		}
	}
	for _, r := range slices.Concat(routine.HipBLAS.Routines(), routine.HipSOLVER.Routines()) {
		list[r.CName()] = signature(r)
	}
	return list
}

// withWords counts the arguments that are passed in memory: six integers and eight floating-point numbers are not.
func (w wrapped) withWords() wrapped {
	integers, inMemory := 0, strings.Count(w.signature, string(function.InMemory))
	for i := 1; i < len(w.signature); i++ {
		switch w.signature[i] {
		case byte(function.Float), byte(function.Double):
			continue
		case 'x':
			i++
		}
		integers++
	}
	w.words = max(0, integers-inMemory-6) + inMemory
	return w
}

func signature(r *routine.Routine) string {
	b := []byte{byte(function.Status), byte(function.Handle)}
	for i := range r.Params {
		b = append(b, letters(r, &r.Params[i])...)
	}
	return string(b)
}

func letters(r *routine.Routine, p *routine.Param) string {
	switch k := p.Kind; {
	case k == routine.Int32 && !r.Wide, k == routine.FixedInt32, k.IsEnum():
		return string(function.Int32)
	case k == routine.Int32, k == routine.Int64:
		return string(function.Int64)
	case k == routine.Uint32:
		return string(function.Uint32)
	case k == routine.Size:
		return string(function.Size)
	case k == routine.Real && r.Type.RealSize() == 4:
		return string(function.Float)
	case k == routine.Real:
		return string(function.Double)
	case k == routine.Scalar:
		return scalar(r, p)
	case k == routine.Object || k == routine.Output && p.Object == "double*":
		return string(function.Pointer)
	case k == routine.Output && p.Object == "size_t":
		return string(function.SizeOut)
	case k == routine.Output && (p.Slot == routine.HostInfo ||
		r.Library == routine.HipSOLVER && p.Elem == routine.OfInt):
		return string(function.IntOut)
	}
	return string(function.Address)
}

// scalar returns the letters of alpha or beta.
func scalar(r *routine.Routine, p *routine.Param) string {
	if p.Elem == routine.OfArgument && r.Library == routine.HipBLAS { // the routine that it calls has the value
		return string(function.Pointer)
	}
	if p.Elem == routine.OfArgument {
		for i := range r.Params {
			if r.Params[i].Slot == p.Type {
				return "x" + string(rune('A'+i+1)) // the handle is the first argument
			}
		}
	}
	bytes := r.New().ElementBytes(p)
	if bytes == 16 {
		return "9"
	}
	return fmt.Sprint(bytes)
}

// tables returns the text of table.h and wrappers.h.
func tables() (table, wrappers string) {
	list := all()
	var functions, texts, stubs strings.Builder
	places, size := map[string]int{}, 0
	place := func(text string) int {
		at, ok := places[text]
		if !ok {
			at = size
			places[text] = at
			fmt.Fprintf(&texts, "  \"%s\\0\"\n", text)
			size += len(text) + 1
		}
		return at
	}
	const slots = 16384 // of the hash table, more than twice the functions
	names := make([]int, slots)
	for i, w := range list {
		fmt.Fprintf(&functions, "  {%d, %d, %s, %d, %s, %s},\n", place(w.name), place(w.signature), w.library, w.words,
			cmp.Or(w.special, "NOTHING"), cmp.Or(w.kind, "CALL"))
		fmt.Fprintf(&stubs, "  wrapper %s\n", w.name)
		at := hash(w.name) % slots
		for names[at] != 0 {
			at = (at + 1) % slots
		}
		names[at] = i + 1
	}
	table = fmt.Sprintf(`#define FUNCTIONS %d
#define NAMES %d
#define FORMAT_VERSION %d
#define HEADER_BYTES %d
#define CHUNK_BYTES %d
#define CHUNK_HEADER %d
#define FACTS %d
#define RUNNING %d
#define RUNNING_THREAD %d
#define FLAG_ENDED %d
#define FLAG_DISK_FULL %d
#define FLAG_FACTS %d
static const char texts[] =
%s;
static const struct function functions[] = {
%s};
static const uint16_t names[] = {%s};
static const char ignored[] = "%s";
`, len(list), slots, recording.Version, recording.HeaderBytes, recording.ChunkBytes, recording.ChunkHeader,
		recording.FactsOffset, recording.MostRunning, recording.RunningOffset, recording.FlagEnded,
		recording.FlagDiskFull, recording.FlagFacts, texts.String(), functions.String(),
		strings.Trim(strings.ReplaceAll(fmt.Sprint(names), " ", ","), "[]"),
		strings.Join(slices.Sorted(maps.Keys(function.Ignored())), `\0`))
	return table, stubs.String()
}

// hash is the hash function of ELF's symbol tables.
func hash(name string) uint32 {
	h := uint32(5381)
	for _, c := range []byte(name) {
		h = h*33 + uint32(c)
	}
	return h
}

// Libraries returns the recorder and the audit library, to be compiled.
func Libraries() (recorder, audit ccompile.Library) {
	table, wrappers := tables()
	files := map[string]string{"table.h": table, "wrappers.h": wrappers}
	entries, err := sources.ReadDir("c")
	for _, e := range entries {
		var text []byte
		if text, err = sources.ReadFile("c/" + e.Name()); err == nil {
			files[e.Name()] = string(text)
		}
	}
	if err != nil {
		panic(err) // embedded files can be read
	}
	audited := map[string]string{"audit.c": files["audit.c"]}
	delete(files, "audit.c")
	recorder = ccompile.Library{Name: recorderName, Files: files, Args: []string{
		"-O2", "-std=gnu11", "-fvisibility=hidden", "-fno-stack-protector", "-DALIASES=4096",
		"-Wl,-soname," + recorderName, "-Wl,-z,now", "recorder.c", "thunk.S"}}
	audit = ccompile.Library{Name: auditName, Files: audited, Args: []string{
		"-O2", "-std=gnu11", "-ffreestanding", "-nostdlib", "-fno-stack-protector", `-DRECORDER="` + recorderName + `"`,
		"-Wl,-soname," + auditName, "audit.c"}}
	return recorder, audit
}
