package host

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	_ "roclua/hip/cpu"
	"roclua/internal/randomtest"
)

// mergeScript ends in every way, and records every kind of value.
const mergeScript = `return { params = { n = 1, type = "d" }, expect = { double = "< 40" }, run = function(t)
  t:log("case", t.n, math.random())
  t:metric("double", t.n * 2, "bytes") t:metric("third", t.n / 3) t:metric("large", 2 ^ 60) t:metric("nan", 0 / 0)
  t:metric("text", "n=" .. t.n .. t.type) t:metric("took", 0.5, "s")
  t:check(t.n ~= 5, "n is not five")
  if t.n == 6 then error("six <is> too many") end
  if t.n == 7 then t:skip("seven is skipped") end
  if t.n == 8 then require("hip").malloc(64) end
end }`

// mergeConfig returns a random configuration.
func mergeConfig(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("isolation = \"case\"\n")
	if r.IntN(2) == 0 {
		b.WriteString("baseline = \"kept\"\n")
	}
	fmt.Fprintf(&b, "seed = %d\nshuffle = %v\n", r.IntN(100), r.IntN(2) == 0)
	b.WriteString("[expect]\n\"max(double)\" = \"< 30\"\n\"count(third)\" = \"> 2\"\n\"p90(none)\" = \"> 2\"\n")
	b.WriteString("[[target]]\nprofile = \"rocm-7.2\"\n")
	if r.IntN(2) == 0 {
		b.WriteString("[[target]]\nprofile = \"rocm-6.4\"\n")
	}
	n := 1 + r.IntN(22)
	fmt.Fprintf(&b, "[[scenario]]\nscript = \"a.lua\"\nmatrix = { n = \"1:%d\" }\n", n)
	if n >= 8 {
		b.WriteString("known_failures = [{ match = \"n=8\", reason = \"it leaks\" }, " +
			"{ match = 'n=3', reason = \"no\" }]\n")
	}
	switch r.IntN(3) {
	case 0:
		b.WriteString("[[scenario]]\nscript = \"b.lua\"\nzip = { n = [1, 5, 6], type = [\"s\", \"d\", \"c\"] }\n" +
			"expect = { \"sum(double)\" = \"== 24\" }\n")
	case 1:
		b.WriteString("[[scenario]]\nscript = \"b.lua\"\nrepeat = 3\n" +
			"skip = [{ match = \"repeat=2\", reason = \"no\" }]\n")
	}
	return b.String()
}

// program runs the program in this process.
func program(t *testing.T, args ...string) (code int, output string) {
	t.Helper()
	var out bytes.Buffer
	env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" },
		Now: time.Now, CPUs: 2}
	return Main(args, env), out.String()
}

// notCompared matches the text that differs between a merged run and a single one: times, and where it ran.
var notCompared = regexp.MustCompile(`(?s)\n  "argv": \[.*?\],|\n  "shards": \[.*?\n  \],|` +
	`"(seconds|started)": "?[-0-9.e+:TZ]+"?|(time|timestamp)="[^"]*"| in [0-9.]+ s|,[0-9]+\.[0-9]{6},|` +
	`\n  "environment": \{.*?\n  \},`)

func comparable(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return notCompared.ReplaceAllString(string(text), "")
}

// TestMergeEqualsOneRun divides random plans among random numbers of shards, cuts the events of their attempts at
// random bytes, runs them again, and compares the merged reports with the reports of a single run.
func TestMergeEqualsOneRun(t *testing.T) {
	rounds := 8
	if *all {
		rounds = 60
	}
	counts := mergeCounts{}
	randomtest.Each(t, rounds, 9, counts.round)
	t.Logf("%d plans: %d shards, %d attempts, %d files cut, %d of them in the first line", rounds, counts.shards,
		counts.attempts, counts.cuts, counts.early)
}

// mergeCounts counts the events of a test.
type mergeCounts struct{ shards, attempts, cuts, early int }

// round compares one plan. Length is the largest number of shards.
func (m *mergeCounts) round(t *testing.T, r *rand.Rand, length int) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"a.lua": mergeScript, "b.lua": mergeScript, "c.toml": mergeConfig(r)} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("ev", 0o755); err != nil {
		t.Fatal(err)
	}
	if r.IntN(2) == 0 {
		program(t, "run", "c.toml", "--update", "--filter", "/n=[1-46]/")
		text, _ := os.ReadFile("kept/a.toml")
		os.WriteFile("kept/a.toml", bytes.Replace(text, []byte("double = 8"), []byte("double = 9"), 1), 0o644)
	}
	plan := []string{"run", "c.toml", "--quiet"}
	if r.IntN(4) == 0 {
		plan = append(plan, "--filter", "/n=[1-8]/")
	}
	formats := []string{"json", "junit", "tap", "text", "csv", "markdown", "github"}
	outs := func(name string) (list []string) {
		for _, format := range formats {
			list = append(list, "--out", format+"="+name+"."+format)
		}
		return list
	}
	want, _ := program(t, append(append([]string{}, plan...), outs("one")...)...)
	count := min(length, 1+r.IntN(9))
	m.shards += count
	for k := 1; k <= count; k++ {
		m.shard(t, r, append(plan[:len(plan):len(plan)], "--shard", fmt.Sprintf("%d/%d", k, count)), k)
	}
	code, output := program(t, append([]string{"merge", "ev"}, outs("merged")...)...)
	if code != want {
		t.Fatalf("merge ended with %d, the run with %d: %s", code, want, output)
	}
	for _, format := range formats {
		one, merged := comparable(t, "one."+format), comparable(t, "merged."+format)
		if one != merged {
			i := 0
			for i < min(len(one), len(merged)) && one[i] == merged[i] {
				i++
			}
			t.Fatalf("%s differs: one run has\n%.300s\nthe merge has\n%.300s", format, one[max(0, i-150):],
				merged[max(0, i-150):])
		}
	}
}

// shard runs attempts of one shard. The events of each but the last are cut at a random byte. The next attempt resumes
// them, or starts again with another file.
func (m *mergeCounts) shard(t *testing.T, r *rand.Rand, args []string, k int) {
	t.Helper()
	name := fmt.Sprintf("ev/%d.jsonl", k)
	for attempt := 0; ; attempt++ {
		out := []string{"--resume", name}
		if attempt > 0 && r.IntN(3) == 0 {
			name = fmt.Sprintf("ev/%d.%d.jsonl", k, attempt)
			out = []string{"--out", "jsonl=" + name}
		}
		if code, output := program(t, append(args[:len(args):len(args)], out...)...); code == 2 || code == 70 {
			t.Fatalf("%v ended with %d: %s", args, code, output)
		}
		m.attempts++
		if attempt == 2 || r.IntN(3) > 0 {
			return
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		first := bytes.IndexByte(text, '\n')
		at := r.IntN(len(text))
		if at < first && r.IntN(3) > 0 {
			at = first + r.IntN(len(text)-first)
		}
		if at <= first {
			m.early++
		}
		if err := os.Truncate(name, int64(at)); err != nil {
			t.Fatal(err)
		}
		m.cuts++
	}
}
