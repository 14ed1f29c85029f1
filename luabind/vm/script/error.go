package script

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// An Error is an error in a script, or one that a script raised.
type Error struct {
	File      string // "" if unknown
	Line      int    // 1-based; 0 if unknown
	Column    int    // 1-based, of syntax errors; 0 otherwise
	Message   string // without the position
	Source    string // the line of the source text, of syntax errors
	Traceback string // one call a line, innermost first
	Cause     error  // error of a host function or of the parser; nil if there is none
}

// Error returns position and message, such as `solve.lua:12: attempt to index a nil value`.
func (e *Error) Error() string {
	switch {
	case e.Line == 0:
		return e.Message
	case e.Column > 0:
		return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// Unwrap returns Cause.
func (e *Error) Unwrap() error { return e.Cause }

// parseText parses text, which can differ from the source in its first line.
func parseText(name string, source, text []byte) ([]ast.Stmt, *Error) {
	chunk, err := []ast.Stmt(nil), error(&parse.Error{Message: tooDeep})
	if !isDeep(text) {
		chunk, err = parse.Parse(bytes.NewReader(text), name)
	}
	if err == nil {
		return chunk, nil
	}
	e := &Error{File: name, Message: err.Error(), Cause: err}
	if p := (*parse.Error)(nil); errors.As(err, &p) {
		e.parseError(p, source, text)
	}
	return nil, e.in(source)
}

// in adds the line of the source text to a syntax error.
func (e *Error) in(source []byte) *Error {
	if lines := strings.Split(string(source), "\n"); e.Line >= 1 && e.Line <= len(lines) {
		e.Source = strings.TrimRight(lines[e.Line-1], "\r")
	}
	return e
}

// parseError takes position and message from an error of the parser.
func (e *Error) parseError(p *parse.Error, source, text []byte) {
	mistake := explain(text)
	if mistake == nil {
		message := strings.Replace(strings.TrimSpace(p.Message), "Invalid", "invalid", 1)
		mistake = &parse.Error{Pos: p.Pos, Message: message}
		if p.Token != "" {
			mistake.Message += " near '" + p.Token + "'"
		}
		if p.Pos.Line == parse.EOF {
			mistake.Message += " at the end of the file"
		}
	}
	e.Line, e.Column, e.Message = mistake.Pos.Line, mistake.Pos.Column, mistake.Message
	switch {
	case e.Line == parse.EOF:
		e.Line, e.Column = bytes.Count(source, []byte("\n"))+1, 0
	case p.Message == "unterminated string" && e.Column == 0: // the parser has read the line break
		e.Line--
	}
}
