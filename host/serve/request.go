package serve

import (
	"encoding/json"
	"reflect"
	"strings"

	"roclua/host/capacity"
	"roclua/host/size"
)

// Request is a line that a program writes.
type Request struct {
	ID      json.RawMessage `json:"id,omitempty"`      // any number or string; the reply has it too
	Profile string          `json:"profile,omitempty"` // library release; by default the one of the command line
	Arch    string          `json:"arch,omitempty"`    // architecture; by default the one of the command line
	Size    []string        `json:"size,omitempty"`    // calls as roclua size has them: "dgetrf m=1024 n=1024"
	Buffers bool            `json:"buffers,omitempty"` // with size: also list the buffers of each call
	Plan    []string        `json:"plan,omitempty"`    // calls of each handle of a program, as roclua plan has them
	Handles int64           `json:"handles,omitempty"` // with plan: how many handles; 1 if it is absent
	Streams int64           `json:"streams,omitempty"` // with plan: of each handle; 1 if it is absent
	Budget  *uint64         `json:"budget,omitempty"`  // with plan: bytes for the workspaces of all handles
}

// Reply is the line that replies to a request. It has sizes, a plan or both, and an error for what it lacks.
type Reply struct {
	Request int64           `json:"request"`         // number of the line, from 1
	ID      json.RawMessage `json:"id,omitempty"`    // of the request
	Sizes   []Sized         `json:"sizes,omitempty"` // one for each call of size
	Plan    *capacity.Plan  `json:"plan,omitempty"`  // the document of roclua plan
	Error   string          `json:"error,omitempty"` // why there is no reply, or no plan
}

// Sized is what one call needs, or why that is not known.
type Sized struct {
	size.Entry
	Error string `json:"error,omitempty"` // why the call has no size: the others of the request have theirs
}

// fields are the names of the fields of a request.
var fields = func() (names []string) {
	for field := range reflect.TypeFor[Request]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}()

// kinds describe the types of the fields.
var kinds = map[reflect.Kind]string{reflect.Slice: "a list of strings", reflect.String: "a string",
	reflect.Bool: "true or false", reflect.Int64: "an integer", reflect.Uint64: "an integer of at least 0"}
