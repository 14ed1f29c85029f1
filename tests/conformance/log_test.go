package conformance

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"roclua/hip/dl"
	"roclua/hip/routine"
	"roclua/host/applog/analyze"
	"roclua/workspace/footprint"
	"roclua/workspace/sequence"
)

// applicationSeed is the environment variable that makes TestApplication act as an application.
const applicationSeed = "ROCLUA_APPLICATION_SEED"

// grew is the prefix of lines that report an application's handle growths.
const grew = "application: the handle grew to "

// logLayers select the log lines of an application: traces, commands or both of rocBLAS, and traces of rocSOLVER, or
// commands, from which predictions are uncertain.
var logLayers = []struct{ blas, solver string }{{"1", "1"}, {"2", "2"}, {"3", "1"}, {"2", "1"}, {"11", "1"}}

// TestApplication is not a test: it is an application that makes random calls with logging, in its own process.
func TestApplication(t *testing.T) {
	number, err := strconv.ParseUint(os.Getenv(applicationSeed), 10, 64)
	if err != nil {
		t.Skip("it is not an application")
	}
	library, _, closeBoth := pair(t, 256<<30)
	defer closeBoth()
	if lib, err := dl.Open("librocsolver.so.0"); err == nil {
		if begin, err := lib.Symbol("rocsolver_log_begin"); err == nil {
			dl.Call(begin)
		}
	}
	r := rand.New(rand.NewPCG(number, 7))
	for range 1 + r.IntN(3) {
		operate(t, library, sequence.CreateHandle(nil))
		for range 10 + r.IntN(60) {
			for _, op := range sequence.Execute(drawApplicationCall(r)) {
				for _, text := range operate(t, library, op) {
					if bytes, ok := strings.CutPrefix(text, "hipMalloc "); ok {
						fmt.Fprintln(os.Stderr, grew+strings.Fields(bytes)[0])
					}
				}
			}
		}
		operate(t, library, sequence.DestroyHandle())
	}
}

// operate runs an operation on the library and returns its memory calls.
func operate(t *testing.T, library *sequence.Side, op *sequence.Operation) []string {
	t.Helper()
	result, err := library.Run(op)
	if err != nil {
		t.Fatal(err)
	}
	return result.Calls
}

// largeCalls are families with calls that can need more than a new handle has, and with kernels that do not read array
// sizes on the host.
var largeCalls = []string{"rocblas_dtrsm", "rocblas_ztrsm", "rocblas_strsm", "rocsolver_dgetrf", "rocsolver_dgetri",
	"rocsolver_dgeqrf", "rocsolver_dgetrs", "rocsolver_dpotrf", "rocsolver_zgetrf", "rocsolver_dormqr",
	"rocblas_dtrtri", "rocsolver_dgebrd"}

// drawApplicationCall draws a call with arrays that fit the arena, or a large one for its memory need only.
func drawApplicationCall(r *rand.Rand) *sequence.Call {
	if r.IntN(2) == 0 || findStub() == nil {
		for {
			rt := drawRoutine(r, false)
			if !rt.Family.Mixed() {
				return sequence.DrawCall(r, rt, sequence.Executed)
			}
		}
	}
	rt, _ := routine.Lookup(largeCalls[r.IntN(len(largeCalls))])
	d := sequence.DrawCall(r, rt, sequence.Executed)
	clear(d.Null) // rocSOLVER lines and commands do not show null pointers
	a := rt.New()
	n := int64(64 + r.IntN(6000))
	for i := range rt.Params {
		p := &rt.Params[i]
		if p.Kind.IsInteger() && p.Role == routine.NoRole && p.Slot != routine.BatchCount {
			d.Ints[p.Slot] = n
		}
		a.SetInt(p.Slot, d.Ints[p.Slot])
		if p.Role != routine.NoRole {
			d.Ints[p.Slot] = routine.Smallest(a, p)
			a.SetInt(p.Slot, d.Ints[p.Slot])
		}
	}
	return d
}

// TestLogs runs logging applications, and compares their handle growths with the predictions of roclua log. A wrong
// prediction is allowed only if the answer marks it as uncertain.
func TestLogs(t *testing.T) {
	library, _, closeBoth := pair(t, 64<<30)
	profile, arch := library.Profile, library.Runtime.Device().Properties().Arch
	closeBoth()
	if library.Log == nil || findStub() == nil {
		t.Skip("HIP calls are known only on the HIP runtime without a GPU")
	}
	arch, _, _ = strings.Cut(arch, ":")
	right, uncertain, growths := 0, 0, 0
	for i := range max(1, *count/200) { // of 10 seconds on average
		text := runApplication(t, *seed+uint64(i), i)
		l := analyze.New(analyze.Options{Targets: []footprint.Target{{Profile: profile, Arch: arch}}})
		if err := l.Read(context.Background(), "app.log", bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		answer := l.Answer()
		managed := answer.Targets[0].Managed
		var have, want []string
		for _, g := range managed.Growths {
			have = append(have, fmt.Sprint(g.To))
		}
		for line := range strings.Lines(string(text)) {
			if bytes, ok := strings.CutPrefix(line, grew); ok {
				want = append(want, strings.TrimSpace(bytes))
			}
		}
		growths += len(want)
		switch {
		case slices.Equal(have, want):
			right++
		case !managed.Exact:
			uncertain++
		default:
			t.Errorf("seed %d: the handle grows to %s, and roclua log predicts %s from\n%s", *seed+uint64(i), want,
				have, text)
		}
	}
	t.Logf("%d applications with %d growths: %d predictions are right, %d are wrong and said to be uncertain",
		right+uncertain, growths, right, uncertain)
}

// runApplication returns the log that an application writes to standard error.
func runApplication(t *testing.T, number uint64, i int) []byte {
	t.Helper()
	layers := logLayers[i%len(logLayers)]
	c := exec.Command(os.Args[0], "-test.run", "^TestApplication$", "-conformance.routines", *only)
	c.Env = append(os.Environ(), fmt.Sprintf("%s=%d", applicationSeed, number), "ROCBLAS_LAYER="+layers.blas,
		"ROCSOLVER_LAYER="+layers.solver)
	var log, out bytes.Buffer
	c.Stderr, c.Stdout = &log, &out
	if err := c.Run(); err != nil {
		t.Fatalf("application of seed %d: %v\n%s", number, err, &out)
	}
	return log.Bytes()
}
