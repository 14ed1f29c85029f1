package baseline

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

func TestTolerance(t *testing.T) {
	for _, c := range []struct {
		text string
		a, b float64
		want bool
	}{
		{"0", 1, 1, true}, {"0", 1, 1.0000001, false}, {"10%", 100, 110, true}, {"10%", 100, 110.1, false},
		{"10 %", -100, -109, true},
		{"1e-3", 0, 1e-3, true}, {"1e-3", 0, -1.1e-3, false}, {"5%", math.NaN(), 1, false}, {"5%", math.Inf(1),
			math.Inf(1), true}, {"5%", 1, math.Inf(1), false},
	} {
		tolerance, err := ParseTolerance(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if have := tolerance.Covers(c.a, c.b); have != c.want {
			t.Errorf("%s covers %v to %v: %v, want %v", c.text, c.a, c.b, have, c.want)
		}
	}
	for _, text := range []string{"", "some", "-1", "%", "nan", "inf", "10%%"} {
		if v, err := ParseTolerance(text); err == nil {
			t.Errorf("%q is read as %v", text, v)
		}
	}
}

func TestFileKeepsWhatItIsGiven(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
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
	if err := f.Write(); err != nil {
		t.Fatal(err)
	}
	back, err := Read(f.Path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f.Cases, back.Cases, cmpopts.EquateNaNs(), cmpopts.EquateEmpty()); diff != "" || !back.Exists {
		t.Errorf("exists %v, %s", back.Exists, diff)
	}
}

func TestBadFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "b.toml")
	for text, want := range map[string]string{
		"[\"a\"]\n<<<<<<< HEAD\nx = 1\n=======\nx = 2\n": "b.toml:2: the baseline has a merge marker",
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

func FuzzParse(f *testing.F) {
	f.Add("[\"a\"]\nx = 1\n")
	f.Add("<<<<<<<")
	f.Fuzz(func(t *testing.T, text string) {
		file := &File{Path: "fuzz.toml", Cases: map[string]Values{}}
		if file.parse(text) != nil {
			return
		}
		file.Path = filepath.Join(t.TempDir(), "again.toml")
		if err := file.Write(); err != nil {
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
