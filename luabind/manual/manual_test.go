package manual_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"roclua/hip/routine"
	"roclua/luabind/api"
	"roclua/luabind/manual"
)

func Example() {
	for _, page := range manual.Find("hip.event_elapsed_time", manual.Program{}) {
		page(os.Stdout)
	}
	// Output:
	// hip.event_elapsed_time(start, stop) -> ms
	//     returns the time between two events
	//
	// in C  hipEventElapsedTime
	// try   hip.try.event_elapsed_time(start, stop) -> ms, status, error
	//
	// parameter  type          meaning
	// start      roclua.event  the first event (nil: null, with the status error_invalid_handle)
	// stop       roclua.event  the second event (nil: null, with the status error_invalid_handle)
	//
	// result  type    meaning
	// ms      number  time in milliseconds
	//
	// errors
	//     hip.error_not_ready       one of the events has not completed
	//     hip.error_invalid_handle  an event was destroyed or not recorded, or they belong to different devices
}

// TestNamesAreFound looks up every name that completion suggests.
func TestNamesAreFound(t *testing.T) {
	program := manual.Program{
		Exits:  []manual.ExitCode{{Code: 0, Meaning: "pass"}},
		Topics: []manual.Topic{{Name: "expect", About: "about", Text: func() string { return "text" }}},
	}
	isRoutine := map[string]bool{}
	for _, r := range routine.All() {
		isRoutine[r.Name], isRoutine[r.Family.Name] = true, true
	}
	for _, name := range manual.Names(program) {
		pages := manual.Find(name, program)
		if len(pages) == 0 {
			t.Errorf("there is no page about %s", name)
		}
		for _, page := range pages {
			if isRoutine[name] {
				continue // their pages take long
			}
			var text bytes.Buffer
			if page(&text); text.Len() == 0 {
				t.Errorf("a page about %s is empty", name)
			}
		}
	}
}

// TestPagesDescribeDeclarations looks for every parameter and result in the page of its function, and for every
// function, field and method in the reference page.
func TestPagesDescribeDeclarations(t *testing.T) {
	var reference bytes.Buffer
	manual.Reference(&reference, manual.Program{})
	for _, f := range api.Functions() {
		var page bytes.Buffer
		manual.Find(f.Title(), manual.Program{})[0](&page)
		for i := range f.Params {
			if !strings.Contains(page.String(), "\n"+f.Params[i].Name+" ") {
				t.Errorf("the page of %s does not describe %s", f.Title(), f.Params[i].Name)
			}
		}
		for _, r := range f.Returns(false) {
			if !strings.Contains(page.String(), "\n"+r.Name+" ") {
				t.Errorf("the page of %s does not describe %s", f.Title(), r.Name)
			}
		}
		if !strings.Contains(reference.String(), "`"+f.Signature()+"`") {
			t.Errorf("the reference does not have %s", f.Title())
		}
	}
	for _, c := range api.Classes() {
		for _, field := range c.Fields {
			if !strings.Contains(reference.String(), "| `"+field.Name+"` |") {
				t.Errorf("the reference does not have the field %s of %s", field.Name, c.Name)
			}
		}
	}
}

// TestStubsHaveTheResults counts the results that the annotations of every function and try form declare.
func TestStubsHaveTheResults(t *testing.T) {
	var all strings.Builder
	for _, text := range stubs() {
		all.WriteString(text)
	}
	for _, f := range api.Functions() {
		_, before, _ := strings.Cut(all.String(), "---"+f.About+"\n")
		stub, _, _ := strings.Cut(before, "\n\n")
		if got, want := strings.Count(stub, "---@return "), len(f.Returns(false)); got != want {
			t.Errorf("%s: the annotations have %d results, want %d", f.Title(), got, want)
		}
		if f.Tries() {
			_, line, _ := strings.Cut(all.String(), "---@class "+f.Owner+".try\n")
			_, line, _ = strings.Cut(line, "---@field "+f.Name+" fun(")
			line, _, _ = strings.Cut(line, "\n")
			_, results, _ := strings.Cut(line, "): ")
			got := 0
			if results != "" {
				got = len(strings.Split(results, ", "))
			}
			if want := len(f.Returns(true)); got != want {
				t.Errorf("%s: the annotations of the try form have %d results, want %d", f.Title(), got, want)
			}
		}
	}
}
