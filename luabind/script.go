package luabind

import (
	"fmt"

	"roclua/luabind/vm/script"
)

// A Script is a compiled Lua file. It can be run any number of times, also concurrently.
type Script struct{ *script.Script }

// Compile compiles a Lua file: see [script.Compile].
func Compile(name string, source []byte) (*Script, error) {
	compiled, err := wrapScript(script.Compile(name, source))
	if err != nil {
		return nil, &InvalidError{err}
	}
	return compiled, nil
}

// CompileEntry compiles text that was typed at a prompt: see [script.CompileEntry].
func CompileEntry(name string, line int, text string) (*Script, error) {
	return wrapScript(script.CompileEntry(name, line, text))
}

func wrapScript(script *script.Script, err error) (*Script, error) {
	if err != nil {
		return nil, err
	}
	return &Script{script}, nil
}

// failure returns an error in the declarations of a file.
func (sc *Script) failure(where, format string, args ...any) error {
	return &InvalidError{&Error{File: sc.Name, Message: where + ": " + fmt.Sprintf(format, args...)}}
}
