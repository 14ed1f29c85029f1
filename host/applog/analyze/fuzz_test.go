package analyze_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/workspace/footprint"
)

// corpus is the lines of the recorded logs that are about one call each.
var corpus = sync.OnceValue(func() []string {
	var list []string
	files, _ := filepath.Glob("testdata/rocm-*/*.gz")
	for _, file := range files {
		if strings.Contains(file, ".calls.json") {
			continue
		}
		for line := range strings.Lines(string(unzip(nil, file))) {
			if strings.Contains(line, "-bench") || strings.HasPrefix(line, "rocblas_") ||
				strings.HasPrefix(line, "- {") {
				list = append(list, line)
			}
		}
	}
	return list
})

// mixture cuts, wraps and interleaves lines of the recorded logs. It returns the text and the whole lines of which it
// is made.
func mixture(seed uint64) (text string, whole []string) {
	random := rand.New(rand.NewPCG(seed, 1))
	lines := corpus()
	var b strings.Builder
	take := func() string {
		line := lines[random.IntN(len(lines))]
		whole = append(whole, line)
		return line
	}
	for range 1 + random.IntN(12) {
		line := take()
		at := random.IntN(len(line))
		switch random.IntN(8) {
		case 0: // wrapped, but not within the last number: nothing shows that its second half belongs to it
			at = min(at, strings.LastIndexAny(strings.TrimRight(line, " \n"), " ,"))
			b.WriteString(line[:max(0, at)] + "\n" + line[max(0, at):])
		case 1: // another thread writes a line in the middle of this one
			b.WriteString(line[:at] + take() + line[at:])
		case 2: // cut at the begin
			b.WriteString("\n" + line[at:])
		case 3:
			b.WriteString("[1,0]<stdout>: " + line)
		case 4:
			b.WriteString("`" + strings.TrimSpace(line) + "` is slow\n")
		case 5:
			b.WriteString("some other text 12 34\n" + line)
		default:
			b.WriteString(line)
		}
	}
	text = b.String()
	return text[:random.IntN(len(text)+1)], whole
}

// mixtures is the number of mixtures that are read; 60,000 were.
const mixtures = 3000

// TestMixtures reads mixtures: each call that is found must be in one of the whole lines.
func TestMixtures(t *testing.T) {
	for seed := range uint64(mixtures) {
		text, whole := mixture(seed)
		known := map[*routine.Routine][]*analyze.Call{}
		for _, c := range read(t, "rocm-7.2", whole...).Calls {
			known[c.Routine] = append(known[c.Routine], c)
		}
		for _, c := range read(t, "rocm-7.2", text).Calls {
			if !isOneOf(c, known[c.Routine]) {
				t.Fatalf("seed %d: %s %v is not in the log:\n%s", seed, c.Routine.Name, values(c), text)
			}
		}
	}
}

// isOneOf reports whether the integers and options that a log gives for a call are those of one of the calls.
func isOneOf(c *analyze.Call, of []*analyze.Call) bool {
	a := c.Args()
	for _, o := range of {
		b, same := o.Args(), true
		for i := range c.Routine.Params {
			p := &c.Routine.Params[i]
			if c.Known.Has(p.Slot) && !p.Kind.IsPointer() && a.Int(p.Slot) != b.Int(p.Slot) {
				same = false
			}
		}
		if same {
			return true
		}
	}
	return false
}

func values(c *analyze.Call) (list []int64) {
	a := c.Args()
	for i := range c.Routine.Params {
		if p := &c.Routine.Params[i]; !p.Kind.IsPointer() && c.Known.Has(p.Slot) {
			list = append(list, a.Int(p.Slot))
		}
	}
	return list
}

// FuzzRead reads any text: it must not crash.
func FuzzRead(f *testing.F) {
	for seed := range uint64(50) {
		text, _ := mixture(seed)
		f.Add([]byte(text))
	}
	f.Add([]byte("------- ENTER rocsolver_dgetrf trace tree -------\nrocsolver_getrf_template (m: 1, n: 1, lda: 1)\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, "rocm-6.4"), target(t, "rocm-7.1")}})
		if err := l.Read(context.Background(), "app.log", bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		l.Answer()
	})
}
