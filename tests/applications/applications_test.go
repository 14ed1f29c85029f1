package applications

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	program = flag.String("applications.roclua", "", "the program that records; without it the tests are skipped")
	lists   = flag.String("applications.lists", ".", "the folder with the programs")
	only    = flag.String("applications.only", "", "run only the programs whose names match the regular expression")
	seed    = flag.Uint64("applications.seed", 1, "seed of the drawn calls of benchmarks")
	drawn   = flag.Int("applications.count", 40, "drawn calls of each benchmark")
	patient = flag.Duration("applications.timeout", 2*time.Minute, "time for a program")
)

// application is a program with its arguments.
type application struct {
	name    string
	command []string
}

// score is how much of a recording the model predicts.
type score struct{ Right, All int64 }

// answer is the part of the answer of roclua log that is compared.
type answer struct {
	Handles []struct {
		Calls           int64
		RecordedGrowths []struct{} `json:"recorded_growths"`
	}
	Agreement   struct{ Growths, Statuses, Queries score }
	Differences []struct {
		Call                                int64
		Function, What, Recorded, Predicted string
	}
}

// TestApplications records programs and compares the recordings with the model. A program may fail: its numbers are
// wrong without a GPU.
func TestApplications(t *testing.T) {
	if *program == "" {
		t.Skip("no program; see make applications")
	}
	selected, err := regexp.Compile(*only)
	if err != nil {
		t.Fatal(err)
	}
	var total answer
	programs, calls, handles := 0, int64(0), 0
	for _, app := range programsIn(t) {
		if !selected.MatchString(app.name) {
			continue
		}
		a, ended := record(t, app)
		if a == nil {
			t.Logf("%s: nothing recorded: %s", app.name, ended)
			continue
		}
		programs++
		handles += len(a.Handles)
		for _, h := range a.Handles {
			calls += h.Calls
		}
		total.add(a)
		t.Logf("%s: %s; %s", app.name, a, ended)
		for _, d := range a.Differences {
			t.Errorf("%s: call %d, %s: %s: recorded %s, predicted %s", app.name, d.Call, d.Function, d.What, d.Recorded,
				d.Predicted)
		}
	}
	t.Logf("%d programs, %d handles, %d calls: %s", programs, handles, calls, &total)
	if programs == 0 {
		t.Error("no program was recorded")
	}
}

func (a *answer) add(b *answer) {
	for _, s := range []struct{ to, from *score }{{&a.Agreement.Growths, &b.Agreement.Growths},
		{&a.Agreement.Statuses, &b.Agreement.Statuses}, {&a.Agreement.Queries, &b.Agreement.Queries}} {
		s.to.Right += s.from.Right
		s.to.All += s.from.All
	}
}

func (a *answer) String() string {
	s := a.Agreement
	return fmt.Sprintf("growths %d of %d, statuses %d of %d, queries %d of %d", s.Growths.Right, s.Growths.All,
		s.Statuses.Right, s.Statuses.All, s.Queries.Right, s.Queries.All)
}

// record records a program and returns the answer, nil if it made no call, and how the program ended.
func record(t *testing.T, app application) (*answer, string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "app.rec")
	ctx, cancel := context.WithTimeout(t.Context(), *patient)
	defer cancel()
	c := exec.CommandContext(ctx, *program, append([]string{"record", "--without-gpu", "-o", file, "--",
		"timeout", fmt.Sprint(int(patient.Seconds()) - 5)}, app.command...)...)
	c.Dir = *lists
	out, err := c.CombinedOutput()
	ended := "ends well"
	if err != nil {
		ended = err.Error()
	}
	if why := lastLine(out); strings.HasPrefix(why, "roclua: ") { // the program did not run
		t.Fatalf("%s: %s", app.name, why)
	}
	files, _ := filepath.Glob(file + "*")
	if len(files) == 0 {
		return nil, ended + ": " + lastLine(out)
	}
	text, err := exec.Command(*program, append([]string{"log", "--out", "json"}, files...)...).Output()
	if err != nil {
		return nil, fmt.Sprintf("%s; roclua log: %v", ended, err)
	}
	a := &answer{}
	if err := json.Unmarshal(text, a); err != nil {
		t.Fatalf("%s: %v", app.name, err)
	}
	return a, ended
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// programsIn reads the list of programs of this release and draws calls of the installed benchmarks.
// A line has a name and a command; in a command with words, {} is one of them.
func programsIn(t *testing.T) (all []application) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(*lists, "programs.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		name, rest, ok := strings.Cut(strings.TrimSpace(line), ": ") // NAME: COMMAND [for WORDS]
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		words := []string{""}
		if command, list, ok := strings.Cut(rest, " for "); ok {
			rest, words = command, strings.Fields(list)
		}
		for _, word := range words {
			command := strings.Fields(strings.ReplaceAll(rest, "{}", word))
			if _, err := os.Stat(command[0]); filepath.IsAbs(command[0]) && err != nil {
				continue // of another release
			}
			all = append(all, application{strings.TrimSpace(name + " " + word), command})
		}
	}
	r := rand.New(rand.NewPCG(*seed, 1))
	for _, bench := range []struct {
		pattern   string
		functions []benchFunction
		solver    bool
	}{{"/usr/libexec/rocm/librocblas*-bench/rocblas-bench", rocblasFunctions, false},
		{"/usr/libexec/rocm/librocsolver*-bench/rocsolver-bench", rocsolverFunctions, true}} {
		paths, _ := filepath.Glob(bench.pattern)
		order := r.Perm(len(bench.functions))
		for i := range *drawn {
			args := drawBench(r, bench.functions[order[i%len(order)]], bench.solver)
			for _, path := range paths {
				name := filepath.Base(path) + " " + strings.Join(args, " ")
				all = append(all, application{name, slices.Concat([]string{path}, args)})
			}
		}
	}
	return all
}
