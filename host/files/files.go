// Package files reads the files that people have with calls in them: definitions of benchmarks and tests, commands,
// tables of shapes, and results of tuning. Each form has one reader, which all commands use.
package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"roclua/hip/matmul"
	"roclua/hip/routine"
	"roclua/host/exit"
	"roclua/internal/units"
)

// Options say how files are read.
type Options struct {
	Folders    []string // of included files
	Categories []string // of tests; nil for all
	Archs      []string // tests for other architectures are left out; nil for none
	Strict     bool     // a part that is not read is an error

	// Of products without a type. Nil types, and their arguments, are rocBLAS's.
	Type    string
	Types   map[string]string
	Matmuls bool // products are of hipBLASLt
}

// Call is a call that a file has.
type Call struct {
	Args    *routine.Args   // valid until the next call; nil for a product of hipBLASLt
	Product *matmul.Product // of hipBLASLt
	Times   int64
	Line    int   // of the file that has it, which another may include
	Copies  int64 // of the arguments, for a measurement; 0 for one
	Merges  bool  // equal calls count as one

	Settings Settings

	Text     string // of a product: its row
	Recorded string // the kernel that a tuning chose; "" for none
}

// Content describes a file, in addition to its calls.
type Content struct {
	Form     *Form
	Calls    int64
	Settings map[string]int64 // how many calls have some that are not usual
	Left     map[string]int64 // how many calls were left out, by reason
	Bugs     []string         // known ones
	Ignored  map[string]int64 // options without a meaning for their function
	Columns  map[string]int64 // columns that are not read

	Validators map[string]string // versions and device of a tuning: ROCBLAS_VERSION, GCN_ARCH_NAME
	Remarks    []string
	sections   string  // sections of definitions without tests
	Refused    int64   // parts that were not read
	Reasons    []error // of the first of them, with their places
}

const mostReasons = 20

// reader reads a file.
type reader struct {
	ctx     context.Context
	options Options
	name    string
	text    []byte
	content *Content
	each    func(*Call) error
	depth   int // of files that a script names
}

func (r *reader) call(c *Call) error {
	r.content.Calls += c.Times
	if c.Settings != (Settings{}) && c.Settings != (Settings{OnHost: true, OnDevice: true}) {
		for _, text := range slices.Concat(c.Settings.List()) {
			r.content.Settings[text] += c.Times
		}
	}
	if c.Args != nil && r.content.Form.bench && c.Args.Routine.IsProduct() && c.Settings.Atomics == 0 {
		c.Settings.Atomics = 1
	}
	return r.each(c)
}

// refuse notes a part that is not read. It returns an error if nothing may be left out.
func (r *reader) refuse(err error) error {
	r.content.Refused++
	if len(r.content.Reasons) < mostReasons {
		r.content.Reasons = append(r.content.Reasons, err)
	}
	if r.options.Strict && len(r.content.Reasons) == mostReasons {
		return errors.Join(r.content.Reasons...)
	}
	return nil
}

// Read reads a file, and calls each for its calls, in their order. The error has a line for each reason if no part of
// the file is read, or if a part is not read and the options are strict.
func Read(ctx context.Context, name string, text []byte, o Options, each func(*Call) error) (*Content, error) {
	form := FormOf(name, text)
	if other := OtherOf(text); other != nil {
		return nil, fmt.Errorf("%s is %s: %s", name, other.Is, other.Advice(name, "import"))
	}
	recognized := form != nil || programPattern().Match(text)
	if form == nil {
		form = &commands
	}
	content := &Content{Form: form, Settings: map[string]int64{}, Left: map[string]int64{}, Ignored: map[string]int64{},
		Columns: map[string]int64{}, Validators: map[string]string{}}
	r := &reader{ctx: ctx, options: o, name: name, text: text, content: content, each: each}
	if err := form.read(r); err != nil {
		return content, err
	}
	switch {
	case content.Calls == 0 && len(content.Left) == 0 && !recognized:
		return content, unknown(name, text)
	case content.Refused > 0 && (o.Strict || content.Calls == 0 && len(content.Left) == 0):
		return content, errors.Join(content.Reasons...)
	case content.Calls == 0:
		if form != &commands {
			return content, exit.With(exit.Nothing, fmt.Errorf("%s has no %s%s", name, form.none,
				content.leftOut()+content.sections))
		}
		return content, fmt.Errorf("%s has no %s; the forms of files are %s", name, form.none, Tried())
	}
	return content, nil
}

// unknown is the error of a file that has none of the forms.
func unknown(name string, text []byte) error {
	text = bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))
	line, _, _ := bytes.Cut(text, []byte("\n"))
	begin := text[:min(len(text), 1<<12)]
	problem := fmt.Sprintf("starts with %.60q", line)
	switch columns := strings.FieldsFunc(strings.ToLower(string(line)), func(c rune) bool {
		return strings.ContainsRune(",;\t \r", c)
	}); {
	case len(text) == 0:
		problem = "is empty"
	case bytes.IndexByte(begin, 0) >= 0 || !utf8.Valid(begin[:bytes.LastIndexByte(begin, '\n')+1]):
		problem = "is not a text"
	case slices.Contains(columns, "m") && slices.Contains(columns, "n"):
		problem += "; a table of shapes has columns m, n and k with one separator"
	}
	return fmt.Errorf("%s %s; the forms of files are %s", name, problem, Tried())
}

// leftOut lists the calls that were left out, as the end of a sentence; "" for none.
func (c *Content) leftOut() string {
	if len(c.Left) == 0 {
		return ""
	}
	return "; left out: " + counts(c.Left)
}

// Notes list the parts that were not read, ignored or left out.
func (c *Content) Notes() []string {
	var list []string
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	if len(c.Left) > 0 {
		add("left out: %s", counts(c.Left))
	}
	if len(c.Settings) > 0 {
		add("settings: %s", counts(c.Settings))
	}
	if len(c.Ignored) > 0 {
		add("ignored: %s", c.IgnoredNote())
	}
	if len(c.Columns) > 0 {
		add("columns that are not read: %s", counts(c.Columns))
	}
	list = append(list, c.Remarks...)
	for _, bug := range c.Bugs {
		add("known bug, whose tests are read: %s", bug)
	}
	if c.Refused > 0 {
		add("%s not read:", units.Count(int(c.Refused), "part"))
		for _, err := range c.Reasons {
			add("  %v", err)
		}
	}
	return list
}

// IgnoredNote counts the options that are ignored; "" if there are none.
func (c *Content) IgnoredNote() string {
	if len(c.Ignored) == 0 {
		return ""
	}
	return fmt.Sprintf("%s that rocblas-bench ignores for the function: %s",
		units.Count(int(total(c.Ignored)), "option"), counts(c.Ignored))
}

func total(of map[string]int64) (n int64) {
	for _, count := range of {
		n += count
	}
	return n
}

// mostNames bounds the names in a note.
const mostNames = 12

// counts lists names with their counts.
func counts(of map[string]int64) string {
	var list []string
	for name, n := range of {
		list = append(list, fmt.Sprintf("%s (%d)", name, n))
	}
	slices.Sort(list)
	if n := len(list); n > mostNames {
		list = append(list[:mostNames], fmt.Sprintf("and %d others", n-mostNames))
	}
	return strings.Join(list, ", ")
}

// Form is a form of files.
type Form struct {
	Name    string // in the plural, such as "definitions of tests"
	Example string // a whole file
	About   string // sentences
	Rows    bool   // each row is a product
	bench   bool   // the program lets kernels use atomic operations
	none    string // a file has none of, if it has no calls
	is      func(name string, text []byte) bool
	read    func(*reader) error
}

// Forms are tried in this order.
var Forms []*Form

func init() {
	Forms = []*Form{&tunable, &tables, &definitions, &commands}
}

// FormOf returns the form of a file, from its name and its text or the begin of it; nil if it has none of the forms.
func FormOf(name string, begin []byte) *Form {
	begin = bytes.TrimPrefix(begin, []byte("\ufeff"))
	for _, f := range Forms {
		if f.is(name, begin) {
			return f
		}
	}
	return nil
}

// Tried lists the forms for the error of a file that has none of them.
func Tried() string {
	var names []string
	for _, f := range Forms {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ") + " (see roclua docs files)"
}

// hasSuffix reports whether the name of a file has one of the suffixes.
func hasSuffix(name, suffixes string) bool {
	return slices.Contains(strings.Fields(suffixes), strings.ToLower(filepath.Ext(name)))
}
