package luabind_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"roclua/luabind"
	"roclua/luabind/record"
	"roclua/luabind/vm/bounds"
	"roclua/workspace"
)

// TestEndsAreData describes an error of each kind, and sends the description to the program and through JSON.
func TestEndsAreData(t *testing.T) {
	script := &luabind.Error{File: "a.lua", Line: 3, Message: "broken", Traceback: "a.lua:3: in main chunk"}
	for _, test := range []struct {
		err  error
		kind record.EndKind
		text string
	}{
		{script, record.EndScript, "a.lua:3: broken"},
		{&luabind.Error{File: "a.lua", Line: 3, Column: 7, Message: "syntax error"}, record.EndScript,
			"a.lua:3:7: syntax error"},
		{&luabind.Abort{Where: "a.lua:4", Abort: &workspace.Abort{Func: "rocblas_destroy_handle", Reason: "in use"}},
			record.EndAbort,
			"a.lua:4: rocblas_destroy_handle: the library would abort the process here: in use"},
		{&luabind.InternalError{Where: "hip.malloc", Value: 5, Stack: "stack"}, record.EndInternal,
			"hip.malloc: internal error: 5"},
		{luabind.TimedOut(2 * time.Second), record.EndTimeout, "ran longer than its limit of 2s (limits.timeout)"},
		{fmt.Errorf("in a call: %w", context.DeadlineExceeded), record.EndTimeout, "ran out of time"},
		{&luabind.LimitError{LimitUse: bounds.LimitUse{Name: "instructions", Max: 10, Used: 11}, Where: "a.lua:5"},
			record.EndLimit, "a.lua:5: executed 11 instructions; the limit is 10 (limits.instructions)"},
		{context.Canceled, record.EndCanceled, "interrupted"},
		{errors.New("the pipe broke"), record.EndOther, "the pipe broke"},
	} {
		end := luabind.EndOf(test.err)
		if end.Kind != test.kind || end.String() != test.text {
			t.Errorf("%#v is %s, %q, want %s, %q", test.err, end.Kind, end, test.kind, test.text)
		}
		var written record.End
		text, err := json.Marshal(end)
		if err := errors.Join(err, json.Unmarshal(text, &written)); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(*end, written); diff != "" {
			t.Error(diff)
		}
		var shown struct{ Message string }
		if err := json.Unmarshal(text, &shown); err != nil || shown.Message != test.text {
			t.Errorf("reports show %q, %v, want %q", shown.Message, err, test.text)
		}
	}
	if luabind.EndOf(nil) != nil {
		t.Error("no error ends a case")
	}
	died := &record.End{Kind: record.EndDied, Message: "exited unexpectedly", Func: "hipFree at a.lua:3"}
	if want := "the worker process exited unexpectedly during hipFree at a.lua:3"; died.String() != want {
		t.Errorf("have %q, want %q", died, want)
	}
}
