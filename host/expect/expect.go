// Package expect reads expectations: a condition, such as "< 1e-10" or ">= 64 and < 32MiB", and the name of the value
// that must satisfy it, such as "residual" or "p95(seconds)".
package expect

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"roclua/internal/units"
)

// Expr is a condition on one value.
type Expr struct {
	text string
	any  [][]comparison // holds if all comparisons of one list hold
	time bool           // a number has a unit of time
}

type comparison struct {
	op   string
	want any // float64, string or bool
}

// IsTime reports whether the condition compares with a time, in seconds.
func (e *Expr) IsTime() bool { return e.time }

// String returns the source text of the expression.
func (e *Expr) String() string { return e.text }

// operators, longer ones first.
var operators = []string{"<=", ">=", "==", "!=", "<", ">"}

// Parse reads an expression: comparisons with a number, a quoted text or true and false, joined by "and" and "or";
// "and" binds more closely. Numbers may have the suffix KiB, MiB, GiB, %, or a unit of time, which makes them seconds.
func Parse(text string) (*Expr, error) {
	e := &Expr{text: strings.TrimSpace(text)}
	p := &parser{text: text, Expr: e}
	for {
		all, err := p.conjunction()
		if err != nil {
			return nil, fmt.Errorf("%q: %w", text, err)
		}
		e.any = append(e.any, all)
		if !p.word("or") {
			break
		}
	}
	if p.skip(); p.at < len(p.text) {
		return nil, fmt.Errorf("%q: column %d: unexpected %q; join comparisons by \"and\" or \"or\"", text, p.at+1,
			p.text[p.at:])
	}
	return e, nil
}

type parser struct {
	*Expr
	text string
	at   int
}

func (p *parser) skip() {
	for p.at < len(p.text) && (p.text[p.at] == ' ' || p.text[p.at] == '\t') {
		p.at++
	}
}

// word consumes a word, and reports whether it was next.
func (p *parser) word(w string) bool {
	p.skip()
	rest := p.text[p.at:]
	if !strings.HasPrefix(rest, w) || len(rest) > len(w) && rest[len(w)] != ' ' && rest[len(w)] != '\t' {
		return false
	}
	p.at += len(w)
	return true
}

func (p *parser) conjunction() ([]comparison, error) {
	var all []comparison
	for {
		c, err := p.comparison()
		if err != nil {
			return nil, err
		}
		all = append(all, c)
		if !p.word("and") {
			return all, nil
		}
	}
}

func (p *parser) comparison() (c comparison, err error) {
	p.skip()
	for _, op := range operators {
		if strings.HasPrefix(p.text[p.at:], op) {
			c.op = op
			p.at += len(op)
			break
		}
	}
	if c.op == "" {
		return c, fmt.Errorf("column %d: want a comparison such as \"< 1e-10\" or \"== 64\" (%s)", p.at+1,
			strings.Join(operators, " "))
	}
	c.want, err = p.value()
	if _, number := c.want.(float64); err == nil && !number && c.op != "==" && c.op != "!=" {
		err = fmt.Errorf("column %d: %s compares numbers", p.at+1, c.op)
	}
	return c, err
}

func (p *parser) value() (any, error) {
	p.skip()
	start := p.at
	if p.at < len(p.text) && (p.text[p.at] == '"' || p.text[p.at] == '\'') {
		quote := p.text[p.at]
		end := strings.IndexByte(p.text[p.at+1:], quote)
		if end < 0 {
			return nil, fmt.Errorf("column %d: the text is not closed", start+1)
		}
		p.at += end + 2
		return p.text[start+1 : start+1+end], nil
	}
	for p.at < len(p.text) && p.text[p.at] != ' ' && p.text[p.at] != '\t' {
		p.at++
	}
	word := p.text[start:p.at]
	if word == "true" || word == "false" {
		return word == "true", nil
	}
	if seconds, ok := units.ParseTime(word); ok {
		p.time = true
		return seconds, nil
	}
	number, factor := word, 1.0
	if percent, ok := strings.CutSuffix(word, "%"); ok {
		number, factor = percent, 0.01
	}
	v, err := units.Parse(number)
	switch {
	case err == nil && !math.IsInf(v, 0):
		return v * factor, nil
	case errors.Is(err, units.ErrInexact):
		return nil, fmt.Errorf("column %d: %w", start+1, err)
	}
	return nil, fmt.Errorf("column %d: %q is not a finite number, a quoted string or a boolean; numbers may have a "+
		"unit: KiB, MiB, GiB, %%, ns, µs, ms, s, min or h", start+1, word)
}

// Holds reports whether a value satisfies the expression. NaN and a value of another kind satisfy no comparison, not
// even !=.
func (e *Expr) Holds(value any) bool {
	for _, all := range e.any {
		holds := true
		for _, c := range all {
			holds = holds && c.holds(value)
		}
		if holds {
			return true
		}
	}
	return false
}

func (c comparison) holds(value any) bool {
	want, numeric := c.want.(float64)
	if !numeric {
		return fmt.Sprintf("%T", value) == fmt.Sprintf("%T", c.want) && (c.op == "==") == (value == c.want)
	}
	have, ok := number(value)
	if !ok || math.IsNaN(have) {
		return false
	}
	switch c.op {
	case "<":
		return have < want
	case "<=":
		return have <= want
	case ">":
		return have > want
	case ">=":
		return have >= want
	case "==":
		return have == want
	}
	return have != want
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	case uint64:
		return float64(v), true
	}
	return 0, false
}
