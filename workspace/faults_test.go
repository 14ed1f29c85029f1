package workspace_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"roclua/hip/driver"
	"roclua/hip/fault"
	"roclua/workspace/status"
)

// ample is more device memory than any recorded sequence uses.
const ample = 1 << 62

// TestFaultsAreShortages replays the recorded sequences where the real library ran out of device memory, on a device
// that has enough: the allocations that failed in the recording fail by injection, and statuses, sizes and HIP calls
// must be the recorded ones.
func TestFaultsAreShortages(t *testing.T) {
	sequences, failures := 0, 0
	for _, profile := range recorded {
		for _, file := range goldenFiles(t, profile, "sequences") {
			readGolden(t, file, func(line int, s *recording) {
				failed := s.failed()
				if len(failed) == 0 {
					return
				}
				sequences++
				failures += len(failed)
				p := openFor(t, profile, s, ample)
				p.rt.SetFaults(fault.Plan{Nth: failed}.Begin())
				err := p.playAll(s)
				if stats := p.rt.Stats(); err == nil && stats.Injected != len(failed) {
					err = fmt.Errorf("%d allocations failed by fault injection, want %d", stats.Injected, len(failed))
				}
				if err != nil {
					t.Errorf("%s:%d (seed %d, %v): %v", filepath.Join(profile, filepath.Base(file)), line, s.Seed,
						s.Env, err)
				}
			})
		}
	}
	t.Logf("%d sequences of the real library with %d failed allocations agree", sequences, failures)
	if failures < 300 {
		t.Errorf("only %d failed allocations were recorded", failures)
	}
}

// failed returns the numbers of the allocations, from 1, that failed in the recording.
func (s *recording) failed() []int {
	var list []int
	allocations := 0
	for _, op := range s.Ops {
		for _, c := range op.HIP {
			if c[0] != "hipMalloc" && c[0] != "hipMallocAsync" || fmt.Sprint(c[1]) == "0" {
				continue
			}
			allocations++
			if fmt.Sprint(c[2]) != "0" {
				list = append(list, allocations)
			}
		}
	}
	return list
}

// all makes tests run every variant; by default they run a sample.
var all = flag.Bool("all", false, "run every variant, not a sample")

// TestFaultsLeaveNoTrace makes every single allocation of every recorded sequence fail in turn. The operation must
// return the status that the library returns without memory and leave the handle in the same state. Repeated, the
// operation and all that follow must return the recorded results. Without -all it takes an eighth of the sequences, and
// with -short a sixteenth.
func TestFaultsLeaveNoTrace(t *testing.T) {
	var sequences, failures, slower atomic.Int64
	t.Run("sequences", func(t *testing.T) {
		for _, profile := range recorded {
			for _, file := range goldenFiles(t, profile, "sequences") {
				t.Run(profile+"/"+filepath.Base(file), func(t *testing.T) {
					t.Parallel()
					readSample(t, file, share(), func(line int, s *recording) {
						if s.failed() != nil {
							return
						}
						sequences.Add(1)
						failed, degraded := failEach(t, profile, fmt.Sprintf("line %d", line), s)
						failures.Add(failed)
						slower.Add(degraded)
					})
				})
			}
		}
	})
	t.Logf("%d allocations of %d sequences failed one at a time; %d calls used a slower algorithm", failures.Load(),
		sequences.Load(), slower.Load())
	if n := failures.Load(); n*int64(share()) < 4000 || *all && n < 5000 {
		t.Errorf("only %d allocations failed by fault injection", failures.Load())
	}
}

// share returns how many recorded sequences there are for each one that is replayed.
func share() int {
	switch {
	case *all:
		return 1
	case testing.Short():
		return 16
	}
	return 8
}

// failEach replays a sequence once for each of its allocations, until one differs.
func failEach(t *testing.T, profile, name string, s *recording) (failures, slower int64) {
	for i, at := range s.allocations() {
		failures++
		p := openFor(t, profile, s, ample)
		p.rt.SetFaults(fault.Plan{Nth: []int{i + 1}}.Begin())
		degraded, err := p.playWithFault(s, at)
		if degraded {
			slower++
		}
		if err != nil {
			t.Errorf("%s (seed %d, %v), allocation %d: %v", name, s.Seed, s.Env, i+1, err)
			return failures, slower
		}
	}
	return failures, slower
}

// allocations returns the operation that made each of the recorded allocations.
func (s *recording) allocations() []int {
	var list []int
	for i, op := range s.Ops {
		for _, c := range op.HIP {
			if (c[0] == "hipMalloc" || c[0] == "hipMallocAsync") && fmt.Sprint(c[1]) != "0" {
				list = append(list, i)
			}
		}
	}
	return list
}

// playWithFault replays a sequence and makes the allocation of one operation fail. The operation is then repeated, and
// those after it are made, unless the failure replaced an earlier last error of HIP, which some routines return.
// degraded reports that a slower algorithm worked without the memory.
func (p *player) playWithFault(s *recording, at int) (degraded bool, err error) {
	p.env = s.Env
	for i := range s.Ops {
		op := &s.Ops[i]
		if i != at {
			if err := p.play(op); err != nil {
				return degraded, differs(i, op, err)
			}
			if err := p.compare(op); err != nil {
				return degraded, differs(i, op, err)
			}
			continue
		}
		earlier, _ := p.rt.Device().ReadLastError()
		degraded, err = p.playShort(op)
		if err != nil {
			return degraded, differs(i, op, err)
		}
		if earlier != driver.Success {
			return degraded, nil
		}
		p.rt.LastError() // otherwise a routine that reads it would return it
		if err := p.play(op); err != nil {
			return degraded, differs(i, op, fmt.Errorf("repeated: %w", err))
		}
		if degraded && !p.holds(op) { // the handle grew to less, which was enough: the recorded sizes no longer apply
			return degraded, nil
		}
		p.rt.Trace()
		if !p.holds(op) {
			return degraded, differs(i, op, fmt.Errorf("repeated, it leaves %s", p.handle))
		}
	}
	if left := p.rt.Stats().LiveBytes; left != matrixBytes+workspaceBytes {
		return degraded, fmt.Errorf("%d bytes are left in the end", left)
	}
	return degraded, nil
}

// holds reports whether the handle's size is the recorded one.
func (p *player) holds(op *operation) bool {
	held, err := p.handle.DeviceMemorySize()
	return op.Held == nil || err == nil && held == *op.Held
}

// playShort plays the operation whose allocation fails, and checks the status and the state.
func (p *player) playShort(op *operation) (degraded bool, err error) {
	want := status.MemoryError
	forCall := op.HIP[0][0] == "hipMallocAsync" && strings.HasPrefix(op.Op, "roc") // for the call only, in stream order
	switch {
	case forCall && strings.HasPrefix(op.Op, "rocsolver_"):
		want = status.Success // the library ignores the failure and launches kernels without memory
	case strings.Contains(op.Op, "gemv"), strings.Contains(op.Op, "trsm"):
		want, degraded = status.PerfDegraded, true
	}
	short, text := *op, want.Short()
	short.Status = &text
	err = p.play(&short)
	if n := p.rt.Stats().Injected; err == nil && n != 1 {
		err = fmt.Errorf("%d allocations failed, want 1", n)
	}
	if err != nil {
		return degraded, err
	}
	if degraded || forCall || op.Op == "create_handle" {
		return degraded, nil
	}
	if held, err := p.handle.DeviceMemorySize(); err != nil || held != 0 || !p.handle.IsManaging() {
		return false, fmt.Errorf("after the failure the handle is %s (%v)", p.handle, err)
	}
	if left := p.rt.Stats().LiveBytes; left != matrixBytes+workspaceBytes {
		return false, fmt.Errorf("after the failure the handle still holds %d bytes", left-matrixBytes-workspaceBytes)
	}
	return false, nil
}
