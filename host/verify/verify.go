// Package verify compares the model with the rocBLAS and rocSOLVER of this machine: it draws size queries, calls with
// valid and invalid arguments, and sequences of operations on a handle, and runs them on both. The libraries run Lua
// scripts in a worker process. A crash is therefore reported as a difference, and each difference as a script that
// reproduces it.
package verify

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

const (
	batchSize   = 200 // queries or calls in a script
	sequencesOf = 20  // queries for each sequence
)

// Run compares, and returns a report. It returns an error if the library cannot be run, ctx has ended, or a result
// cannot be recorded.
func Run(ctx context.Context, o Options) (*Report, error) {
	v := &verifier{Options: o, report: newReport(o)}
	v.model = newModel(o.Profile, o.Library)
	v.vendor = newLibrary(o)
	defer v.vendor.close()
	for _, kind := range Kinds {
		if !slices.Contains(o.Kinds, kind) {
			continue
		}
		run := map[Kind]func(context.Context, Kind) error{Queries: v.batches, Calls: v.batches, Sequences: v.sequences,
			Captures: v.captures, Layers: v.sequences}[kind]
		if err := run(ctx, kind); err != nil {
			return nil, err
		}
	}
	var err error
	if v.report.Differing() > 0 {
		v.report.Better, err = v.betterFit()
	}
	return v.report, err
}

// batches compares queries or calls. Every routine is drawn equally often.
func (v *verifier) batches(ctx context.Context, kind Kind) error {
	r := rand.New(rand.NewPCG(v.Seed, uint64(slices.Index(Kinds, kind))))
	order := r.Perm(len(v.Routines))
	for done := 0; done < v.Count; {
		var groups []*group
		for ; done < v.Count && len(groups) < batchSize; done++ {
			g := v.draw(r, kind, v.Routines[order[done%len(order)]])
			g.ops = sequence.WithDevice(r, v.Devices, g.ops)
			groups = append(groups, g)
		}
		if err := v.batch(ctx, groups); err != nil {
			return err
		}
	}
	return nil
}

func (v *verifier) draw(r *rand.Rand, kind Kind, rt *routine.Routine) *group {
	g := &group{kind: kind, family: rt.Family.Name, routine: rt}
	if kind == Queries {
		g.call = sequence.DrawCall(r, rt, sequence.Bare)
		g.ops = sequence.Query(g.call)
	} else {
		g.call = sequence.DrawExecuted(r, rt, v.model.calls)
		g.ops = sequence.Execute(g.call)
		if r.IntN(2) == 0 {
			g.ops = sequence.OnDevice(g.call)
		}
		g.ops = sequence.Scriptable(g.ops)
	}
	return g
}

// batch compares groups on one handle. A group that the library does not survive is compared alone, and the rest on
// another handle.
func (v *verifier) batch(ctx context.Context, groups []*group) error {
	for len(groups) > 0 {
		known, created, want, err := v.modelled(groups)
		if err != nil || len(known) == 0 {
			return err
		}
		have, ended, err := v.vendor.run(ctx, v.around(known))
		if err != nil {
			return err
		}
		at, returned := v.first(), 0
		create := sequence.CreateHandle(nil)
		loose := v.Compare && sameButMemory(created, have[0])
		if loose {
			v.report.addHandle(known[0], &disagreement{create, created.String(), have[0].String()})
		}
		if len(v.seen) < mostSeen {
			v.seen = append(v.seen, compared{known, have, loose})
		}
		for i, g := range known {
			part, complete := resultsOf(have, at, len(g.ops))
			if !complete {
				break
			}
			if err := v.compare(ctx, g, want[i], part, loose); err != nil {
				return err
			}
			at, returned = at+len(g.ops), i+1
		}
		if groups = known[returned:]; len(groups) == 0 {
			return nil
		}
		if err := v.alone(ctx, groups[0], ended); err != nil {
			return err
		}
		groups = groups[1:]
	}
	return nil
}

// modelled returns the groups with known model results, the results, and the result of creating the handle.
func (v *verifier) modelled(groups []*group) (known []*group, created sequence.Result, results [][]sequence.Result,
	err error) {
	outcomes, err := v.model.run(v.around(groups))
	if err != nil {
		return nil, created, nil, err
	}
	at := v.first()
	for _, g := range groups {
		part := outcomes[at : at+len(g.ops)]
		at += len(g.ops)
		if slices.ContainsFunc(part, func(o outcome) bool { return o.aborts || o.unknown && v.Compare }) {
			v.report.count(g, unmodelled)
			continue
		}
		var list []sequence.Result
		for _, o := range part {
			list = append(list, o.Result)
		}
		known, results = append(known, g), append(results, list)
	}
	return known, outcomes[0].Result, results, nil
}

// compare compares the results of a group, and records the library's results. See same for loose.
func (v *verifier) compare(ctx context.Context, g *group, want, have []sequence.Result, loose bool) error {
	if slices.ContainsFunc(have, func(r sequence.Result) bool { return r.Absent }) {
		v.report.count(g, absent)
		return nil
	}
	if err := v.Recorder.group(g, have); err != nil {
		return err
	}
	if !v.Compare {
		v.report.count(g, recorded)
		return nil
	}
	if i := firstDifference(want, have, loose); i >= 0 {
		d := &disagreement{op: g.ops[i], want: want[i].String(), have: have[i].String()}
		return v.explain(ctx, g, d)
	}
	v.report.count(g, agrees)
	return nil
}

// alone compares a group that the library did not finish in a batch on a separate handle.
func (v *verifier) alone(ctx context.Context, g *group, ended string) error {
	d, done, err := v.replay(ctx, v.around([]*group{g}))
	switch {
	case err != nil:
		return err
	case d == nil:
		list, complete := resultsOf(done.results, v.first(), len(g.ops))
		if !complete {
			return fmt.Errorf("the library has no result of %s: %s", g.routine.CName(), ended)
		}
		return v.compare(ctx, g, list, list, false) // replay found no difference
	case !v.Compare:
		v.report.count(g, crashed)
		return nil
	}
	return v.explain(ctx, g, d)
}

// sequences compares sequences, each on its own handle.
func (v *verifier) sequences(ctx context.Context, kind Kind) error {
	for i := range max(1, v.Count/sequencesOf) {
		r := rand.New(rand.NewPCG(v.Seed, uint64(100+i)))
		var ops []*sequence.Operation
		if kind == Sequences {
			ops = sequence.Scriptable(sequence.DrawSequence(r, v.Routines, v.Devices, v.model.calls))
		} else {
			ops = sequence.OnDevices(r, v.Devices, sequence.DrawLayers(r, v.Layers))
		}
		if err := v.sequence(ctx, &group{kind: kind, seed: v.Seed<<32 + uint64(i), ops: ops}); err != nil {
			return err
		}
	}
	return nil
}

// captures compares every operation while a stream is captured, and then drawn calls. Every routine is drawn equally
// often.
func (v *verifier) captures(ctx context.Context, kind Kind) error {
	cases := slices.DeleteFunc(sequence.CaptureCases(), func(c sequence.CaptureCase) bool {
		return c.Subject.Call != nil && !slices.Contains(v.Routines, c.Subject.Call.Routine)
	})
	r := rand.New(rand.NewPCG(v.Seed, uint64(slices.Index(Kinds, kind))))
	order := r.Perm(len(v.Routines))
	for i := range v.Count {
		cases = append(cases, sequence.DrawCaptureCase(r, v.Routines[order[i%len(order)]], v.model.calls))
	}
	for i, c := range cases {
		g := &group{kind: kind, family: c.Subject.CName(), seed: uint64(i),
			ops: sequence.OnDevices(r, v.Devices, sequence.Scriptable(c.Ops))}
		if err := v.captured(ctx, g); err != nil {
			return err
		}
	}
	return nil
}

// aborts is the recorded status of an operation during which the library ended the process.
const aborts = "aborts"

// captured compares a capture case. The library must end the process in the same operation as the model.
func (v *verifier) captured(ctx context.Context, g *group) error {
	outcomes, err := v.model.run(g.ops)
	if err != nil {
		return err
	}
	end := slices.IndexFunc(outcomes, func(o outcome) bool { return o.aborts })
	if end < 0 || !v.Compare {
		return v.sequence(ctx, g)
	}
	ops := g.ops[:end+1]
	have, ended, err := v.vendor.run(ctx, ops)
	if err != nil {
		return err
	}
	loose := sameButMemory(outcomes[0].Result, have[0])
	if loose {
		v.report.addHandle(g, &disagreement{ops[0], outcomes[0].String(), have[0].String()})
	}
	if d := endsUnlike(ops, outcomes, have, ended, loose); d != nil {
		v.report.count(g, differs)
		v.report.add(g, g.family, ops, d)
		return nil
	}
	have[end] = sequence.Result{Status: aborts}
	v.report.count(g, agrees)
	return v.Recorder.sequence(g, v.model.device.Archs, replies{ops: ops, results: have})
}

// endsUnlike returns the first operation where the library differs from the model; nil if there is none. The model
// ends the process in the last operation and in no other. ended describes the end of the library's process.
func endsUnlike(ops []*sequence.Operation, want []outcome, have map[int]sequence.Result, ended string,
	loose bool) *disagreement {
	last := len(ops) - 1
	for i, op := range ops {
		switch result, returned := have[i]; {
		case i == last && returned:
			return &disagreement{op, aborts, result.String()}
		case i < last && !returned:
			return &disagreement{op, want[i].String(), ended}
		case i < last && !(i == 0 && loose) && !same(want[i].Result, result, loose):
			return &disagreement{op, want[i].String(), result.String()}
		}
	}
	return nil
}

// sequence compares a sequence on its own handle.
func (v *verifier) sequence(ctx context.Context, g *group) error {
	d, done, err := v.replay(ctx, g.ops)
	if done.handle != nil {
		v.report.addHandle(g, done.handle)
	}
	switch {
	case err != nil:
		return err
	case d != nil && v.Compare:
		err = v.explain(ctx, g, d)
	case d != nil:
		v.report.count(g, crashed)
	case v.Compare:
		v.report.count(g, agrees)
	default:
		v.report.count(g, recorded)
	}
	if err != nil {
		return err
	}
	return v.Recorder.sequence(g, v.model.device.Archs, done)
}
