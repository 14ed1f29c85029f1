package serve_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"roclua/host/serve"
)

// newServer returns a server as the command line makes it.
func newServer() *serve.Server { return &serve.Server{Profile: "rocm-7.2", Arch: "gfx90a"} }

// replies returns the replies to requests.
func replies(t *testing.T, requests string) []serve.Reply {
	t.Helper()
	var out bytes.Buffer
	if err := newServer().Serve(strings.NewReader(requests), &out); err != nil {
		t.Fatal(err)
	}
	var list []serve.Reply
	for line := range strings.Lines(out.String()) {
		var a serve.Reply
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		list = append(list, a)
	}
	return list
}

// TestReplies compares the replies to single requests.
func TestReplies(t *testing.T) {
	for request, want := range map[string]string{
		`{"id": 7, "size": ["dgetrf m=1024 n=1024"]}`: `"id":7,` +
			`"sizes":[{"routine":"rocsolver_dgetrf","bytes":4732160,"defects":[]}]`,
		`{"size": ["dgetrs n=64 nrhs=1"], "profile": "rocm-6.4", "arch": "gfx942", "buffers": true, "id": "a"}`: `` +
			`"id":"a","sizes":[{"routine":"rocsolver_dgetrs","bytes":64,"defects":[],"buffers":[` +
			`{"purpose":"triangular solve","bytes":4,"rounded":64},` +
			`{"purpose":"pointers of the triangular solve","bytes":0,"rounded":0},` +
			`{"purpose":"inverted diagonal blocks","bytes":0,"rounded":0},` +
			`{"purpose":"pointers to the inverted blocks","bytes":0,"rounded":0}]}]`,
		`{"size": ["dgetrg", "dgetrf m=8 n=8 lda=3", "dasum n=8"]}`: `"sizes":[` +
			`{"bytes":null,"error":"no routine \"dgetrg\", did you mean \"dgetrf\", \"dgetrs\" or \"dgetri\"?"},` +
			`{"bytes":null,"error":"invalid_size: lda is 3, must be at least m = 8"},` +
			`{"routine":"rocblas_dasum","bytes":64,"defects":[]}]`,
		`{"size": ["hipsolverDormqr_bufferSize side=1 m=9 n=9 k=9"]}`: `` +
			`"sizes":[{"routine":"hipsolverDormqr_bufferSize","bytes":null,` +
			`"defaults":["trans=n"],"status":"HIPSOLVER_STATUS_INVALID_ENUM (10)",` +
			`"reason":"side is 1, which is none of side_left (141), side_right (142)","defects":[]}]`,
		`{"size": ["gemm_ex m=8 n=8 k=8 a_type=bf16 compute_type=f32"]}`: `"bytes":null,` +
			`"unknown":"`,
		`{"size": ["dgetri n=100000", "dasum n=8"]}`: `"sizes":[{"bytes":null,` +
			`"error":"the size overflows in the library's own arithmetic, so its result has no meaning"},` +
			`{"routine":"rocblas_dasum","bytes":64,"defects":[]}]`,
		`{"size": ["dasum n=8"], "plan": ["dgetri m=4"]}`: `` +
			`"sizes":[{"routine":"rocblas_dasum","bytes":64,"defects":[]}],` +
			`"error":"dgetri: unknown parameter \"m\"`,
		`{"size": ["dgetrf m=n"]}`:                            `"error":"parameter n is missing: columns of A"`,
		`{"size": ["dgetrf n=9 m=9"], "profile": "rocm-6.5"}`: `"error":"unknown profile \"rocm-6.5\"`,
		`{"size": ["dgetrf n=9 m=9"], "arch": "mi300"}`:       `"error":"arch \"mi300\"`,
		`{"size": ["dgetrf n=9 m=9"], "id": 3, "bufers": true}`: `"id":3,` +
			`"error":"unknown field \"bufers\", did you mean \"buffers\"?"`,
		`{"size": "dgetrf n=9 m=9"}`:              `"error":"size: a JSON string, want a list of strings"`,
		`{"id": 5, "size": [8]}`:                  `"id":5,"error":"size: a JSON number, want a string"`,
		`{"size": ["dasum n=8"], "id": {"a": 1}}`: `{"request":1,"sizes":[`,
		`{}`: `"error":"a request needs \"size\" or \"plan\"`,
		`{"id": 4, "plan": ["dgetrf m=1024 n=1024"], "handles": 3, "streams": 2, "budget": 4732160}`: `"id":4,` +
			`"plan":{"schema_version":1,"input":"calls","budget_bytes":4732160,"targets":[{"profile":"rocm-7.2",` +
			`"arch":"gfx90a","handles":[{"name":"each","device":0,"stream":0,"count":6,"needs_bytes":4732160,`,
		`{"plan": ["dasum n=8"], "size": ["dasum n=8"]}`: `` +
			`"sizes":[{"routine":"rocblas_dasum","bytes":64,"defects":[]}],"plan":{`,
		`{"plan": ["dasum n=8", "dgetrg m=8"]}`:        `"error":"no routine \"dgetrg\", did you mean`,
		`{"plan": ["dasum n=8"], "handles": 1000001}`:  `"error":"handles: 1000001, want a number from 1 to 1`,
		`{"plan": ["dasum n=8"], "handles": "8"}`:      `"error":"handles: a JSON string, want an integer"`,
		`{"plan": ["dasum n=8"], "budget": -1}`:        `"error":"budget: a JSON number -1, want an integer of at`,
		`{"plan": ["hipsolverDgetrf_bufferSize m=8"]}`: `"error":"hipsolverDgetrf_bufferSize computes a buffer of`,
		`{"size": ["dasum n=8"], "streams": 2}`:        `"error":"handles, streams and budget are for \"plan\"`,
		`[1]`:                                          `"error":"the request is a JSON array, want an object"`,
		`{"size": ["dasum n=8"]} 1`:                    `"error":"the request is not a JSON object: there is more`,
		`{"size": [`:                                   `"error":"the request is not a JSON object: unexpected EOF"`,
	} {
		var out bytes.Buffer
		err := newServer().Serve(strings.NewReader(request), &out)
		if err != nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v\n%swant %s", request, err, &out, want)
		}
	}
}

// TestOrder checks that replies have the numbers of their lines, and that wrong requests do not end the server.
func TestOrder(t *testing.T) {
	list := replies(t, "{\"id\":1,\"size\":[\"dasum n=8\"]}\n\n \nx\r\n{\"id\":2,\"size\":[\"dasum n=8\"]}")
	if len(list) != 3 || list[0].Request != 1 || list[1].Request != 4 || list[1].Error == "" || list[2].Request != 5 ||
		string(list[2].ID) != "2" || len(list[2].Sizes) != 1 {
		t.Errorf("%+v", list)
	}
}

// TestBounds sends lines and lists that are too long, and texts that an error quotes.
func TestBounds(t *testing.T) {
	good := `{"size": ["dasum n=8"]}`
	many := func(n int) string {
		return `{"size": [` + strings.Repeat(`"x",`, n-1) + `"dasum n=8"]}`
	}
	plans := `{"plan": [` + strings.Repeat(`"dasum n=8",`, serve.MostCalls) + `"dasum n=8"]}`
	deep := strings.Repeat(`{"id":`, 1e5)
	for name, test := range map[string]struct{ line, want string }{
		"longest line": {good + strings.Repeat(" ", serve.MostBytes-len(good)-1), ""},
		"line too long": {good + strings.Repeat(" ", serve.MostBytes-len(good)),
			"the line is longer than the limit of 1048576"},
		"a very long one": {strings.Repeat("[", 10<<20), "the line is longer"},
		"most calls":      {many(serve.MostCalls), ""},
		"too many calls":  {many(serve.MostCalls + 1), "size: 10001 calls are more than the limit of 10000"},
		"a long plan":     {plans, "plan: 10001 calls are more than the limit of 10000"},
		"longest plan":    {strings.Replace(plans, `"dasum n=8",`, "", 1), ""},
		"a long profile":  {`{"size":["x"],"profile":"` + strings.Repeat("é", 1e5) + `"}`, `unknown profile "é`},
		"a long field":    {`{"` + strings.Repeat("x", 1e6) + `": 1}`, `unknown field "xxx`},
		"nested":          {deep, "the request is not a JSON object"},
	} {
		list := replies(t, test.line+"\n"+good)
		if len(list) != 2 || list[1].Request != 2 || len(list[1].Sizes) != 1 {
			t.Errorf("%s: %d replies", name, len(list))
			continue
		}
		have := list[0].Error
		if !strings.HasPrefix(have, test.want) || (have == "") != (test.want == "") || len(have) > 1100 {
			t.Errorf("%s: an error of %d bytes: %.80s", name, len(have), have)
		}
	}
	for _, text := range []string{strings.Repeat("y", 1e6), "dgetrf " + strings.Repeat("m=1 ", 2e5), "dgetrf m=" +
		strings.Repeat("9", 1e6)} {
		line, _ := json.Marshal(serve.Request{Size: []string{text}})
		if list := replies(t, string(line)); len(list[0].Sizes) != 1 || list[0].Sizes[0].Error == "" ||
			len(list[0].Sizes[0].Error) > 1100 {
			t.Errorf("%.20s...: %d bytes", text, len(list[0].Sizes[0].Error))
		}
	}
}

// TestMemory sends a gigabyte without a newline.
func TestMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	var out bytes.Buffer
	if err := newServer().Serve(io.LimitReader(letters{}, 1<<30), &out); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 || out.Len() > 200 {
		t.Errorf("%d bytes allocated, a reply of %d", grown, out.Len())
	}
}

// letters is an endless line.
type letters struct{}

func (letters) Read(b []byte) (int, error) { return len(b), nil }

// errClosed is the error of a stream.
var errClosed = errors.New("closed")

type closed struct{}

func (closed) Read([]byte) (int, error)  { return 0, errClosed }
func (closed) Write([]byte) (int, error) { return 0, errClosed }

// TestFailures returns the errors of streams.
func TestFailures(t *testing.T) {
	if err := newServer().Serve(closed{}, io.Discard); !errors.Is(err, errClosed) {
		t.Errorf("reading: %v", err)
	}
	if err := newServer().Serve(strings.NewReader("x\nx\n"), closed{}); !errors.Is(err, errClosed) {
		t.Errorf("writing: %v", err)
	}
}

// FuzzServe checks that each line that is not blank has one reply, which is JSON, with its number and either sizes or
// a plan, or an error.
func FuzzServe(f *testing.F) {
	for _, seed := range []string{`{"id":1,"size":["dgetrf m=1 n=1"]}`, "{}\n[]\n\n{",
		`{"size":["hipsolverDgetrf_bufferSize m=1"]}`, `{"plan":["dasum n=8"],"handles":2,"streams":3,"budget":0}`,
		`{"size":[""],"buffers":true,"profile":"rocm-6.4","arch":"gfx942"}`, `{"id":"\ud800","size":["\u0000=1"]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list := replies(t, text)
		number, i := int64(0), 0
		for line := range strings.Lines(text) {
			if number++; strings.TrimSpace(line) == "" {
				continue
			}
			if i == len(list) || list[i].Request != number ||
				(list[i].Error == "") != (len(list[i].Sizes) > 0 || list[i].Plan != nil) ||
				!utf8.ValidString(list[i].Error) {
				t.Fatalf("line %d of %q: replies %+v", number, text, list)
			}
			i++
		}
		if i != len(list) {
			t.Fatalf("%d replies to %q, want %d", len(list), text, i)
		}
	})
}

// BenchmarkSizes has a request of 1,000 calls as one operation.
func BenchmarkSizes(b *testing.B) {
	var calls []string
	for i := range 1000 {
		calls = append(calls, fmt.Sprintf("dgetrf m=%d n=%d", i+1, 2*i+7))
	}
	line, err := json.Marshal(serve.Request{Size: calls})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := newServer().Serve(bytes.NewReader(line), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(calls)), "ns/size")
}
