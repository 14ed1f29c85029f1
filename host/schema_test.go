package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/applog/analyze"
	"roclua/host/applog/render"
	"roclua/host/baseline"
	"roclua/host/capacity"
	"roclua/host/config"
	"roclua/host/events"
	"roclua/host/exit"
	"roclua/host/products"
	"roclua/host/replay"
	"roclua/host/report"
	"roclua/host/result"
	"roclua/host/schema"
	"roclua/host/serve"
	"roclua/luabind/record"
)

var (
	update = flag.Bool("update", false, "rewrite the schemas")
	all    = flag.Bool("all", false, "run every variant, not a sample")
)

// schemas are the outputs that have a schema, and the Go types that write them.
var schemas = []struct {
	name, title string
	of          []any // one of these
}{
	{"results", "A run of roclua, as --out json writes it", []any{report.Document{}}},
	{"events", "A line of what --out jsonl writes: the begin of a run, a second of a workload, a case, the end",
		[]any{events.Begin{}, events.Second{}, result.Line{}, events.End{}}},
	{"log", "What roclua log computes, as --out json writes it", []any{render.Document{}}},
	{"plan", "The memory of all handles, as roclua plan --out json writes it", []any{capacity.Plan{}}},
	{"gemm", "The kernels of GEMMs, as roclua gemm --out json writes them", []any{products.Report{}}},
	{"request", "A line that roclua serve reads", []any{serve.Request{}}},
	{"reply", "A line that roclua serve writes", []any{serve.Reply{}}},
}

// TestSchemasAreFresh holds the schemas that the program carries against the types. Every field of them has a comment,
// which is its description.
func TestSchemasAreFresh(t *testing.T) {
	comments := map[string]map[string]string{} // by package
	for _, s := range schemas {
		r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, Mapper: schemaOf,
			AllowAdditionalProperties: true, AdditionalFields: addedFields, Namer: nameOf,
			LookupComment: func(typ reflect.Type, field string) string {
				if key := config.KeyOf(typ, field); key != nil {
					return key.Usage
				}
				if comments[typ.PkgPath()] == nil {
					comments[typ.PkgPath()] = fieldComments(t, typ.PkgPath())
				}
				text := cmp.Or(comments[typ.PkgPath()][typ.Name()+"."+field], addedComments[field])
				if text == "" && field != "" {
					t.Errorf("%s.%s has no comment for its description", typ.Name(), field)
				}
				return text
			}}
		doc := r.Reflect(s.of[0])
		if len(s.of) > 1 {
			doc = anyOf(r, s.of)
		}
		doc.Title = s.title
		fresh, err := json.MarshalIndent(doc, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		fresh = append(fresh, '\n')
		if *update {
			if err := os.WriteFile("schema/"+s.name+".json", fresh, 0o644); err != nil {
				t.Fatal(err)
			}
		} else if have, err := schema.Read(s.name); err != nil || !bytes.Equal(have, fresh) {
			t.Errorf("schema %s is stale (%v); run make docs", s.name, err)
		}
	}
}

// anyOf describes values that are of one of several types, distinguished by their field event.
func anyOf(r *jsonschema.Reflector, types []any) *jsonschema.Schema {
	doc := &jsonschema.Schema{Version: jsonschema.Version, Definitions: jsonschema.Definitions{}}
	for _, v := range types {
		one := r.Reflect(v)
		maps.Copy(doc.Definitions, one.Definitions)
		event, _ := one.Properties.Get("event")
		event.Const, event.Description = event.Description, "what the line is about"
		one.Definitions, one.Version = nil, ""
		doc.OneOf = append(doc.OneOf, one)
	}
	return doc
}

// schemaOf describes the types that write themselves as something else.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[config.Size]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "integer", Minimum: "0"},
			{Type: "string", Pattern: `^[0-9.eE+]+ *([KMGT]i)?B?$`}}}
	case reflect.TypeFor[config.Numbers]():
		one := &jsonschema.Schema{Type: "integer", Minimum: "1"}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{one, {Type: "array", Items: one}}}
	case reflect.TypeFor[config.Count]():
		return &jsonschema.Schema{Type: "integer", Minimum: "1", Maximum: json.Number(strconv.Itoa(driver.MaxDevices))}
	case reflect.TypeFor[config.Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`}
	case reflect.TypeFor[products.Kernels]():
		one := []*jsonschema.Schema{{Ref: "#/$defs/Kernel"}, {Type: "null"}}
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{OneOf: one}}
	case reflect.TypeFor[trace.History]():
		return &jsonschema.Schema{Type: "object"} // for a run that takes over
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "number"}, {Type: "string"}}}
	case reflect.TypeFor[time.Time]():
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	}
	return nil
}

// nameOf names the definitions of the types that the packages of logs write; the others have the names of their types.
func nameOf(t reflect.Type) string {
	if path := t.PkgPath(); path == reflect.TypeFor[analyze.File]().PkgPath() ||
		path == reflect.TypeFor[replay.Score]().PkgPath() {
		return t.Name() + "Entry"
	}
	return ""
}

// addedFields are members that types write in addition to their fields.
func addedFields(t reflect.Type) []reflect.StructField {
	switch t {
	case reflect.TypeFor[record.End]():
		return []reflect.StructField{{Name: "Shown", Type: reflect.TypeFor[string](), Tag: `json:"message"`}}
	case reflect.TypeFor[baseline.Change]():
		return []reflect.StructField{{Name: "Difference", Type: reflect.TypeFor[any](),
			Tag: `json:"difference,omitempty"`}}
	}
	return nil
}

// addedComments describe the fields of addedFields.
var addedComments = map[string]string{"Shown": "message, as the reports show it", "Difference": "new minus old"}

// fieldComments reads the comments of the fields of a package's types: "Config.Seed".
func fieldComments(t *testing.T, path string) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", strings.TrimPrefix(path, "roclua/"), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	comments := map[string]string{}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			if spec, ok := n.(*ast.TypeSpec); ok {
				collectComments(comments, spec)
			}
			return true
		})
	}
	return comments
}

func collectComments(comments map[string]string, spec *ast.TypeSpec) {
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range s.Fields.List {
		names := f.Names
		if names == nil { // *gate.Gate is the field Gate
			ast.Inspect(f.Type, func(n ast.Node) bool {
				if name, ok := n.(*ast.Ident); ok {
					names = []*ast.Ident{name}
				}
				return true
			})
		}
		for _, name := range names {
			comments[spec.Name.Name+"."+name.Name] = strings.TrimSpace(strings.ReplaceAll(cmp.Or(f.Comment.Text(),
				f.Doc.Text()), "\n", " "))
		}
	}
}

func compiled(t *testing.T, name string) *validator.Schema {
	t.Helper()
	text, err := schema.Read(name)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource(name+".json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestSchemaOfResults runs cases that end in every way and validates the document with its schema.
func TestSchemaOfResults(t *testing.T) {
	t.Chdir(t.TempDir())
	script := `return {params={n=1}, schemes={"managed","manual"}, run=function(t)
  t:metric("x", 0/0, "bytes") t:metric("name", "v") t:log("here")
  if t.scheme == "manual" then t:skip("why") end
  t:equal(t.n, 1)
  if t.n == 2 then t.handle:set_workspace(7) end
  if t.n == 3 then while true do end end
end}`
	files := map[string]string{"a.lua": script,
		"c.toml": "limits = { timeout = '100ms' }\nbaseline = 'kept'\n[expect]\n'max(n)' = '< 9'\n" +
			"[[scenario]]\nscript = 'a.lua'\nmatrix = { n = [1, 2, 3] }\n" +
			"known_failures = [{ match = 'n=3', reason = 'loops' }]\n"}
	for name, text := range files {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, messages bytes.Buffer
	env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Getenv: func(string) string { return "" },
		Now: time.Now, CPUs: 2}
	if code := Main([]string{"run", "c.toml", "--out", "json", "--out", "jsonl=events", "--out", "html=page",
		"--update"}, env); code != int(exit.Script) && code != int(exit.Failed) {
		t.Fatalf("exit %d: %s", code, &messages)
	}
	value, err := validator.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled(t, "results").Validate(value); err != nil {
		t.Error(err)
	}
	events, err := os.ReadFile("events")
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(events) {
		event, err := validator.UnmarshalJSON(bytes.NewReader(line))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiled(t, "events").Validate(event); err != nil {
			t.Errorf("%v\n%s", err, line)
		}
	}
	delete(value.(map[string]any), "totals")
	if compiled(t, "results").Validate(value) == nil {
		t.Error("a document without totals is as good")
	}
}

// TestSchemaOfPlan validates plans of calls and of logs.
func TestSchemaOfPlan(t *testing.T) {
	log := filepath.Join(t.TempDir(), "app.log")
	text := "rocblas_create_handle,atomics_not_allowed\nrocsolver-bench -f getrf --precision d -m 1024 -n 1024\n"
	if err := os.WriteFile(log, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"dasum n=8"},
		{"dgetrf m=64 n=64", "dgemm m=8 n=8 k=8", "--handles", "3", "--streams", "2", "--budget", "0"},
		{"dgetrs_batched n=16 nrhs=1 batch_count=10000", "--profile", "rocm-6.4,rocm-7.2", "--fail-above", "1"},
		{log, "--budget", "1MiB", "--arch", "gfx90a,gfx942"},
	} {
		var out, messages bytes.Buffer
		env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Now: time.Now, CPUs: 2,
			Getenv: func(string) string { return "" }}
		code := Main(append([]string{"plan", "--out", "json"}, args...), env)
		value, err := validator.UnmarshalJSON(&out)
		if err == nil {
			err = compiled(t, "plan").Validate(value)
		}
		if err != nil || code != int(exit.Pass) && code != int(exit.Baseline) {
			t.Fatalf("%q: exit %d, %v\n%s", args, code, err, &messages)
		}
		delete(value.(map[string]any)["targets"].([]any)[0].(map[string]any), "totals")
		if compiled(t, "plan").Validate(value) == nil {
			t.Errorf("%q: a plan without totals is as good", args)
		}
	}
}

// TestSchemaOfServe validates requests, and the replies to them.
func TestSchemaOfServe(t *testing.T) {
	requests := `{"id": 1, "size": ["dgetrf m=8 n=8", "no", "gemm_ex m=8 n=8 k=8 a_type=bf16 compute_type=f32"]}
{"id": "b", "size": ["hipsolverDnXpotrf_bufferSize n=9 dataTypeA=CUDA_R_32F"], "buffers": true, "profile": "rocm-6.4"}
{"plan": ["dgetrf m=64 n=64", "dgemm m=8 n=8 k=8"], "handles": 3, "streams": 2, "budget": 64}
`
	var out bytes.Buffer
	env := Env{Stdin: strings.NewReader(requests + "{\n"), Stdout: &out, Stderr: &out,
		Getenv: func(string) string { return "" }, Now: time.Now, CPUs: 2}
	if code := Main([]string{"serve"}, env); code != int(exit.Pass) || strings.Count(out.String(), "\n") != 4 {
		t.Fatalf("exit %d: %s", code, &out)
	}
	for name, lines := range map[string]string{"request": requests, "reply": out.String()} {
		for line := range strings.Lines(lines) {
			value, err := validator.UnmarshalJSON(strings.NewReader(line))
			if err == nil {
				err = compiled(t, name).Validate(value)
			}
			if err != nil {
				t.Errorf("%v\n%s", err, line)
			}
		}
	}
}

// TestSchemaOfProducts validates the kernels of products: with a workspace, without one, and of a call whose kernel is
// not known.
func TestSchemaOfProducts(t *testing.T) {
	var out, messages bytes.Buffer
	env := Env{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &messages, Getenv: func(string) string { return "" },
		Now: time.Now, CPUs: 2}
	if code := Main([]string{"gemm", "TN:128x128x65536", "8x8x8", "hgemm m=8 n=8 k=8", "--out", "json", "--tuning",
		"../workspace/testdata/rocm-7.2/tuning-gfx90a.zip"}, env); code != int(exit.Pass) {
		t.Fatalf("exit %d: %s", code, &messages)
	}
	value, err := validator.UnmarshalJSON(&out)
	if err != nil {
		t.Fatal(err)
	}
	valid := compiled(t, "gemm")
	if err := valid.Validate(value); err != nil {
		t.Error(err)
	}
	list := value.(map[string]any)["targets"].([]any)[0].(map[string]any)["products"].([]any)
	if last := list[2].(map[string]any); last["best"] != nil || last["reason"] == "" {
		t.Errorf("%v", last)
	}
	first := list[0].(map[string]any)
	first["at"] = []any{nil} // as where the call fails
	if err := valid.Validate(value); err != nil {
		t.Error(err)
	}
	delete(first, "best")
	if valid.Validate(value) == nil {
		t.Error("a product without its best kernel is as good")
	}
}
