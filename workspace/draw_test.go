package workspace_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/internal/randomtest"
	"roclua/workspace/sequence"
)

// TestFaultsInRandomSequences draws sequences of operations and calls, records the model's results, and replays them
// while every single allocation fails in turn. Calls need more here than in the recorded sequences, so that handles
// grow that already hold memory. With -all it draws more of them.
func TestFaultsInRandomSequences(t *testing.T) {
	failures, slower, growths := int64(0), int64(0), 0
	count := 60
	if *all {
		count = 960
	}
	randomtest.Each(t, count, 40, func(t *testing.T, r *rand.Rand, length int) {
		profile := recorded[r.IntN(len(recorded))]
		s := drawSequence(t, r, profile, length)
		if s == nil {
			return
		}
		growths += s.growths()
		failed, degraded := failEach(t, profile, "a drawn sequence", s)
		failures, slower = failures+failed, slower+degraded
	})
	t.Logf("%d allocations failed one at a time, %d calls used a slower algorithm; %d times a handle grew", failures,
		slower, growths)
	if failures < int64(4*count) || growths < count/60 {
		t.Errorf("%d failed allocations, %d growths", failures, growths)
	}
}

// growths counts the calls that freed a handle's memory and allocated more.
func (s *recording) growths() int {
	n := 0
	for _, op := range s.Ops {
		if strings.HasPrefix(op.Op, "roc") && len(op.HIP) > 1 && op.HIP[0][0] == "hipFree" &&
			op.HIP[1][0] == "hipMalloc" {
			n++
		}
	}
	return n
}

// drawSequence draws operations and records the model's results. It returns nil if an operation makes so many HIP
// calls, such as the waits of geblttrf for 340 blocks of order 20,000, that their trace lacks the first ones.
func drawSequence(t *testing.T, r *rand.Rand, profile string, length int) *recording {
	t.Helper()
	s := &recording{Env: drawEnvironment(r)}
	p := openFor(t, profile, s, ample)
	p.env = s.Env
	for _, op := range append([]operation{{Op: "create_handle"}}, drawOperations(r, length)...) {
		if p.record(&op) {
			s.Ops = append(s.Ops, op)
		}
		if p.traced >= 1<<17 { // a full trace drops the older half of 2^18 calls
			return nil
		}
	}
	last := operation{Op: "destroy_handle"}
	p.record(&last)
	s.Ops = append(s.Ops, last)
	return s
}

func drawEnvironment(r *rand.Rand) map[string]string {
	env := map[string]string{}
	if r.IntN(3) == 0 {
		env["ROCBLAS_STREAM_ORDER_ALLOC"] = "1"
	}
	if r.IntN(3) == 0 {
		env["ROCBLAS_DEVICE_MEMORY_SIZE"] = []string{"0", "64", "1000", strconv.Itoa(r.IntN(64 * mib))}[r.IntN(4)]
	}
	if r.IntN(3) == 0 {
		env["STUBHIP_ARCH"] = "gfx942"
	}
	return env
}

func drawOperations(r *rand.Rand, length int) (list []operation) {
	for range length {
		switch r.IntN(10) {
		case 0:
			list = append(list, operation{Op: "set_device_memory_size", Size: uint64(r.IntN(3) * r.IntN(40*mib))})
		case 1:
			list = append(list, operation{Op: "set_workspace", Size: uint64(r.IntN(workspaceBytes)),
				Null: r.IntN(2) == 0})
		case 2:
			list = append(list, operation{Op: "start"}, drawCall(r), operation{Op: "stop"})
		case 3:
			list = append(list, operation{Op: []string{"is_managing", "is_user_managing"}[r.IntN(2)]})
		default:
			list = append(list, drawCall(r))
		}
	}
	return list
}

// drawCall draws good arguments of any routine.
func drawCall(r *rand.Rand) operation {
	rt := routine.All()[r.IntN(len(routine.All()))]
	for rt.Wide || rt.Family.Mixed() {
		rt = routine.All()[r.IntN(len(routine.All()))]
	}
	op := operation{Op: rt.CName(), Args: map[string]json.Number{}}
	for slot, v := range sequence.DrawCall(r, rt, sequence.Modelled).Ints {
		p, _ := rt.ParamAt(slot)
		op.Args[p.Name] = json.Number(strconv.FormatInt(v, 10))
	}
	return op
}

// record runs an operation and records its results. It returns false when there are none: the library would end the
// process, or the model does not know the size.
func (p *player) record(op *operation) bool {
	a, err := p.do(op)
	p.traced = p.rt.Recorder().Undrained()
	calls := memoryCalls(p.rt.Trace())
	if err != nil {
		return false
	}
	text := a.status.Short()
	op.Status, op.HIP = &text, nil
	for _, c := range calls {
		var words []any
		for _, word := range strings.Fields(c) {
			words = append(words, word)
		}
		op.HIP = append(op.HIP, words)
	}
	switch {
	case op.Op == "stop":
		op.Size = a.size
	case strings.HasPrefix(op.Op, "is_"):
		op.Value = &a.value
	}
	if held, err := p.handle.DeviceMemorySize(); err == nil {
		op.Held = &held
	}
	return true
}
