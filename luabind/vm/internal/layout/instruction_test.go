package layout_test

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"roclua/luabind/vm/internal/layout"
)

func compile(t *testing.T, source string) *lua.FunctionProto {
	t.Helper()
	chunk, err := parse.Parse(strings.NewReader(source), "test")
	if err != nil {
		t.Fatal(err)
	}
	proto, err := lua.Compile(chunk, "test")
	if err != nil {
		t.Fatal(err)
	}
	return proto
}

var listed = regexp.MustCompile(`(?m)^ *\[\d+\] (\w+) +\|  (-?\d+), (-?\d+)(?:, (-?\d+))?.*\(line:\d+\)$`)

// TestInstructions compares the arguments of instructions with gopher-lua's listing.
func TestInstructions(t *testing.T) {
	proto := compile(t, `
		local a, b = 1, 300
		for i = 1, 10 do a = a + b * 2 if a > 5 then b = a .. "x" end end
		while a do a = not a end
		global = { a, b, x = a } global.field = global.x
		return a, -b, global(a, 7)`)
	rows := listed.FindAllStringSubmatch(proto.String(), -1)
	if len(rows) != len(proto.Code) {
		t.Fatalf("%d instructions, %d listed", len(proto.Code), len(rows))
	}
	jumps := 0
	for i, row := range rows {
		code := layout.Instruction(proto.Code[i])
		have := []int{code.A(), code.B(), code.C()}
		switch {
		case slices.Contains([]string{"JMP", "FORLOOP", "FORPREP"}, row[1]):
			have = []int{code.A(), code.Jump()}
			jumps++
		case row[4] == "":
			have = []int{code.A(), code.Bx()}
		}
		var want []int
		for _, text := range row[2:] {
			if n, err := strconv.Atoi(text); err == nil {
				want = append(want, n)
			}
		}
		if !slices.Equal(have, want) {
			t.Errorf("%s: %d", row[0], have)
		}
	}
	if jumps < 4 {
		t.Errorf("%d jumps", jumps)
	}
}

// TestReplace changes the code of a function, which then does something else.
func TestReplace(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	proto := compile(t, `local a, b = 5, 3 local c = a * b return c, a + b`)
	layout.ReplaceOpcode(proto, lua.OP_ADD, lua.OP_SUB)
	for i, code := range proto.Code {
		if layout.Instruction(code).Opcode() == lua.OP_MUL {
			layout.SetA(proto, i, 0) // a = a * b
		}
	}
	l.Push(l.NewFunctionFromProto(proto))
	if err := l.PCall(0, 2, nil); err != nil || l.Get(-1) != lua.LNumber(12) {
		t.Errorf("got %v, %v", l.Get(-1), err)
	}
}

// observer is a context that calls a function before every instruction.
type observer struct {
	context.Context
	next func()
}

func (o observer) Done() <-chan struct{} {
	o.next()
	return nil
}

// TestFrames looks at the frame of every instruction.
func TestFrames(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	depths, sums, first := map[int]int{}, 0, 0
	l.SetContext(observer{context.Background(), func() {
		code, f := layout.Next(l)
		if same, g, ok := layout.Current(l); !ok || same != code || g != f {
			t.Errorf("instruction %d: Current differs from Next", f.Counter)
		}
		if code != layout.Instruction(f.Proto().Code[f.Counter]) {
			t.Errorf("instruction %d is another one", f.Counter)
		}
		if f.Counter == 0 {
			first++
		}
		depths[f.Line()] = f.Depth
		if code.Opcode() == lua.OP_ADD {
			registers := f.Registers(l)
			if a, b := f.Value(registers, code.B()), f.Value(registers, code.C()); a != lua.LNumber(40) ||
				b != lua.LNumber(2) {
				t.Errorf("the operands of an addition are %v and %v", a, b)
			}
			sums++
		}
	}})
	err := l.DoString("local function add(a)\n return a + 2\nend\nlocal sum = add(40)\nreturn sum")
	if err != nil || sums != 1 || first != 2 {
		t.Errorf("%v, %d additions, %d functions began", err, sums, first)
	}
	for line, depth := range map[int]int{2: 1, 4: 0, 5: 0} {
		if depths[line] != depth {
			t.Errorf("line %d has %d calls below it", line, depths[line])
		}
	}
}

// TestWithoutInstruction looks at a thread that runs no code, and at one that runs a Go function.
func TestWithoutInstruction(t *testing.T) {
	l := lua.NewState()
	defer l.Close()
	look := func(l *lua.LState) int {
		if _, _, ok := layout.Current(l); ok {
			t.Error("an instruction of a Go function")
		}
		return 0
	}
	look(l)
	l.SetGlobal("look", l.NewFunction(look))
	if err := l.DoString("look()"); err != nil {
		t.Error(err)
	}
}
