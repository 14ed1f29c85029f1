package fault_test

import (
	"slices"
	"strings"
	"testing"

	"roclua/hip/fault"
	"roclua/hip/trace"
)

// calls are allocations as a runtime records them: three by the script, three by a library.
var calls = []trace.Call{
	{Name: "hipMalloc", Bytes: 32 << 20, Cause: "create_handle"},
	{Name: "hipMalloc", Bytes: 100, Cause: "script"},
	{Name: "hipMallocAsync", Bytes: 200, Stream: 0, HasStream: true, Cause: "script"},
	{Name: "hipMallocAsync", Bytes: 300, Stream: 2, HasStream: true, Cause: "workspace_allocation"},
	{Name: "hipMalloc", Bytes: 48 << 20, Cause: "growth"},
	{Name: "hipMalloc", Bytes: 100, Cause: "script"},
}

// failing are the numbers of the calls that fail.
func failing(p fault.Plan) []int {
	var list []int
	refuse := p.Begin()
	for i := range calls {
		if refuse(&calls[i]) != "" {
			list = append(list, i+1)
		}
	}
	return list
}

func TestPlansChoose(t *testing.T) {
	for _, test := range []struct {
		plan fault.Plan
		want []int
		text string
	}{
		{fault.Plan{}, nil, "none"},
		{fault.Plan{Nth: []int{3}}, []int{3}, "nth = 3"},
		{fault.Plan{Nth: []int{1, 6, 9}}, []int{1, 6}, "nth = 1 6 9"},
		{fault.Plan{Every: 2}, []int{2, 4, 6}, "every = 2"},
		{fault.Plan{Every: 1}, []int{1, 2, 3, 4, 5, 6}, "every = 1"},
		{fault.Plan{Nth: []int{1}, Every: 4}, []int{1, 4}, "nth = 1, every = 4"},
		{fault.Plan{Over: 100}, []int{1, 3, 4, 5}, "all of over 100 bytes"},
		{fault.Plan{Over: 16 << 20, Nth: []int{2}}, []int{5}, "nth = 2 of over 16777216 bytes"},
		{fault.Plan{Calls: []string{"hipMallocAsync"}}, []int{3, 4}, "all of hipMallocAsync"},
		{fault.Plan{Streams: []int{2}}, []int{4}, "all of streams 2"},
		{fault.Plan{Streams: []int{0}}, []int{3}, "all of streams 0"},
		{fault.Plan{Causes: []string{"growth", "workspace_allocation"}}, []int{4, 5},
			"all of growth and workspace_allocation"},
		{fault.Plan{Causes: []string{"script"}, Every: 3}, []int{6}, "every = 3 of script"},
		{fault.Plan{Causes: []string{"script"}, Calls: []string{"hipMalloc"}, Nth: []int{2}}, []int{6},
			"nth = 2 of hipMalloc, script"},
	} {
		for range 2 { // a plan starts counting again for each case
			if have := failing(test.plan); !slices.Equal(have, test.want) {
				t.Errorf("%s: allocations %v fail, want %v", test.plan, have, test.want)
			}
		}
		if have := test.plan.String(); have != test.text {
			t.Errorf("%+v is called %q, want %q", test.plan, have, test.text)
		}
		if err := test.plan.Check(); err != nil {
			t.Errorf("%s: %v", test.plan, err)
		}
	}
}

func TestPlansAreChecked(t *testing.T) {
	for want, plan := range map[string]fault.Plan{
		"nth: 0, allocations are counted from 1": {Nth: []int{3, 0}},
		"every: -1":                              {Every: -1},
		"streams: -1":                            {Streams: []int{-1}},
		`calls: "hipMaloc", did you mean "hipMalloc"?`:             {Calls: []string{"hipMalloc", "hipMaloc"}},
		`causes: "grow", did you mean "growth"? (have script, cre`: {Causes: []string{"grow"}},
		"calls: the list is empty":                                 {Calls: []string{}},
	} {
		if err := plan.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", plan, err, want)
		}
	}
}
