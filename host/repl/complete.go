package repl

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"roclua/hip/routine"
	"roclua/luabind/api"
)

var keywords = []string{"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local",
	"nil", "not", "or",
	"repeat", "return", "then", "true", "until", "while"}

var (
	namePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.*?)((?:[A-Za-z_]\w*\s*[.:]\s*)*)([A-Za-z_]\w*)?$`)
	})
	callPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([.:]?)\s*([A-Za-z_]\w*)\s*(?:\(\s*(?:[\w.]+\s*,\s*)?)?$`)
	})
	givenPattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([A-Za-z_]\w*)\s*=`)
	})
	closedText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?s)(?:--)?\[\[.*?\]\]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|--[^\n]*\n`)
	})
	inText = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`["']|--|\[\[`)
	})
	closedBraces = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\{[^{}]*\}`)
	})
	modulePattern = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`\brequire\s*\(?\s*["']([\w.]*)$`)
	})
)

// Complete returns completions for the text before the cursor: each string in found can follow head.
func (s *Session) Complete(text string) (head string, found []string) {
	if rest, ok := strings.CutPrefix(strings.TrimLeft(text, " "), prefix); ok && s.pending == nil {
		return s.completeCommand(text, rest)
	}
	// Earlier lines decide the choices, but only the last is edited.
	before := ""
	if s.pending != nil {
		before = strings.Join(s.pending, "\n") + "\n"
	}
	if m := modulePattern().FindStringSubmatch(before + text); m != nil {
		return text[:len(text)-len(m[1])], matching(api.Loadable(), m[1])
	}
	code := openPart(before + text)
	m := namePattern().FindStringSubmatch(text)
	if m == nil || inText().MatchString(code) {
		return text, nil
	}
	head = text[:len(text)-len(m[3])]
	if m[2] != "" {
		return head, matching(s.fields(m[2]), m[3])
	}
	if names := parameters(code[:len(before)+len(head)]); names != nil {
		return head, matching(names, m[3])
	}
	return head, matching(append(s.lua.Look().Names, keywords...), m[3])
}

// openPart returns text with spaces instead of strings, comments, and what is between two braces.
func openPart(text string) string {
	blank := func(part string) string { return strings.Repeat(" ", len(part)) }
	text = closedText().ReplaceAllStringFunc(text, blank)
	for before := ""; before != text; {
		before, text = text, closedBraces().ReplaceAllStringFunc(text, blank)
	}
	return text
}

// matching returns the names that start with a prefix, sorted. Names that start with an underscore need a prefix.
func matching(names []string, begin string) []string {
	var found []string
	for _, name := range names {
		if strings.HasPrefix(name, begin) && (begin != "" || !strings.HasPrefix(name, "_")) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

// fields lists the names that can follow a path ending in a dot or a colon.
func (s *Session) fields(path string) []string {
	path = strings.Join(strings.Fields(path), "")
	method := strings.HasSuffix(path, ":")
	names := strings.FieldsFunc(path, func(r rune) bool { return r == '.' || r == ':' })
	look := s.lua.Look(names...)
	switch {
	case look.Class == "nil" && method: // h in function(h) h:..., probably
		return methodsOf("roclua.handle")
	case strings.HasPrefix(look.Class, "roclua.") && method:
		return methodsOf(look.Class)
	case strings.HasPrefix(look.Class, "roclua."):
		return fieldsOf(look.Class)
	}
	return look.Names
}

func methodsOf(class string) []string {
	if c, ok := api.FindClass(strings.TrimPrefix(class, "roclua.")); ok {
		return c.MethodNames()
	}
	return nil
}

func fieldsOf(class string) []string {
	var names []string
	if c, ok := api.FindClass(strings.TrimPrefix(class, "roclua.")); ok {
		for _, f := range c.Fields {
			names = append(names, f.Name)
		}
	}
	return names
}

// parameters lists the argument names still possible at the end of text inside the braces of a routine's call; nil if
// text ends elsewhere.
func parameters(text string) []string {
	brace := strings.LastIndexByte(text, '{')
	if brace < 0 || !strings.ContainsAny(lastOf(text), "{,;") {
		return nil
	}
	call := callPattern().FindStringSubmatch(text[:brace])
	if call == nil {
		return nil
	}
	r, ok := routine.Find(routine.RocSOLVER, call[2])
	if !ok {
		r, ok = routine.Find(routine.RocBLAS, call[2])
	}
	if !ok {
		return nil
	}
	given := map[string]bool{}
	for _, m := range givenPattern().FindAllStringSubmatch(text[brace:], -1) {
		given[m[1]] = true
	}
	var names []string
	for i := range r.Params {
		if name := r.Params[i].Name; !given[name] {
			names = append(names, name+" = ")
		}
	}
	if call[1] != ":" && !given["handle"] && !strings.Contains(call[0], ",") {
		names = append(names, "handle = ")
	}
	return names
}

// lastOf returns the last character that is not a space.
func lastOf(text string) string {
	text = strings.TrimRight(text, " \t\r\n")
	if text == "" {
		return ""
	}
	return text[len(text)-1:]
}

// completeCommand offers the names of commands, then their arguments.
func (s *Session) completeCommand(text, rest string) (head string, found []string) {
	name, argument, spaced := strings.Cut(rest, " ")
	if !spaced {
		var names []string
		for _, c := range commands() {
			names = append(names, c.name)
		}
		return text[:len(text)-len(name)], matching(names, name)
	}
	argument = strings.TrimLeft(argument, " ")
	head = text[:len(text)-len(argument)]
	for _, c := range commands() {
		switch {
		case c.name == name && c.values != nil:
			return head, matching(c.values(), argument)
		case c.name == name && c.argument == "FILE":
			return head, files(argument)
		}
	}
	return head, nil
}

// files lists the folders and scripts whose path starts with a prefix.
func files(begin string) []string {
	paths, _ := filepath.Glob(strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`).Replace(begin) + "*")
	var found []string
	for _, path := range paths {
		info, err := os.Stat(path)
		switch {
		case err == nil && info.IsDir():
			found = append(found, path+string(filepath.Separator))
		case filepath.Ext(path) == ".lua":
			found = append(found, path)
		}
	}
	return found
}
