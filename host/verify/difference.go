package verify

import (
	"context"
	"slices"
	"strings"

	"roclua/workspace/sequence"
)

// replay runs operations on both sides, starting with the creation of a handle, and returns the first difference and
// the library's results. It skips operations unknown to the model, except for the end of size queries, which the
// library always runs.
func (v *verifier) replay(ctx context.Context, ops []*sequence.Operation) (*disagreement, replies, error) {
	asked, want, err := v.askable(ops)
	if err != nil {
		return nil, replies{}, err
	}
	have, ended, err := v.vendor.run(ctx, asked)
	if err != nil {
		return nil, replies{}, err
	}
	done := replies{ops: asked, results: have}
	for i, op := range asked {
		result, ok := have[i]
		switch {
		case !ok:
			return &disagreement{op, want[i].String(), ended}, done, nil
		case v.Compare && op.IsCreate() && sameButMemory(want[i].Result, result):
			done.handle = &disagreement{op, want[i].String(), result.String()}
		case v.Compare && !want[i].unknown && !result.Absent && !same(want[i].Result, result, done.handle != nil):
			return &disagreement{op, want[i].String(), result.String()}, done, nil
		}
	}
	return nil, done, nil
}

// askable returns the operations to run on the library, with the results of the model. An omitted operation may have
// changed a capture of the model or the last HIP error, so the model runs again without it.
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
	ops, subject := g.ops, g.family
	if g.call != nil {
		ops = v.around([]*group{g})
	}
	if subject == "" {
		subject = titleOf(ops, d.op)
	}
	subject += ": " + firstWord(d.want) + ", " + firstWord(d.have) // statuses: different ones have different causes
	if !v.report.wantsScript(subject) {
		return nil
	}
	shorter, reduced, err := v.shrink(ctx, ops)
	if err != nil {
		return err
	}
	if reduced == nil { // it depends on earlier calls; use the results of the batch
		shorter, reduced = ops, d
	}
	v.report.add(g, subject, shorter, reduced)
	return nil
}

func firstWord(text string) string {
	if i := strings.IndexAny(text, " ,"); i >= 0 {
		return text[:i]
	}
	return text
}

// shrink removes operations while the two sides still differ. It returns no difference if they agree at the start.
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

// until returns the operations up to and including one of them.
func until(ops []*sequence.Operation, last *sequence.Operation) []*sequence.Operation {
	return ops[:slices.Index(ops, last)+1]
}
