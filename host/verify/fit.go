package verify

import (
	"fmt"

	"roclua/workspace"
	"roclua/workspace/sequence"
)

// betterFit compares the results of the library with the models of the other releases, and returns the one that differs
// least if it differs less than the profile; otherwise nil.
func (v *verifier) betterFit() (*Fit, error) {
	own, err := v.fit(v.Profile)
	if err != nil {
		return nil, err
	}
	var best *Fit
	for _, p := range workspace.Profiles() {
		if p == v.Profile || !p.Modelled() {
			continue
		}
		f, err := v.fit(p)
		if err != nil {
			return nil, err
		}
		if f.Own = own.Differ; f.Differ < f.Own && (best == nil || f.Differ < best.Differ) {
			best = f
		}
	}
	return best, nil
}

// fit counts the queries and calls where the library differs from the model of a release.
func (v *verifier) fit(p *workspace.Profile) (*Fit, error) {
	f, m := &Fit{Profile: p}, newModel(p, v.Library)
	for _, c := range v.seen {
		outcomes, err := m.run(c.ops)
		if err != nil {
			return nil, err
		}
		if f.Of++; !fits(outcomes, c.have, c.loose) {
			f.Differ++
		}
	}
	return f, nil
}

// fits reports whether the results of a model are known and equal the library's, if it has the function.
func fits(want []outcome, have []sequence.Result, loose bool) bool {
	for i := range want {
		isMemory := loose && sameButMemory(want[i].Result, have[i])
		if !isMemory && !have[i].Absent && (want[i].unknown || want[i].aborts ||
			!same(want[i].Result, have[i], loose)) {
			return false
		}
	}
	return true
}

// String says which release fits the library better.
func (f *Fit) String() string {
	text := "this library is like " + f.Profile.Name
	if f.Differ == 0 {
		text = "this library is " + f.Profile.Name
	}
	return fmt.Sprintf("%s: %d of %d queries and calls differ, %d with the profile; compare with --profile %s", text,
		f.Differ, f.Of, f.Own, f.Profile.Name)
}
