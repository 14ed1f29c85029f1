package script

import (
	"fmt"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/yuin/gopher-lua/ast"

	"roclua/luabind/vm/internal/convert"
)

// Bounds of a source text. The compiler recurses as deep as expressions and blocks are nested, and an overflow of Go's
// stack would end the process. It also compares each constant with the constants of the function so far, and cannot be
// interrupted.
const (
	MaxBytes       = 16 << 20 // of a file
	MaxLoadedBytes = 1 << 20  // of text that a script loads: the script's time limit does not interrupt the compiler
	maxSourceDepth = 2000
	maxLookups     = 1 << 28 // comparisons; one second, for about 23000 different constants of one function
)

// checkSize returns an error if a source has more bytes than most.
func checkSize(name string, source []byte, most int) error {
	if len(source) > most {
		return &Error{File: name, Message: fmt.Sprintf("%s: a script may have at most %d bytes", name, most)}
	}
	return nil
}

// checkChunk returns an error if a chunk is too deep or too large for the compiler.
func checkChunk(name string, chunk []ast.Stmt) *Error {
	i := &inspection{constants: map[string]int{}}
	i.visit(reflect.ValueOf(chunk), 0, 1)
	if i.problem == "" {
		return nil
	}
	return &Error{File: name, Line: i.line, Message: i.problem}
}

// inspection walks a syntax tree until it finds a problem.
type inspection struct {
	constants map[string]int // of the function that is visited, with their places in the list of the compiler
	lookups   int            // that the compiler needs to find the constants so far
	problem   string
	line      int
}

func (i *inspection) visit(v reflect.Value, depth, line int) {
	switch {
	case i.problem != "":
		return
	case depth > maxSourceDepth:
		i.problem, i.line = fmt.Sprintf("expressions or blocks are nested more than %d deep", maxSourceDepth), line
		return
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		i.node(v, depth, line)
	case reflect.Slice:
		for n := range v.Len() {
			i.visit(v.Index(n), depth, line)
		}
	case reflect.Struct:
		for _, n := range fieldsOf(v.Type()) {
			i.visit(v.Field(n), depth, line)
		}
	case reflect.String: // names of globals and fields are constants, too
		i.constant(v.String(), line)
	}
}

// constant looks up a constant as the compiler does, which compares it with one after the other.
func (i *inspection) constant(text string, line int) {
	place, known := i.constants[text]
	if !known {
		place = len(i.constants)
		i.constants[text] = place
	}
	if i.lookups += place + 1; i.lookups > maxLookups {
		i.line = line
		i.problem = fmt.Sprintf("too many different constants (%d so far in one function); "+
			"divide the function, or keep large data outside of the script", len(i.constants))
	}
}

// node visits the target of a reference. depth counts nodes.
func (i *inspection) node(v reflect.Value, depth, line int) {
	if v.IsNil() {
		return
	}
	if v.Kind() == reflect.Pointer {
		depth++
		if node, ok := v.Interface().(ast.PositionHolder); ok && node.Line() > 0 {
			line = node.Line()
		}
		if number, ok := v.Interface().(*ast.NumberExpr); ok {
			if _, ok := convert.Parse(number.Value); !ok {
				// The scanner has read one character more.
				text := strings.TrimRight(number.Value, convert.Spaces+string(utf8.RuneError))
				i.problem, i.line = "malformed number near '"+text+"'", line
			}
		}
	}
	if _, ok := v.Interface().(*ast.FunctionExpr); ok {
		defer func(outer map[string]int) { i.constants = outer }(i.constants)
		i.constants = map[string]int{}
	}
	i.visit(v.Elem(), depth, line)
}

// Sizes in bytes of names of chunks in messages, as in Lua 5.1.
const (
	MaxName  = 59
	maxFile  = 52 // of a file name, without the dots before it
	maxQuote = 43 // of the first line of a source
)

// ChunkName returns the name of a chunk in messages: name without its first character if that is =, the end of a file
// name after @, and otherwise the first line of the source.
func ChunkName(name string) string {
	if literal, ok := strings.CutPrefix(name, "="); ok {
		return literal[:min(len(literal), MaxName)]
	}
	if file, ok := strings.CutPrefix(name, "@"); ok {
		if len(file) > maxFile {
			file = "..." + file[len(file)-maxFile:]
		}
		return file
	}
	line := name[:min(len(name), maxQuote)]
	if end := strings.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	if len(line) < len(name) {
		line += "..."
	}
	return `[string "` + line + `"]`
}
