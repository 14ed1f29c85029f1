package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"roclua/hip/routine"
)

// mostTexts bounds the calls of Texts.
const mostTexts = 10_000

// Texts returns the calls in a file as roclua size takes them, each once. A part that is not read is an error. ok is
// false for a file without a form.
func Texts(ctx context.Context, name string, text []byte, o Options) (list []string, ok bool, err error) {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	if other := OtherOf(text); other != nil {
		return nil, false, fmt.Errorf("%s is %s: %s", name, other.Is, other.Advice("FILE", "size"))
	}
	if FormOf(name, text) == nil && program(strings.Fields(string(line))) < 0 {
		return nil, false, nil
	}
	known := map[string]bool{}
	o.Strict = true
	_, err = Read(ctx, name, text, o, func(c *Call) error {
		if c.Args == nil {
			return errors.New("products of hipBLASLt have no size; roclua gemm --lt lists their kernels")
		}
		words := []string{c.Args.Routine.UniqueName()}
		for i := range c.Args.Routine.Params {
			p := &c.Args.Routine.Params[i]
			if value, ok := Value(c.Args, p); ok {
				words = append(words, p.Name+"="+value)
			}
		}
		of := strings.Join(words, " ")
		if known[of] {
			return nil
		}
		if len(list) == mostTexts {
			return fmt.Errorf("%s has more than %d calls", name, mostTexts)
		}
		known[of] = true
		list = append(list, of)
		return nil
	})
	return list, true, err
}

// Value writes the value of an integer, an option or a number in script syntax. ok is false for arrays, and for scalars
// other than 0, because a call keeps only their class.
func Value(a *routine.Args, p *routine.Param) (text string, ok bool) {
	switch {
	case p.Kind.IsEnum():
		return strings.TrimPrefix(routine.ConstantName(p.Kind, a.Int(p.Slot)), routine.EnumName(p.Kind)+"_"), true
	case p.Kind.IsInteger():
		return fmt.Sprint(a.Int(p.Slot)), true
	case p.Kind == routine.Real:
		return fmt.Sprint(a.Real(p.Slot)), true
	case p.Kind == routine.Scalar && !a.Null(p.Slot) && a.Scalar(p.Slot) == 0:
		return "0", true
	}
	return "", false
}
