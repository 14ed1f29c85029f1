package api

import (
	"fmt"
	"strings"
	"testing"
)

// TestIncompleteDeclarations checks which declarations are refused, and what the messages name.
func TestIncompleteDeclarations(t *testing.T) {
	number := func(name string) Param { return Param{Name: name, Kind: Number, About: "about"} }
	one := integer("i", 1, 1, "about")
	reversed := integer("i", 2, 1, "about")
	complete := []Param{number("a"), one, optional(number("b"), ""), variadic(optional(number("c"), ""))}
	for want, f := range map[string]Function{
		"":                                     {Params: complete},
		"api: \".f\" has no owner":             {Owner: "none"},
		"api: \"m.\" has no owner, name":       {Name: "none"},
		"m.f\" has no owner, name or doc":      {About: "none"},
		"m.f: parameter 2 has no name":         {Params: []Param{one, number("")}},
		"m.f: parameter 1 has no name, kind":   {Params: []Param{{Name: "a", About: "about"}}},
		"m.f: parameter 3 has no name, kind":   {Params: []Param{one, one, {Name: "a", Kind: Any}}},
		"m.f: b follows an optional parameter": {Params: []Param{optional(number("a"), ""), number("b")}},
		"m.f: a takes all further arguments":   {Params: []Param{variadic(number("a")), number("b")}},
		"api: m.f: i has an empty range":       {Params: []Param{reversed}},
		"m.f is a method of its first":         {Method: true},
		"api: m.f is a method of its first":    {Method: true, Params: []Param{number("a"), handle()}},
	} {
		f.Owner, f.Name, f.About = given(f.Owner, "m"), given(f.Name, "f"), given(f.About, "about")
		if have := refusal(&f); !strings.Contains(have, want) || want == "" && have != "" {
			t.Errorf("the check of a declaration says %q, want %q", have, want)
		}
	}
}

// given returns text in place of "", and "" in place of "none".
func given(have, text string) string { return map[string]string{"": text, "none": ""}[have] }

// refusal returns why a declaration is refused, or "".
func refusal(f *Function) (message string) {
	defer func() {
		if r := recover(); r != nil {
			message = fmt.Sprint(r)
		}
	}()
	f.check()
	return ""
}
