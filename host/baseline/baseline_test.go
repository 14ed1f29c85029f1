package baseline

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"roclua/internal/atomicfile"
	"roclua/internal/randomtest"
)

func TestCompare(t *testing.T) {
	before := Values{"bytes": int64(64), "residual": 1e-15, "status": "success", "old": int64(1), "nan": math.NaN(),
		"noise": int64(3), "kind": int64(1)}
	after := Values{"bytes": int64(128), "residual": 1.05e-15, "status": "memory_error", "new": 2.5, "nan": math.NaN(),
		"noise": int64(9), "kind": "one"}
	within := Tolerances{"residual": {Relative: 0.1}, "noise": {Ignore: true}}
	var have []string
	for _, c := range Compare("x", before, after, within) {
		have = append(have, string(c.Kind)+" "+c.String())
	}
	want := []string{
		"MORE bytes: 64 -> 128 (+64)",
		`CHANGED kind: 1 -> "one"`,
		"SAME nan: NaN -> NaN (+NaN)",
		"NEW new: new, 2.5",
		"GONE old: gone, was 1",
		"SAME residual: 1e-15 -> 1.05e-15 (+5e-17)",
		`CHANGED status: "success" -> "memory_error"`,
	}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
	if n := len(Differences(Compare("x", before, after, within))); n != 5 {
		t.Errorf("%d differences, want 5", n)
	}
}

func TestChanges(t *testing.T) {
	for _, test := range []struct {
		change Change
		want   string // kind, String and DifferenceText
	}{
		{Change{Kind: New}, "the case is not in the baseline; roclua run --update adds it|"},
		{Change{Kind: Gone}, "the case is gone|"},
		{Change{Kind: Less, Name: "n", Old: int64(64), New: int64(32)}, "n: 64 -> 32 (-32)|-32"},
		{Change{Kind: More, Name: "n", Old: 1.5, New: 1.75}, "n: 1.5 -> 1.75 (+0.25)|+0.25"},
		{Change{Kind: Same, Name: "n", Old: int64(1), New: int64(1)}, "n: 1 -> 1 (+0)|"},
		{Change{Kind: Changed, Name: "s", Old: "a", New: "b"}, `s: "a" -> "b"|`},
	} {
		if have := test.change.String() + "|" + test.change.DifferenceText(); have != test.want {
			t.Errorf("%+v: %s, want %s", test.change, have, test.want)
		}
	}
	for _, test := range []struct {
		before, after any
		want          Kind
	}{{int64(1), int64(2), More}, {int64(2), int64(1), Less}, {1.5, int64(1), Less}, {1.0, math.NaN(), Changed},
		{math.NaN(), 1.0, Changed}, {true, false, Changed}, {true, true, Same}} {
		if have := Compare("x", Values{"v": test.before}, Values{"v": test.after}, nil)[0].Kind; have != test.want {
			t.Errorf("%v to %v: %s, want %s", test.before, test.after, have, test.want)
		}
	}
}

func TestSigned(t *testing.T) {
	for d, want := range map[float64]string{0: "+0", -3: "-3", 1 << 40: "+1099511627776", 0.25: "+0.25",
		-1.23456: "-1.23", 1<<53 - 1: "+9007199254740991", 1 << 53: "+9.01e+15", -1 << 53: "-9.01e+15",
		math.Inf(1): "+Inf"} {
		if have := Signed(d); have != want {
			t.Errorf("%v: %s, want %s", d, have, want)
		}
	}
}

// TestResiduals compares residuals, which consist of rounding errors, with and without their own tolerance.
func TestResiduals(t *testing.T) {
	const single, double = 0x1p-23, 0x1p-52
	for _, test := range []struct {
		old, new any
		epsilon  float64
		want     Kind
	}{
		{1e-16, 2e-14, double, Same}, {1e-16, 3e-14, double, More}, {1e-13, 1e-12, double, Same},
		{1e-13, 1.1e-12, double, More}, {1e-7, 1.1e-5, single, Same}, {1e-7, 1.3e-5, single, More},
		{1e-3, 1e-16, double, Same}, {1e-16, int64(0), double, Same}, {5.0, int64(0), double, Less},
		{int64(5), int64(0), single, Less}, {1e-16, math.NaN(), double, Changed}, {math.NaN(), 1e-16, double, Changed},
		{1e-16, math.Inf(1), double, More}, {math.Inf(1), 1e-16, double, Less}, {1e-16, "none", double, Changed},
		{1e-16, 2e-16, 0, More},
	} {
		tolerances := Tolerances{"other": {}}.WithResiduals(map[string]float64{"x": test.epsilon})
		have := Compare("a", Values{"x": test.old}, Values{"x": test.new}, tolerances)[0]
		if have.Kind != test.want {
			t.Errorf("%v to %v with %g: %s, want %s", test.old, test.new, test.epsilon, have.Kind, test.want)
		}
		own := Tolerances{"x": {}}.WithResiduals(map[string]float64{"x": test.epsilon})
		if have := Compare("a", Values{"x": 1e-16}, Values{"x": 2e-16}, own)[0]; have.Kind != More {
			t.Errorf("its own tolerance: %s, want %s", have.Kind, More)
		}
	}
}

func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		text string
		a, b float64
		want bool
	}{
		{"0", 1, 1, true}, {"0", 1, 1.0000001, false}, {"10%", 100, 110, true}, {"10%", 100, 110.1, false},
		{"10 %", -100, -109, true}, {"2ms", 2.5, 2.5015, true}, {"2 µs", 0.25, 0.252, false},
		{"1e-3", 0, 1e-3, true}, {"1e-3", 0, -1.1e-3, false}, {"5%", math.NaN(), 1, false}, {"5%", math.Inf(1),
			math.Inf(1), true}, {"5%", 1, math.Inf(1), false},
		{"10%", math.Inf(1), 1, false}, {"10%", math.Inf(-1), math.Inf(1), false}, {"5%", 1, math.NaN(), false},
	} {
		tolerance, err := ParseTolerance(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if have := tolerance.Covers(c.a, c.b); have != c.want {
			t.Errorf("%s covers %v to %v: %v, want %v", c.text, c.a, c.b, have, c.want)
		}
	}
	for _, text := range []string{"", "some", "-1", "%", "nan", "inf", "10%%", "-1ms", "ms", "2sec",
		"1e308h", "-inf", "inf%", "nan%", "-10%"} {
		if v, err := ParseTolerance(text); err == nil || !strings.Contains(err.Error(), "is not a tolerance") {
			t.Errorf("%q is read as %v, %v", text, v, err)
		}
	}
}

func TestFileKeepsWhatItIsGiven(t *testing.T) {
	r := randomtest.New(t)
	f := &File{Path: filepath.Join(t.TempDir(), "deep", "file.toml"), Cases: map[string]Values{}}
	texts := []string{"", "plain", `a "quoted" \ text`, "two\nlines\t\x00\x1b\x7f", "solve[n=1]@cpu/rocm-7.2/gfx90a",
		"ünïcode ✓", "hip.malloc", "#=[]"}
	for range 50 {
		values := Values{}
		for range r.IntN(8) {
			values[texts[r.IntN(len(texts))]] = []any{r.Int64(), -r.Int64(), r.NormFloat64() * 1e200,
				float64(r.IntN(9)), math.NaN(), math.Inf(-1), true, texts[r.IntN(len(texts))]}[r.IntN(8)]
		}
		f.Cases[texts[r.IntN(len(texts))]+string(rune('a'+r.IntN(26)))] = values
	}
	if err := f.Write(atomicfile.OS); err != nil {
		t.Fatal(err)
	}
	back, err := Read(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.Cases, back.Cases, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

// TestWrittenNames writes names at and just outside the bounds of the character ranges that TOML allows unquoted.
func TestWrittenNames(t *testing.T) {
	for name, want := range map[string]string{
		"azAZ09_-": `azAZ09_-`, "`": "\"`\"", "{": `"{"`, "@": `"@"`, "[": `"["`, "/": `"/"`, ":": `":"`, "": `""`,
		"a b": `"a b"`, "\x1f ~\x7f": `"\u001f ~\u007f"`,
	} {
		f := &File{Cases: map[string]Values{"a@b": {name: 1.0}}, Numbers: map[string]string{"cpu": "avx2"}}
		var b strings.Builder
		want = heading + "\n[numbers]\ncpu = \"avx2\"\n\n[\"a@b\"]\n" + want + " = 1.0\n"
		if err := f.print(&b); err != nil || b.String() != want {
			t.Errorf("%q: %v, %s, want %s", name, err, b.String(), want)
		}
	}
}

func TestBadFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.toml")
	for text, want := range map[string]string{
		"[\"a\"]\n<<<<<<< HEAD\nx = 1\n=======\nx = 2\n": "b.toml:2: the baseline is not TOML: " +
			"expected '.' or '=', but got '<'",
		"[\"a\"]\nx = \n":           "b.toml:2: the baseline is not TOML",
		"x = 1\n":                   "has a value x outside a case",
		"[\"a\"]\nx = [1]\n":        "the baseline's x of a is a []interface {}, want a number",
		"[\"a\"]\nx = 1\n[\"a\"]":   "b.toml:3: the baseline is not TOML",
		"[\"a\"]\nx = 1979-05-27\n": "is a time.Time, want a number",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// TestBelow finds the baselines of a folder by their cases, however they were edited.
func TestBelow(t *testing.T) {
	folder := t.TempDir()
	const one = "[\"a[n=1]@cpu/rocm-7.2/gfx90a\"]\nx = 1\n"
	for name, text := range map[string]string{
		"written.toml": heading + "\n" + one, "comment.toml": "# mine\n" + heading + "\n" + one,
		"crlf.toml": strings.ReplaceAll(heading+"\n"+one, "\n", "\r\n"), "bom.toml": "\ufeff" + one,
		"bom-crlf.toml": "\ufeff" + strings.ReplaceAll(heading+one, "\n", "\r\n"), "UPPER.TOML": heading + one,
		"sub/none.Toml": one, "indented.toml": "  [ 'a@cpu' ]\n", "inline.toml": "\"a@cpu\" = { x = 1 }\n",
		"dotted.toml": "\"a@cpu\".x = 1\n",
		"no.toml": "seed = 1\n[params]\nat = \"a@cpu\"\nlist = [\n  \"a@cpu\",\n]\n" +
			"[[scenario]]\nscript = 'a@b'\n",
		"comments.toml": "# [\"a@cpu\"]\n" + heading, "a.txt": one, "sub/x": one,
	} {
		path := filepath.Join(folder, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
			os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	known := &File{}
	files := map[string]*File{filepath.Join(folder, "crlf.toml"): known}
	if err := Below(folder, files); err != nil {
		t.Fatal(err)
	}
	var have []string
	for path, f := range files {
		if name, err := filepath.Rel(folder, path); err != nil || f == known != (name == "crlf.toml") ||
			f != known && len(f.Cases) != 1 {
			t.Errorf("%s: %v, %v", name, f, err)
		} else {
			have = append(have, filepath.ToSlash(name))
		}
	}
	slices.Sort(have)
	want := []string{"UPPER.TOML", "bom-crlf.toml", "bom.toml", "comment.toml", "crlf.toml", "dotted.toml",
		"indented.toml",
		"inline.toml", "sub/none.Toml", "written.toml"}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
	if err := Below(filepath.Join(folder, "missing"), files); err != nil {
		t.Errorf("a folder that does not exist: %v", err)
	}
	if err := os.WriteFile(filepath.Join(folder, "torn.toml"), []byte(one+"y ="), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Below(folder, files); err == nil ||
		!strings.Contains(err.Error(), "torn.toml:3: the baseline is not TOML") {
		t.Errorf("a baseline that cannot be read: %v", err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("[\"a\"]\nx = 1\n")
	f.Add("<<<<<<<")
	f.Fuzz(func(t *testing.T, text string) {
		file := &File{Path: "fuzz.toml", Cases: map[string]Values{}}
		if file.parse(text) != nil {
			return
		}
		file.Path = filepath.Join(t.TempDir(), "again.toml")
		if err := file.Write(atomicfile.OS); err != nil {
			t.Fatal(err)
		}
		if back, err := Read(file.Path); err != nil || !cmp.Equal(file.Cases, back.Cases, cmpopts.EquateNaNs(),
			cmpopts.EquateEmpty()) {
			t.Errorf("what was read is not read again: %v", err)
		}
	})
}

func TestTimes(t *testing.T) {
	steady, slower, wild := []float64{1, 1.01, 1.02, 0.99, 1}, []float64{1.2, 1.21, 1.22, 1.19, 1.2},
		[]float64{0.5, 1.5, 1.1, 0.7, 2}
	for _, c := range []struct {
		before, after []float64
		want          string
	}{{steady, slower, "SLOWER"}, {slower, steady, "FASTER"}, {steady, wild, "AMBIGUOUS"},
		{steady, steady, "AMBIGUOUS"}, {steady[:1], slower[:1], "AMBIGUOUS"}, {nil, slower, "AMBIGUOUS"}} {
		if have := CompareTimes("x", "seconds", c.before, c.after); have.Verdict() != c.want {
			t.Errorf("%v: %s, want %s", c, have, c.want)
		}
	}
}

// TestSpread compares times with quartiles between measurements.
func TestSpread(t *testing.T) {
	have := CompareTimes("x", "seconds", []float64{4, 1, 2, 3}, []float64{20, 40, 10, 30})
	want := Timing{Case: "x", Name: "seconds", Old: 2.5, New: 25, Runs: [2]int{4, 4}, Ratio: 10,
		Low: 17.5 / 3.25, High: 32.5 / 1.75}
	if diff := cmp.Diff(want, have); diff != "" {
		t.Error(diff)
	}
	if text := have.String(); text != "x10.00 (5.38 to 18.57) SLOWER, 2.5 s -> 25 s, 4 and 4 runs" {
		t.Error(text)
	}
	for _, test := range []struct {
		t    Timing
		want string
	}{
		{Timing{Runs: [2]int{3, 3}, Ratio: 2, Low: 1.5, High: 3}, "SLOWER"},
		{Timing{Runs: [2]int{2, 3}, Ratio: 2, Low: 1.5, High: 3}, "AMBIGUOUS"},
		{Timing{Runs: [2]int{3, 2}, Ratio: 2, Low: 1.5, High: 3}, "AMBIGUOUS"},
		{Timing{Runs: [2]int{3, 3}, Ratio: 2, Low: 1, High: 3}, "AMBIGUOUS"},
		{Timing{Runs: [2]int{3, 3}, Ratio: 0.5, Low: 0.2, High: 1}, "AMBIGUOUS"},
		{Timing{Runs: [2]int{3, 3}, Ratio: 0.5, Low: 0.2, High: 0.9}, "FASTER"},
	} {
		if have := test.t.Verdict(); have != test.want {
			t.Errorf("%+v: %s, want %s", test.t, have, test.want)
		}
	}
}
