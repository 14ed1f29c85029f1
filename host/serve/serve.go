// Package serve replies to requests of other programs, one JSON object on each line, for the command roclua serve.
//
//	s := serve.Server{Profile: "rocm-7.2", Arch: "gfx90a"}
//	err := s.Serve(os.Stdin, os.Stdout)
//
// Replies have the order of the requests. A request that is wrong has a reply with an error, and the next one is
// read. A line has at most MostBytes, and a request at most MostCalls calls, so the memory is bounded.
package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"

	"roclua/host/applog"
	"roclua/host/capacity"
	"roclua/host/size"
	"roclua/host/targets"
	"roclua/internal/nearest"
	"roclua/internal/units"
	"roclua/workspace/footprint"
)

// Bounds of a request.
const (
	MostBytes = 1 << 20 // of a line
	MostCalls = 10_000
	mostError = 1 << 10 // bytes of a message, which can quote the request
)

// Server replies to requests. Its fields are for requests that do not name others.
type Server struct {
	Profile, Arch string
	Tuning        string            // where tuning files are; "" for nowhere
	Explain       func(error) error // improves an error about a call; nil for none
}

// Serve replies to the requests of a stream until it ends. It returns the error of reading or writing.
func (s *Server) Serve(in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, MostBytes)
	w := bufio.NewWriterSize(out, 1<<16)
	defer w.Flush()
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	for number := int64(1); ; number++ {
		line, err := readLine(lines)
		long := errors.Is(err, bufio.ErrBufferFull)
		if err != nil && !long && (err != io.EOF || len(line) == 0) {
			if err == io.EOF {
				return w.Flush()
			}
			return err
		}
		if !long && len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		a := Reply{Error: fmt.Sprintf("the line is longer than the limit of %s", units.FormatBytes(MostBytes))}
		if !long {
			a = s.reply(line)
		}
		a.Request = number
		if err := encoder.Encode(a); err != nil {
			return err
		}
		if lines.Buffered() == 0 { // the program waits
			if err := w.Flush(); err != nil {
				return err
			}
		}
	}
}

// readLine reads a line, which is valid until the next call. One that is too long is read to its end, and the error is
// bufio.ErrBufferFull.
func readLine(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	for long := err; errors.Is(long, bufio.ErrBufferFull); {
		if _, long = r.ReadSlice('\n'); long != nil && long != io.EOF && !errors.Is(long, bufio.ErrBufferFull) {
			return nil, long
		}
	}
	return line, err
}

func (s *Server) reply(line []byte) Reply {
	r := Request{Profile: s.Profile, Arch: s.Arch}
	err := decode(line, &r)
	a := Reply{ID: identity(r.ID)}
	if err == nil {
		err = s.fill(&a, &r)
	}
	if err != nil {
		a.Error = short(err)
	}
	return a
}

func (s *Server) fill(a *Reply, r *Request) error {
	if err := r.check(); err != nil {
		return err
	}
	list, err := targets.Of([]string{r.Profile}, []string{r.Arch}, s.Tuning)
	if err != nil {
		return err
	}
	a.Sizes = make([]Sized, 0, len(r.Size))
	wrong := map[string]Sized{} // the search for the nearest name takes milliseconds
	for _, text := range r.Size {
		sized, seen := wrong[text]
		if !seen {
			sized = s.sized(list[0], text, r.Buffers)
		}
		if sized.Error != "" {
			wrong[text] = sized
		}
		a.Sizes = append(a.Sizes, sized)
	}
	if len(r.Plan) > 0 {
		a.Plan, err = s.plan(r)
	}
	return err
}

// check returns an error if the fields do not belong together.
func (r *Request) check() error {
	switch sizes, calls := len(r.Size), len(r.Plan); {
	case sizes+calls == 0:
		return errors.New(`a request needs "size" or "plan", a list of calls: {"size": ["dgetrf m=1024 n=1024"]}`)
	case sizes > MostCalls:
		return fmt.Errorf("size: %d calls are more than the limit of %d; send several requests", sizes, MostCalls)
	case calls > MostCalls:
		return fmt.Errorf("plan: %d calls are more than the limit of %d", calls, MostCalls)
	case calls == 0 && (r.Handles != 0 || r.Streams != 0 || r.Budget != nil):
		return errors.New(`handles, streams and budget are for "plan", which is absent`)
	}
	return nil
}

// plan computes the memory of all handles of a program.
func (s *Server) plan(r *Request) (*capacity.Plan, error) {
	report, err := applog.Read(context.Background(), applog.Request{Calls: r.Plan, OneHandle: true,
		Profiles: []string{r.Profile}, Archs: []string{r.Arch}, Tuning: s.Tuning})
	if err != nil {
		return nil, s.explained(err)
	}
	return capacity.New(report, capacity.Options{Handles: r.Handles, Streams: r.Streams, Budget: r.Budget})
}

// explained improves an error about a call.
func (s *Server) explained(err error) error {
	if s.Explain == nil {
		return err
	}
	return s.Explain(err)
}

// sized computes the need of a call.
func (s *Server) sized(t footprint.Target, text string, buffers bool) Sized {
	e, err := size.One(t, text, buffers)
	if err != nil {
		return Sized{Error: short(s.explained(err))}
	}
	e.Call = "" // the request has it
	return Sized{Entry: e}
}

func decode(line []byte, r *Request) error {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(r)
	if _, after := d.Token(); err == nil && after != io.EOF {
		err = errors.New("there is more than one JSON object on the line")
	}
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("%s: a JSON %s, want %s", wrong.Field, wrong.Value, kinds[wrong.Type.Kind()])
	case errors.As(err, &wrong):
		return fmt.Errorf("the request is a JSON %s, want an object", wrong.Value)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("unknown field %s%s", name, nearest.DidYouMean(strings.Trim(name, `"`), fields))
	}
	return fmt.Errorf("the request is not a JSON object: %w", err)
}

// identity returns the id of a request if it is a number or a string.
func identity(id json.RawMessage) json.RawMessage {
	if len(id) > mostError || len(id) > 0 && strings.ContainsRune("[{tfn", rune(id[0])) {
		return nil
	}
	return id
}

// short returns the message of an error, cut if it quotes much.
func short(err error) string {
	text := err.Error()
	if len(text) <= mostError {
		return text
	}
	return strings.ToValidUTF8(text[:mostError], "") + " ..."
}

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

// Reply is the line that replies to a request. It has sizes, a plan or both, and an error for a part that it lacks.
type Reply struct {
	Request int64           `json:"request"`         // number of the line, from 1
	ID      json.RawMessage `json:"id,omitempty"`    // of the request
	Sizes   []Sized         `json:"sizes,omitempty"` // one for each call of size
	Plan    *capacity.Plan  `json:"plan,omitempty"`  // the document of roclua plan
	Error   string          `json:"error,omitempty"` // why there is no reply, or no plan
}

// Sized is the need of one call, or why it is not known.
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
