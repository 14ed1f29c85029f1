package analyze_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/internal/randomtest"
	"roclua/workspace/footprint"
)

// corpus is the lines of the recorded logs that describe one call each.
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

// mixture cuts, breaks and interleaves lines of the recorded logs. It returns the text and the whole lines used.
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
		case 0: // broken in two lines, but not within the last number: its second half would look like other text
			at = min(at, strings.LastIndexAny(strings.TrimRight(line, " \n"), " ,"))
			b.WriteString(line[:max(0, at)] + "\n" + line[max(0, at):])
		case 1: // another thread writes a line in the middle of this one
			b.WriteString(line[:at] + take() + line[at:])
		case 2: // cut at the start
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

var mixtures = flag.Int("mixtures", 2000, "mixtures of recorded lines that are read")

// TestMixtures reads mixtures: each call found must be in one of the whole lines.
func TestMixtures(t *testing.T) {
	of := map[string][]*analyze.Call{} // by line; mixtures have lines in common
	calls := func(line string) []*analyze.Call {
		if _, seen := of[line]; !seen {
			of[line] = read(t, "rocm-7.2", line).Calls
		}
		return of[line]
	}
	randomtest.Each(t, *mixtures, 10000, func(t *testing.T, r *rand.Rand, length int) {
		text, whole := mixture(r.Uint64())
		text = text[:min(len(text), length)]
		known := map[*routine.Routine][]*analyze.Call{}
		for _, line := range whole {
			for _, c := range calls(line) {
				known[c.Routine] = append(known[c.Routine], c)
			}
		}
		for _, c := range read(t, "rocm-7.2", text).Calls {
			if !isOneOf(c, known[c.Routine]) {
				t.Fatalf("%s %v is not in the log:\n%s", c.Routine.Name, values(c), text)
			}
		}
	})
}

// isOneOf reports whether a call's logged integers and options equal those in one of the calls.
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

// harmless decorates lines without losing information: prefixes, Markdown quotes, other text, and lines of several
// threads or files in any order. It returns the texts of the files.
func harmless(random *rand.Rand, list []string) []string {
	texts := make([]strings.Builder, 1+random.IntN(3))
	random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	for _, line := range list {
		b := &texts[random.IntN(len(texts))]
		end := strings.TrimSuffix(line, "\n")
		switch random.IntN(6) {
		case 0:
			b.WriteString("[1,0]<stdout>: " + line)
		case 1:
			b.WriteString("> `" + end + "` is slow\n")
		case 2:
			b.WriteString("some other text 12 34\n" + line + "and some more\n")
		case 3:
			b.WriteString("2025-01-01T00:00:00Z pod/app " + end + "\r\n")
		case 4:
			b.WriteString("```\n" + line + "```\n")
		default:
			b.WriteString(line)
		}
	}
	var all []string
	for i := range texts {
		all = append(all, texts[i].String())
	}
	return all
}

// pairs are the recorded lines of one run by kind; all kinds describe the same calls.
var pairs = sync.OnceValue(func() (list [][]string) {
	for _, release := range []string{"rocm-6.4", "rocm-7.2"} {
		kinds := make([][]string, 2)
		for line := range strings.Lines(string(unzip(nil, "testdata/"+release+"/blas.l7.all.log.gz"))) {
			switch {
			case strings.HasPrefix(line, "./rocblas-bench"):
				kinds[1] = append(kinds[1], line)
			case strings.HasPrefix(line, "rocblas_"):
				kinds[0] = append(kinds[0], line)
			}
		}
		list = append(list, kinds...)
	}
	return list
})

// TestHarmless reads decorated lines, in several files and in another order: the calls, their counts and their needs
// must match the plain lines.
func TestHarmless(t *testing.T) {
	randomtest.Each(t, *mixtures/4, 100, func(t *testing.T, random *rand.Rand, length int) {
		release := random.IntN(2)
		var list []string
		for _, kind := range pairs()[2*release : 2*release+1+random.IntN(2)] {
			list = append(list, kind...)
		}
		if random.IntN(2) == 0 {
			list = list[:1+random.IntN(len(list))]
		}
		list = list[:min(len(list), length)]
		plain := summary(read(t, "rocm-7.2", strings.Join(list, "")))
		texts := harmless(random, slices.Clone(list))
		if have := summary(read(t, "rocm-7.2", texts...)); !maps.Equal(have, plain) {
			t.Fatalf("the calls are\n%v\nwant\n%v\nin\n%s", have, plain, strings.Join(texts, "\n---\n"))
		}
	})
}

// summary returns the count of each call, and the unreadable calls.
func summary(a *analyze.Answer) map[string]int64 {
	times := map[string]int64{}
	for _, c := range a.Calls {
		times[fmt.Sprint(c.Routine.Name, values(c), c.Needs)] = c.Times
	}
	for _, f := range slices.Concat(a.Cut, a.NotModeled) {
		times[fmt.Sprint("not read: ", f.Kind, f.Name)] = f.Count
	}
	return times
}

// FuzzRead reads any text: it must not crash, and reading a byte at a time must give the same answer.
func FuzzRead(f *testing.F) {
	for seed := range uint64(50) {
		text, _ := mixture(seed)
		f.Add([]byte(text))
	}
	f.Add([]byte("------- ENTER rocsolver_dgetrf trace tree -------\nrocsolver_getrf_template (m: 1, n: 1, lda: 1)\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		var answers []string
		for _, in := range []io.Reader{bytes.NewReader(text), iotest.OneByteReader(bytes.NewReader(text))} {
			l := analyze.New(analyze.Options{Targets: []footprint.Target{target(t, "rocm-6.4"), target(t, "rocm-7.1")}})
			if err := l.Read(context.Background(), "app.log", in); err != nil {
				t.Fatal(err)
			}
			answers = append(answers, described(l.Answer()))
		}
		if answers[0] != answers[1] {
			t.Fatalf("%s\na byte at a time:\n%s", answers[0], answers[1])
		}
	})
}
