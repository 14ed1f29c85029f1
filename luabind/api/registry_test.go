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
func refusal(f *Function) string {
	if f.Owner == "" || f.Name == "" || f.About == "" {
		return fmt.Sprintf("api: %q has no owner, name or documentation", f.Title())
	}
	optional := false
	for i := range f.Params {
		p := &f.Params[i]
		switch {
		case p.Name == "" || p.About == "" || kindTexts[p.Kind].want == "":
			return fmt.Sprintf("api: %s: parameter %d has no name, kind or documentation", f.Title(), i+1)
		case optional && !p.Optional:
			return fmt.Sprintf("api: %s: %s follows an optional parameter", f.Title(), p.Name)
		case p.Variadic && i != len(f.Params)-1:
			return fmt.Sprintf("api: %s: %s takes all further arguments and is not the last", f.Title(), p.Name)
		case p.Low > p.High:
			return fmt.Sprintf("api: %s: %s has an empty range", f.Title(), p.Name)
		}
		optional = p.Optional
	}
	if f.Method && (len(f.Params) == 0 || f.Params[0].class() == "") {
		return "api: " + f.Title() + " is a method of its first parameter, which is not an object"
	}
	return ""
}

// TestDeclarationsAreComplete checks every declaration, and that no two have one title.
func TestDeclarationsAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range Functions() {
		if why := refusal(f); why != "" {
			t.Error(why)
		}
		if seen[f.Title()] {
			t.Errorf("%s is declared twice", f.Title())
		}
		seen[f.Title()] = true
	}
}
