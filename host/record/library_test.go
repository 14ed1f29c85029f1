//go:build linux && amd64

package record

import (
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"roclua/hip/function"
	"roclua/hip/routine"
	"roclua/host/recording"
	"roclua/internal/ccompile"
)

// TestSignatures checks that each function has a signature that recordings can have, and that no function is missing.
func TestSignatures(t *testing.T) {
	seen := map[string]bool{}
	for _, w := range all() {
		if seen[w.name] {
			t.Errorf("%s is wrapped twice", w.name)
		}
		seen[w.name] = true
		if len(w.name) > 80 || len(w.signature) > 60 || w.words > 30 ||
			strings.Count(w.signature, string(function.Address)) > 16 ||
			w.signature != "r" && w.words != w.withWords().words {
			t.Errorf("%s has a name, a signature %q or %d words that the recorder has no room for", w.name, w.signature,
				w.words)
		}
	}
	want := len(routine.All()) + len(function.Layers()) + len(finders)
	for _, f := range function.All() {
		if f.Recorded != function.Never {
			want++
		}
	}
	if len(seen) != want || len(seen) > 8000 {
		t.Errorf("%d functions are wrapped, want %d", len(seen), want)
	}
}

// scalarBytes has the size of alpha by the letter.
var scalarBytes = map[byte]int{'2': 2, '4': 4, '8': 8, '9': 16}

// TestArguments calls a function of each signature through its wrapper, with arguments that differ. It checks what the
// function receives and what is recorded.
func TestArguments(t *testing.T) {
	var library, program strings.Builder
	program.WriteString("#include <stdio.h>\ntypedef long long I;\n" +
		"int main(void) {\n  static char memory[64] = \"0123456789abcdef\";\n")
	var list []wrapped
	seen := map[string]bool{}
	for _, w := range all() {
		key := fmt.Sprint(w.signature, w.words)
		if seen[key] || w.special != "" || strings.ContainsAny(w.signature[1:], "HSEGMZIODw") || w.kind == "QUIET" ||
			w.kind == "LAUNCH" || w.signature[0] != 'r' {
			continue
		}
		seen[key] = true
		list = append(list, w)
		params, args, sum := argumentsInC(w)
		fmt.Fprintf(&library, "int %s(%s) { return (int)(%s); }\n", w.name, params, sum)
		fmt.Fprintf(&program, "  { int %s(%s); printf(\"%%d\\n\", %s(%s)); }\n", w.name, params, w.name, args)
	}
	program.WriteString("}\n")
	folder := t.TempDir()
	for name, text := range map[string]string{"library.c": "typedef long long I;\n" + library.String(),
		"program.c": program.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	compile(t, folder, "libarguments.so", "-O0", "-shared", "-fPIC", filepath.Join(folder, "library.c"))
	command := compile(t, folder, "program", "-O0", filepath.Join(folder, "program.c"), "-L"+folder, "-larguments",
		"-Wl,-rpath,"+folder)
	o := runRecorded(t, command)
	sums, recorded := strings.Fields(o.stdout), calls(t, o.Files[0])
	if len(list) < 300 || len(sums) != len(list) || len(recorded) != len(list) {
		t.Fatalf("%d signatures, %d sums, %d calls: %q", len(list), len(sums), len(recorded), o.stderr)
	}
	for i, w := range list {
		if want := fmt.Sprint(sumOf(w)); sums[i] != want || recorded[i].Name != w.name {
			t.Errorf("%s receives arguments with the sum %s, want %s", w.name, sums[i], want)
		}
		checkArguments(t, w, recorded[i])
	}
}

// argumentsInC returns the parameters of a function, the arguments of a call, and a weighted sum of them.
// An integer is its number, from 1; a float its number and a half.
func argumentsInC(w wrapped) (params, args, sum string) {
	var p, a, s []string
	integer := func(value string) {
		n := len(p) + 1
		p, a, s = append(p, fmt.Sprintf("I a%d", n)), append(a, value), append(s, fmt.Sprintf("%d * a%d", n, n))
	}
	for _, letter := range parameters(w) {
		n := len(p) + 1
		switch letter {
		case 'f', 'd':
			typ := map[byte]string{'f': "float", 'd': "double"}[letter]
			p, a = append(p, fmt.Sprintf("%s a%d", typ, n)), append(a, fmt.Sprintf("%d.5", n))
			s = append(s, fmt.Sprintf("%d * (int)(2 * a%d)", n, n))
		case '2', '4', '8', '9', 'x':
			integer("(I)memory")
			s[len(s)-1] = fmt.Sprintf("%d * (*(char *)a%d == '0')", n, n)
		case 'h', 's', 'e', 'g':
			integer("0")
		case 'i':
			integer(fmt.Sprint(-n))
			s[len(s)-1] = fmt.Sprintf("%d * (int)a%d", n, n)
		default:
			integer(fmt.Sprint(n))
		}
	}
	for range layerWords(w) {
		integer(fmt.Sprint(len(p) + 1))
	}
	return strings.Join(p, ", "), strings.Join(a, ", "), strings.Join(append(s, "0"), " + ")
}

// layerWords lists the arguments of a function of hipBLAS, whose signature has none.
func layerWords(w wrapped) []int {
	if w.signature != "r" || w.words == 0 {
		return nil
	}
	return make([]int, 6+w.words)
}

// parameters returns the letters of the parameters, 'x' for a scalar of any type.
func parameters(w wrapped) []byte {
	var list []byte
	for i := 1; i < len(w.signature); i++ {
		list = append(list, w.signature[i])
		if w.signature[i] == 'x' {
			i++
		}
	}
	return list
}

// sumOf returns the sum that a function should return.
func sumOf(w wrapped) int32 {
	sum, n := 0, 0
	for _, letter := range parameters(w) {
		n++
		switch letter {
		case 'f', 'd':
			sum += n * (2*n + 1)
		case '2', '4', '8', '9', 'x':
			sum += n
		case 'h', 's', 'e', 'g':
		case 'i':
			sum -= n * n
		default:
			sum += n * n
		}
	}
	for range layerWords(w) {
		n++
		sum += n * n
	}
	return int32(sum)
}

// checkArguments compares recorded arguments with argumentsInC.
func checkArguments(t *testing.T, w wrapped, call *recording.Call) {
	t.Helper()
	for i, letter := range parameters(w) {
		n, v := int64(i+1), call.Args[i]
		ok := true
		switch letter {
		case 'f', 'd':
			ok = v.Real == float64(n)+0.5
		case '2', '4', '8', '9':
			ok = string(v.Scalar) == "0123456789abcdef"[:scalarBytes[letter]]
		case 'x': // the datatype is a small number here, and no datatype
			ok = v.Letter == function.Scalar && v.Scalar == nil
		case 'h', 's', 'e', 'g':
			ok = v.Int == 0
		case 'i':
			ok = v.Int == -n
		case 'p':
			ok = !v.Null
		default:
			ok = v.Int == n
		}
		if !ok {
			t.Errorf("%s: argument %d of kind %c is recorded as %+v", w.name, n, letter, v)
		}
	}
}

// TestShipped compiles the libraries for an archive, and finds them from programs in it. They need a C library of 2018:
// the recorder uses no allocator, and the audit library nothing at all.
func TestShipped(t *testing.T) {
	fake(t)
	folder := t.TempDir()
	if err := Ship(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	recorder, audit := Libraries()
	for _, name := range []string{"roclua", "bin/roclua"} {
		program := filepath.Join(folder, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(program), 0o755), os.WriteFile(program, nil, 0o755))
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range []ccompile.Library{recorder, audit} {
			if have, want := shipped(program, l), filepath.Join(folder, below(l), l.Name); have != want {
				t.Errorf("for %s %q is found, want %s", name, have, want)
			}
		}
	}
	changed := recorder
	changed.Files = map[string]string{"recorder.c": "int x;"}
	if have := shipped(filepath.Join(folder, "roclua"), changed); have != "" {
		t.Errorf("for another source %s is found", have)
	}
	for _, l := range []ccompile.Library{recorder, audit} {
		f, err := elf.Open(filepath.Join(folder, below(l), l.Name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		imports, err := f.ImportedSymbols()
		if err != nil || len(imports) == 0 != (l.Name == auditName) {
			t.Errorf("%s imports %d symbols, %v", l.Name, len(imports), err)
		}
		for _, s := range imports {
			if slices.Contains([]string{"malloc", "calloc", "realloc", "free"}, s.Name) {
				t.Errorf("%s imports %s", l.Name, s.Name)
			}
		}
	}
	newer := compile(t, folder, "newer.so", "-shared", "-fPIC", "testdata/newer.c")
	if err := loadsAnywhere(newer); err == nil || !strings.Contains(err.Error(), "arc4random") {
		t.Errorf("a library that needs glibc 2.36: %v", err)
	}
}
