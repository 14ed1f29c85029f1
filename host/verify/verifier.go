package verify

import "roclua/workspace/sequence"

// verifier runs a comparison.
type verifier struct {
	Options
	model  *model
	vendor *library
	report *Report
	seen   []compared // batches, for other releases
}

// compared is a batch of queries or calls with the library's results.
type compared struct {
	groups  []*group
	results map[int]sequence.Result
	loose   bool
}

// opening creates the handles of a batch, one on each device.
func (o *Options) opening() []*sequence.Operation { return sequence.CreateHandles(o.Devices, nil) }

// first returns the number of the first operation after the opening.
func (o *Options) first() int { return len(o.opening()) }

// around wraps the operations of groups in the creation and destruction of handles.
func (o *Options) around(groups []*group) []*sequence.Operation {
	ops := o.opening()
	for _, g := range groups {
		ops = append(ops, g.ops...)
	}
	return append(ops, sequence.DestroyHandles(o.Devices)...)
}

// resultsOf returns the results of n operations; complete is false if an operation did not return.
func resultsOf(all map[int]sequence.Result, first, n int) (list []sequence.Result, complete bool) {
	for i := range n {
		r, ok := all[first+i]
		if !ok {
			return list, false
		}
		list = append(list, r)
	}
	return list, true
}
