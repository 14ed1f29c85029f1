package verify

import (
	"bytes"
	"testing"

	"roclua/hip/routine"
	"roclua/workspace/sequence"
)

// TestRecordedSequence records every kind of operation, in the format of workspace/testdata, up to one that does not
// return.
func TestRecordedSequence(t *testing.T) {
	r, _ := routine.Lookup("rocblas_dscal")
	c := sequence.NewCall(r, map[routine.Slot]int64{routine.N: 7, routine.IncX: 1})
	c.Scalars[routine.Alpha], c.Null[routine.X] = 2, true
	ops := []*sequence.Operation{sequence.CreateHandle(map[string]string{"A": "1"}), {Name: "get_atomics_mode"},
		{Name: "set_workspace", Size: 64, Null: true}, {Name: "start_device_memory_size_query"}, {Call: c},
		{Name: "stop_device_memory_size_query"}, {Name: "is_managing_device_memory"}, sequence.DestroyHandle()}
	results := []sequence.Result{{Status: "success", Held: "32"}, {Status: "success", Value: "1"},
		{Status: "invalid_size", Held: "32"}, {Status: "success"}, {Status: "invalid_pointer"},
		{Status: "success", Value: "0"}, {Status: "success", Value: "true"}}
	var b bytes.Buffer
	recorder := NewRecorder(&b)
	one := &testCase{kind: Sequences, seed: 5, ops: ops}
	if err := recorder.record(one, ops, results, []string{"gfx90a", "gfx90a"}); err != nil {
		t.Fatal(err)
	}
	const want = `{"seed":5,"env":{"A":"1","STUBHIP_ARCH":"gfx90a"},"ops":[` +
		`{"op":"create_handle","status":"success","device_memory_size":32},` +
		`{"op":"set_workspace","size":64,"null":true,"status":"invalid_size","device_memory_size":32},` +
		`{"op":"start","status":"success"},` +
		`{"op":"rocblas_dscal","args":{"incx":1,"n":7},"nulls":["x"],"distinct":true,"scalars":{"alpha":[2,0]},` +
		`"status":"invalid_pointer"},{"op":"stop","size":0,"status":"success"},` +
		`{"op":"is_managing","value":true,"status":"success"}]}` + "\n"
	if b.String() != want {
		t.Errorf("%s\nwant %s", b.String(), want)
	}
	if ops[0].Env["STUBHIP_ARCH"] != "" {
		t.Error("the environment of the sequence has changed")
	}
}
