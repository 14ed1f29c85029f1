package vm

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"roclua/luabind/vm/internal/convert"
	"roclua/luabind/vm/internal/layout"
	"roclua/luabind/vm/script"
)

// A variable is the name of a value in messages: global 'x', field 'y'. The zero variable has no name.
type variable struct {
	kind, name string
	path       string // with the tables that the name was looked up in, such as "io.stdout"
}

// describe returns the name of a value for messages, with a description of the value.
func (v variable) describe(what string) string {
	if v.kind == "" {
		return what
	}
	return fmt.Sprintf("%s '%s' (%s)", v.kind, v.name, what)
}

// maxOrigin is the maximum number of moves between registers that variableIn follows.
const maxOrigin = 8

// variableIn finds out where the value of a register comes from when the instruction at pc is executed. Like Lua 5.1,
// it looks for the last instruction before that which sets the register.
func variableIn(code *lua.FunctionProto, pc, register, depth int) variable {
	if name := script.Local(code, pc, register); name != "" && name[0] != '(' { // a name of the compiler
		return variable{"local", name, originIn(code, pc, register, depth).path}
	}
	return originIn(code, pc, register, depth)
}

// originIn is variableIn for the value before it was assigned to a local variable.
func originIn(code *lua.FunctionProto, pc, register, depth int) variable {
	at := lastSet(code, pc, register)
	if at < 0 || depth > maxOrigin {
		return variable{}
	}
	i := layout.Instruction(code.Code[at])
	switch i.Opcode() {
	case lua.OP_GETGLOBAL:
		name := constantText(code, i.Bx())
		return variable{"global", name, name}
	case lua.OP_MOVE, lua.OP_MOVEN:
		return variableIn(code, at, i.B(), depth+1)
	case lua.OP_GETUPVAL:
		return variable{kind: "upvalue", name: code.DbgUpvalues[i.B()]}
	case lua.OP_GETTABLE, lua.OP_GETTABLEKS, lua.OP_SELF:
		key, ok := layout.Constant(code, i.C())
		name, isText := key.(lua.LString)
		if !ok || !isText {
			return variable{kind: "field", name: "?"}
		}
		v := variable{kind: "field", name: string(name)}
		if i.Opcode() == lua.OP_SELF {
			v.kind = "method"
		}
		if table := variableIn(code, at, i.B(), depth+1); table.path != "" {
			v.path = table.path + "." + v.name
		}
		return v
	}
	return variable{}
}

func constantText(code *lua.FunctionProto, i int) string { return code.Constants[i].String() }

// lastSet returns the last instruction before pc that sets a register. It returns -1 if there is none, or if a jump
// forwards may have skipped it: the value has several possible origins.
func lastSet(code *lua.FunctionProto, pc, register int) int {
	last, skipped := -1, 0 // the instructions before skipped may not have been executed
	for at := range pc {
		i := layout.Instruction(code.Code[at])
		if i.Opcode() == lua.OP_JMP {
			if to := at + 1 + i.Jump(); to <= pc {
				skipped = max(skipped, to)
			}
		} else if sets(i, register) {
			last = at
			if at < skipped {
				last = -1
			}
		}
	}
	return last
}

// sets reports whether an instruction sets a register.
func sets(i layout.Instruction, register int) bool {
	switch i.Opcode() {
	case lua.OP_SETGLOBAL, lua.OP_SETUPVAL, lua.OP_SETTABLE, lua.OP_SETTABLEKS, lua.OP_EQ, lua.OP_LT, lua.OP_LE,
		lua.OP_TEST, lua.OP_RETURN, lua.OP_SETLIST, lua.OP_CLOSE, lua.OP_NOP:
		return false
	case lua.OP_CALL, lua.OP_TAILCALL, lua.OP_VARARG, lua.OP_TFORLOOP, lua.OP_FORLOOP, lua.OP_FORPREP:
		return register >= i.A()
	case lua.OP_LOADNIL:
		return i.A() <= register && register <= i.B()
	}
	return register == i.A()
}

// operation describes the instruction of a script that failed.
type operation struct {
	m         *Machine
	frame     layout.Frame
	registers []lua.LValue
}

// value returns the operand of an instruction, and its name in messages.
func (o operation) value(arg int) (lua.LValue, variable) {
	if v, ok := layout.Constant(o.frame.Proto(), arg); ok {
		return v, variable{}
	}
	return o.registers[arg], variableIn(o.frame.Proto(), o.frame.Counter, arg, 0)
}

// attempt returns the message about an operand that does not support an operation.
func (o operation) attempt(verb string, arg int) string {
	v, name := o.value(arg)
	text := "attempt to " + verb + " " + name.describe(TypeText(v))
	if v == lua.LNil && name.path != "" && o.m.missing != nil {
		return o.m.missing(name.path, text)
	}
	return text
}

// ExplainMissing makes better messages about names that do not exist. better gets the path of a global variable or of a
// field of one, such as "io.stdout", and the message about its value, which is nil.
func (m *Machine) ExplainMissing(better func(path, message string) string) { m.missing = better }

// explain returns the text of Lua 5.1 for an error of the interpreter. It does not change other texts.
func (m *Machine) explain(l *lua.LState, text string) string {
	i, frame, ok := layout.Current(l)
	if !ok {
		return argument(l, text)
	}
	where := location(frame.Proto().SourceName, frame.Line()) + ": "
	message, ok := strings.CutPrefix(text, where)
	if !ok {
		return text
	}
	o := operation{m, frame, frame.Registers(l)}
	if better := o.explain(i, message); better != "" {
		return where + better
	}
	return text
}

var badArgument = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^((?:.*:\d+: )?bad argument #)(\d+)( to )(\S+)(?s: (.*))$`)
})

// argument returns the text of Lua 5.1 for an error about an argument of the Go function that l runs.
func argument(l *lua.LState, text string) string {
	parts := badArgument().FindStringSubmatch(text)
	if parts == nil {
		return text
	}
	number, _ := strconv.Atoi(parts[2])
	name, problem := parts[4], parts[5]
	if number >= l.GetTop() { // the text is on top
		problem = strings.Replace(problem, "got nil", "got no value", 1)
	} else if v := l.Get(number); v.Type() == lua.LTUserData {
		problem = strings.Replace(problem, "got userdata", "got "+Describe(v), 1)
	}
	if name == "(anonymous)" { // not called by a script
		name = "?"
	} else if caller := layout.Innermost(l); isMethodCall(caller) {
		if number--; number == 0 {
			where, _, _ := strings.Cut(parts[1], "bad argument")
			return fmt.Sprintf("%scalling '%s' on bad self %s", where, name, problem)
		}
	}
	return fmt.Sprintf("%s%d to '%s' %s", parts[1], number, name, problem)
}

// isMethodCall reports whether the instruction of a frame is a call with a colon.
func isMethodCall(f layout.Frame) bool {
	i := layout.Instruction(f.Proto().Code[f.Counter])
	return variableIn(f.Proto(), f.Counter, i.A(), 0).kind == "method"
}

// explain returns the message of Lua 5.1 for a message of the interpreter, or "" to keep it.
func (o operation) explain(i layout.Instruction, text string) string {
	switch {
	case text == "attempt to call a non-function object":
		switch i.Opcode() {
		case lua.OP_CALL, lua.OP_TAILCALL:
			return o.attempt("call", i.A())
		case lua.OP_TFORLOOP:
			return "attempt to call " + TypeText(o.registers[i.A()])
		}
	case strings.HasPrefix(text, "attempt to index a non-table object("):
		return o.index(i, text)
	case strings.HasPrefix(text, "cannot perform concat operation"):
		// The last two values are joined first. Of two that are not text, the first is named.
		arg := i.C()
		for ; arg > i.B(); arg-- {
			_, left := convert.Text(o.registers[arg-1])
			if _, right := convert.Text(o.registers[arg]); !left || !right {
				if !left {
					arg--
				}
				break
			}
		}
		return o.attempt("concatenate", arg)
	case strings.HasPrefix(text, "cannot perform "):
		if v, _ := o.value(i.B()); !isNumeric(v) {
			return o.attempt("perform arithmetic on", i.B())
		}
		return o.attempt("perform arithmetic on", i.C())
	case text == "__unm undefined":
		return o.attempt("perform arithmetic on", i.B())
	case text == "__len undefined":
		return o.attempt("get length of", i.B())
	case strings.HasPrefix(text, "attempt to compare "):
		return compared(text)
	}
	return forLoopMessages[text]
}

func isNumeric(v lua.LValue) bool {
	_, ok := convert.Number(v)
	return ok
}

// index returns the message about a value that cannot be indexed. It may not be the one in the register, but one that
// __index leads to.
func (o operation) index(i layout.Instruction, text string) string {
	arg, event := i.B(), "__index"
	if op := i.Opcode(); op == lua.OP_SETTABLE || op == lua.OP_SETTABLEKS {
		arg, event = i.A(), "__newindex"
	}
	if v, _ := o.value(arg); o.m.lua.GetMetaField(v, event) != lua.LNil {
		_, kind, _ := strings.Cut(text, "(")
		kind, _, _ = strings.Cut(kind, ")")
		return "attempt to index a " + kind + " value"
	}
	return o.attempt("index", arg)
}

// compared returns the message of Lua 5.1 about values that cannot be compared.
func compared(text string) string {
	a, b, _ := strings.Cut(strings.TrimPrefix(text, "attempt to compare "), " with ")
	if a == b {
		return "attempt to compare two " + a + " values"
	}
	return text
}

// RaiseArithmetic raises the error about the operands of the arithmetic instruction that called a host function.
func (m *Machine) RaiseArithmetic(l *lua.LState) {
	frame := layout.Innermost(l)
	o := operation{m, frame, frame.Registers(l)}
	l.RaiseError("%s", o.explain(layout.Instruction(frame.Proto().Code[frame.Counter]), "cannot perform "))
}

var forLoopMessages = map[string]string{
	"for statement init must be a number":  "'for' initial value must be a number",
	"for statement limit must be a number": "'for' limit must be a number",
	"for statement step must be a number":  "'for' step must be a number",
}
