package verify

import (
	"iter"
	"math/rand/v2"
	"slices"

	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// testCase is operations that are compared together, from the creation of a handle on each device to the end.
type testCase struct {
	number  int // from 1, over all kinds
	kind    Kind
	family  string           // "" for sequences
	routine *routine.Routine // of a query or a call
	call    *sequence.Call
	seed    uint64 // of a sequence
	ops     []*sequence.Operation
}

// sequencesOf is the number of queries for each sequence.
const sequencesOf = 20

// cases draws the cases. Equal options have equal cases.
func (o *Options) cases() iter.Seq[*testCase] {
	draw := map[Kind]func(Kind) iter.Seq[*testCase]{Queries: o.single, Calls: o.single, Sequences: o.sequences,
		Captures: o.captures, Layers: o.sequences}
	return func(yield func(*testCase) bool) {
		number := 0
		for _, kind := range Kinds {
			if !slices.Contains(o.Kinds, kind) {
				continue
			}
			for c := range draw[kind](kind) {
				number++
				c.number, c.kind = number, kind
				if !yield(c) {
					return
				}
			}
		}
	}
}

func (o *Options) stream(kind Kind) *rand.Rand {
	return rand.New(rand.NewPCG(o.Seed, uint64(slices.Index(Kinds, kind))))
}

// single draws queries or calls. Every routine is drawn equally often.
func (o *Options) single(kind Kind) iter.Seq[*testCase] {
	return func(yield func(*testCase) bool) {
		r := o.stream(kind)
		order := r.Perm(len(o.Routines))
		for i := range o.Count {
			rt := o.Routines[order[i%len(order)]]
			c := &testCase{family: rt.Family.Name, routine: rt}
			if kind == Queries {
				c.call = sequence.DrawCall(r, rt, sequence.Bare)
				c.ops = sequence.Query(c.call)
			} else {
				c.call = sequence.DrawExecuted(r, rt, o.Library.Calls)
				c.ops = sequence.Execute(c.call)
				if r.IntN(2) == 0 {
					c.ops = sequence.OnDevice(c.call)
				}
			}
			c.ops = slices.Concat(sequence.CreateHandles(o.Devices, nil), sequence.WithDevice(r, o.Devices, c.ops),
				sequence.DestroyHandles(o.Devices))
			if !yield(c) {
				return
			}
		}
	}
}

// sequences draws sequences of operations of rocBLAS and rocSOLVER, or of the libraries above them.
func (o *Options) sequences(kind Kind) iter.Seq[*testCase] {
	return func(yield func(*testCase) bool) {
		for i := range max(1, o.Count/sequencesOf) {
			r := rand.New(rand.NewPCG(o.Seed, uint64(100+i)))
			c := &testCase{seed: o.Seed<<32 + uint64(i)}
			if kind == Sequences {
				c.ops = sequence.DrawSequence(r, o.Routines, o.Devices, o.Library.Calls)
			} else {
				c.ops = sequence.OnDevices(r, o.Devices, sequence.DrawLayers(r, o.Layers))
			}
			if !yield(c) {
				return
			}
		}
	}
}

// captures has every operation while a stream is captured, and then drawn calls. Every routine is drawn equally often.
func (o *Options) captures(kind Kind) iter.Seq[*testCase] {
	return func(yield func(*testCase) bool) {
		list := slices.DeleteFunc(sequence.CaptureCases(), func(c sequence.CaptureCase) bool {
			return c.Subject.Call != nil && !slices.Contains(o.Routines, c.Subject.Call.Routine)
		})
		r := o.stream(kind)
		order := r.Perm(len(o.Routines))
		for i := range o.Count {
			list = append(list, sequence.DrawCaptureCase(r, o.Routines[order[i%len(order)]], o.Library.Calls))
		}
		for i, c := range list {
			ops := sequence.OnDevices(r, o.Devices, c.Ops)
			if !yield(&testCase{family: c.Subject.CName(), seed: uint64(i), ops: ops}) {
				return
			}
		}
	}
}
