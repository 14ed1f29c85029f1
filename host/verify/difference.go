package verify

import (
	"context"
	"slices"

	"roclua/workspace/sequence"
)

// disagreement is an operation with different results.
type disagreement struct {
	op         *sequence.Operation
	want, have string // results of the model and of the library
}

// replies are the results of the library, by the number of the operation. An operation that did not return has none.
type replies struct {
	ops     []*sequence.Operation
	results map[int]sequence.Result
}

// replay runs operations from the creation of a handle on both sides, without those that the model does not know, and
// returns the first difference and the results of the library. The library also ends size queries whose result the
// model does not know.
func (v *verifier) replay(ctx context.Context, ops []*sequence.Operation) (*disagreement, replies, error) {
	asked, want, err := v.askable(ops)
	if err != nil {
		return nil, replies{}, err
	}
	have, ended, err := v.vendor.run(ctx, asked)
	if err != nil {
		return nil, replies{}, err
	}
	done := replies{asked, have}
	for i, op := range asked {
		result, ok := have[i]
		switch {
		case !ok:
			return &disagreement{op, want[i].String(), ended}, done, nil
		case v.Compare && !want[i].unknown && !result.Absent && !result.Same(want[i].Result):
			return &disagreement{op, want[i].String(), result.String()}, done, nil
		}
	}
	return nil, done, nil
}

// askable returns the operations that the library can be asked, with the results of the model. An operation that is not
// asked changes a capture of the model or the last error of HIP, so the model runs again without it.
func (v *verifier) askable(ops []*sequence.Operation) (asked []*sequence.Operation, want []outcome, err error) {
	for {
		outcomes, err := v.model.run(ops)
		if err != nil {
			return nil, nil, err
		}
		asked, want = nil, nil
		for i, o := range outcomes {
			if !o.aborts && !o.LacksMemory() && (!o.unknown || !v.Compare || ops[i].StopsQuery()) {
				asked, want = append(asked, ops[i]), append(want, o)
			} else {
				asked = append(asked, ops[i+1:]...)
				break
			}
		}
		if len(asked) == len(want) {
			return asked, want, nil
		}
		ops = asked
	}
}

// explain reduces a difference to a script and adds it to the report.
func (v *verifier) explain(ctx context.Context, g *group, d *disagreement) error {
	v.report.count(g, differs)
	if !v.report.wantsScript(g) {
		return nil
	}
	ops := g.ops
	if g.call != nil {
		ops = around([]*group{g})
	}
	shorter, reduced, err := v.shrink(ctx, ops)
	if err != nil {
		return err
	}
	if reduced == nil { // it depends on the calls before; the results are those of the batch
		shorter, reduced = ops, d
	}
	v.report.add(g, shorter, reduced)
	return nil
}

// shrink removes operations as long as the two sides differ. It returns no difference if they agree from the beginning.
func (v *verifier) shrink(
	ctx context.Context, ops []*sequence.Operation,
) ([]*sequence.Operation, *disagreement, error) {
	last, _, err := v.replay(ctx, ops)
	if err != nil || last == nil {
		return ops, nil, err
	}
	ops = until(ops, last.op)
	for width := len(ops) / 2; width > 0; width /= 2 {
		for from := len(ops) - 1 - width; from > 0; from -= width {
			if from+width >= len(ops) {
				continue
			}
			shorter := slices.Concat(ops[:from], ops[from+width:])
			d, _, err := v.replay(ctx, shorter)
			if err != nil {
				return ops, nil, err
			}
			if d != nil {
				ops, last = until(shorter, d.op), d
			}
		}
	}
	return ops, last, nil
}

// until returns the operations up to one of them.
func until(ops []*sequence.Operation, last *sequence.Operation) []*sequence.Operation {
	return ops[:slices.Index(ops, last)+1]
}
