package config

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/invopop/jsonschema"
	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"roclua/hip/driver"
	"roclua/host/schema"
)

// TestSchemaIsFresh compares the JSON Schema of configurations with Keys and the types.
func TestSchemaIsFresh(t *testing.T) {
	r := &jsonschema.Reflector{Anonymous: true, ExpandedStruct: true, FieldNameTag: "toml",
		RequiredFromJSONSchemaTags: true, Mapper: schemaOf,
		LookupComment: func(typ reflect.Type, field string) string {
			if k := KeyOf(typ, field); k != nil {
				return strings.TrimSpace(k.sentences())
			}
			return ""
		}}
	doc := r.Reflect(Config{})
	doc.Title = "A configuration of roclua"
	for i := range Keys {
		describe(t, doc, &Keys[i])
	}
	fresh, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	fresh = append(fresh, '\n')
	if *update {
		if err := os.WriteFile("../schema/config.json", fresh, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have, err := schema.Read("config"); err != nil || !bytes.Equal(have, fresh) {
		t.Errorf("the schema is stale (%v); run make docs", err)
	}
}

// describe adds the default, the values for completion and the required flag to a key's schema.
func describe(t *testing.T, doc *jsonschema.Schema, k *Key) {
	table, _, _ := fieldType(k.Name)
	in := doc
	if table != reflect.TypeFor[Config]() {
		in = doc.Definitions[table.Name()]
	}
	p, ok := in.Properties.Get(k.Base())
	if !ok {
		t.Fatalf("the schema does not have the key %s", k.Name)
	}
	if k.Instead != "" {
		in.OneOf = []*jsonschema.Schema{{Required: []string{k.Base()}}, {Required: []string{k.Instead}}}
	} else if k.Required {
		in.Required = append(in.Required, k.Base())
	}
	if k.Default != "" {
		var value map[string]any
		if _, err := toml.Decode("x = "+k.Default, &value); err != nil {
			t.Fatal(err)
		}
		p.Default = value["x"]
	}
	if k.Values == nil {
		return
	}
	if p.Items != nil {
		p = p.Items
	}
	for _, value := range k.Values() {
		p.Enum = append(p.Enum, value)
	}
}

// schemaOf describes types whose form in the file differs from Go's.
func schemaOf(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[Size]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "integer", Minimum: "0"},
			{Type: "string", Pattern: `^[0-9.eE+]+ *([KMGT](iB?)?|B)?$`}}}
	case reflect.TypeFor[Numbers]():
		number := &jsonschema.Schema{Type: "integer", Minimum: "1"}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{number, {Type: "array", Items: number}}}
	case reflect.TypeFor[Count]():
		return &jsonschema.Schema{Type: "integer", Minimum: "1", Maximum: json.Number(strconv.Itoa(driver.MaxDevices))}
	case reflect.TypeFor[Duration]():
		return &jsonschema.Schema{Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`}
	}
	return nil
}

// TestSchemaAccepts validates configurations with the schema, as an editor would.
func TestSchemaAccepts(t *testing.T) {
	s := compiledSchema(t)
	bundled, err := os.ReadFile("../../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, text string
		good       bool
	}{
		{"the bundled one", string(bundled), true},
		{"a starter file", Starter("scripts", "schema"), true},
		{"sizes and times", "[limits]\ntimeout = '1m30s'\n" +
			"[[target]]\ndevice_memory = 1048576\n[[target]]\ndevice_memory = '1.5 GiB'", true},
		{"axes", "[[scenario]]\nscript = 'a.lua'\nmatrix = { n = '64:4096:x2', type = ['s', 'd'] }\n" +
			"skip = [{ match = 'n=64', reason = 'slow' }]", true},
		{"an unknown key", "sed = 1", false},
		{"an unknown key of a scenario", "[[scenario]]\nscript = 'a.lua'\nscheme = 'manual'", false},
		{"a time without a unit", "[limits]\ntimeout = '30'", false},
		{"a scenario without a script", "[[scenario]]\nschemes = ['manual']", false},
		{"a recording", "[[scenario]]\nrecording = 'a.rec'", true},
		{"a script and a recording", "[[scenario]]\nscript = 'a.lua'\nrecording = 'a.rec'", false},
		{"an unknown scheme", "[[scenario]]\nscript = 'a.lua'\nschemes = ['manuel']", false},
		{"a string for a number", "jobs = 'all'", false},
	} {
		var doc map[string]any
		if _, err := toml.Decode(test.text, &doc); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		value, err := validator.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Validate(value); (err == nil) != test.good {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

func compiledSchema(t *testing.T) *validator.Schema {
	t.Helper()
	text, err := schema.Read("config")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := validator.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := validator.NewCompiler()
	if err := c.AddResource("config.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("config.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}
