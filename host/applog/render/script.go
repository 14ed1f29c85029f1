package render

import (
	"bufio"
	_ "embed"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/routine"
	"roclua/hip/routine/region"
	"roclua/host/applog/analyze"
	"roclua/internal/escape"
	"roclua/internal/units"
)

// player is the code that reads the calls and their order, and makes them.
//
//go:embed log.lua
var player string

// script is the content of a scenario: distinct calls, and their order.
type script struct {
	list    []*analyze.Call
	number  map[*analyze.Call]int
	order   []entry
	refused int64 // calls that could not have run
}

// call adds a call that was made one or more times in a row.
func (s *script) call(c *analyze.Call, times int64) {
	if c.Needs[0].Status != "" {
		s.refused += times
		return
	}
	if s.number[c] == 0 {
		s.list = append(s.list, c)
		s.number[c] = len(s.list)
	}
	s.step(strconv.Itoa(s.number[c]), times)
}

func (s *script) step(word string, times int64) {
	if n := len(s.order); n > 0 && s.order[n-1].word == word {
		s.order[n-1].times += times
	} else {
		s.order = append(s.order, entry{word, times})
	}
}

// WriteScript writes a scenario that replays the calls in order: one string lists the distinct calls, another their
// order, and code reads both. Calls that could not have run are omitted.
func (r *Report) WriteScript(w io.Writer) error {
	out := bufio.NewWriterSize(w, 1<<16)
	s := &script{number: map[*analyze.Call]int{}}
	steps, missing := r.Order()
	for _, step := range steps {
		if step.Call == nil {
			s.step(newHandle, 1)
		} else {
			s.call(step.Call, step.Times)
		}
	}
	about := "the calls of " + r.Input()
	fmt.Fprintf(out, "-- Replays %s, in their order. Written by roclua log --lua.\n", escape.ASCII(about))
	if s.refused+missing > 0 {
		fmt.Fprintf(out, "-- Left out: %s that could not have run, and %d beyond the bounds of this file.\n",
			units.Count(s.refused, "call"), missing)
	}
	fmt.Fprintf(out, "local rocblas, rocsolver = require \"rocblas\", require \"rocsolver\"\n"+
		"local hip, array = require \"hip\", require \"array\"\nlocal about = %s\n",
		strconv.QuoteToASCII(escape.ASCII(about)))
	out.WriteString("\n-- The distinct calls: their arguments, and the bytes of their arrays.\nlocal calls = [[\n")
	for _, c := range s.list {
		writeCall(out, c)
	}
	out.WriteString("]]\n\n-- Their order: \"3*100\" is call 3 a hundred times, \"(1 2)*50\" repeats a group, " +
		"0 is a new handle.\nlocal order = [[\n")
	writeOrder(out, s.order)
	out.WriteString("]]\n" + player)
	return out.Flush()
}

// writeCall writes one call as "rocblas.dgemm transA=111 ... @A=8192".
func writeCall(out *bufio.Writer, c *analyze.Call) {
	a := c.Args()
	out.WriteString(c.Routine.Library.String() + "." + c.Routine.Name)
	for i := range c.Routine.Params {
		p := &c.Routine.Params[i]
		switch {
		case p.Kind == routine.Real:
			fmt.Fprintf(out, " %s=%g", p.Name, a.Real(p.Slot))
		case p.Kind == routine.Scalar:
			fmt.Fprintf(out, " %s=%g", p.Name, real(a.Scalar(p.Slot)))
		case !p.Kind.IsPointer():
			fmt.Fprintf(out, " %s=%d", p.Name, a.Int(p.Slot))
		}
	}
	for _, text := range arrays(a) {
		out.WriteString(text)
	}
	out.WriteByte('\n')
}

// smallest is the size in bytes of an array that a call does not use.
const smallest = 64

func arrays(a *routine.Args) (list []string) {
	regions := region.Of(a)
	for i := range a.Routine.Params {
		p := &a.Routine.Params[i]
		if !p.Kind.IsArray() || a.Null(p.Slot) {
			continue
		}
		bytes := uint64(smallest)
		for _, g := range regions {
			if g.Param == p && (p.Kind != routine.ArrayOfArrays || g.Indirect) {
				if p.Kind == routine.ArrayOfArrays {
					g.Count = 1 // the size of one problem
				}
				_, size := g.Bounds()
				bytes = max(bytes, size)
			}
		}
		text := fmt.Sprintf(" @%s=%d", p.Name, bytes)
		if p.Kind == routine.ArrayOfArrays {
			text = fmt.Sprintf(" @%s=%d*%d", p.Name, max(a.Batch(), 1), (bytes+smallest-1)/smallest*smallest)
		}
		list = append(list, text)
	}
	return list
}

// newHandle marks a new handle that replaces the only one.
const newHandle = "0"

// entry is a call number, or a new handle, and how often it repeats in a row.
type entry struct {
	word  string
	times int64
}

func (e entry) String() string {
	if e.times == 1 {
		return e.word
	}
	return fmt.Sprintf("%s*%d", e.word, e.times)
}

// longestGroup bounds the calls of a repeated group, perLine the calls on a line without a group.
const (
	longestGroup = 64
	perLine      = 20
)

// writeOrder writes calls, repeated groups on a line each.
func writeOrder(out *bufio.Writer, order []entry) {
	var line []string
	flush := func() {
		if len(line) > 0 {
			out.WriteString(strings.Join(line, " ") + "\n")
			line = line[:0]
		}
	}
	for i := 0; i < len(order); {
		length, times := repeats(order[i:])
		if times > 1 {
			flush()
			var group []string
			for _, e := range order[i : i+length] {
				group = append(group, e.String())
			}
			fmt.Fprintf(out, "(%s)*%d\n", strings.Join(group, " "), times)
			i += length * times
			continue
		}
		if line = append(line, order[i].String()); len(line) == perLine {
			flush()
		}
		i++
	}
	flush()
}

// repeats finds the leading group whose repetition covers the most calls.
func repeats(order []entry) (length, times int) {
	length, times = 1, 1
	for n := 1; n <= min(longestGroup, len(order)/2); n++ {
		k := 1
		for (k+1)*n <= len(order) && slices.Equal(order[:n], order[k*n:(k+1)*n]) {
			k++
		}
		if k > 1 && k*n > length*times {
			length, times = n, k
		}
	}
	return length, times
}
