package files

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"go.yaml.in/yaml/v4"
)

type kind uint8

const (
	nullKind kind = iota
	boolKind
	intKind
	realKind
	wordKind
	listKind
	dictKind
)

// value is a value of YAML. An alias is the value that it names, and not a copy.
type value struct {
	kind  kind
	text  string // as it is written
	n     int64  // of an integer or a boolean
	items []*value
	pairs []pair // sorted by key
	line  int

	span *span // of a text such as 64..256..64
}

// pair is a value by its name.
type pair struct {
	key   string
	value *value
}

// span is the numbers from first to last.
type span struct{ first, last, step int64 }

// lazy returns a pattern that is compiled when it is first used: most commands read no such files.
//
//go:noinline
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var rangePattern = lazy(`^\s*(-?\d+)\s*\.\.\s*(-?\d+)\s*(?:\.\.\s*(-?\d+)\s*)?$`)

type document struct {
	lines  [][]byte
	places []place

	values map[*yaml.Node]*value // nil for one that is being read
	merged int                   // pairs that were merged into others
}

// mostMerged bounds the pairs that dictionaries take from others with <<.
const mostMerged = 1 << 20

// refusal is an error of some lines.
type refusal struct {
	line int // from 1; 0 if it is not known
	err  error
}

func (r *refusal) Error() string { return r.err.Error() }

func refuse(line int, format string, args ...any) error {
	return &refusal{line, fmt.Errorf(format, args...)}
}

// read reads the document, whose root is a dictionary or a list; nil for an empty one.
func (d *document) read() (*value, error) {
	if !slices.ContainsFunc(d.lines, func(line []byte) bool {
		line = bytes.TrimSpace(line)
		return len(line) > 0 && line[0] != '#'
	}) {
		return nil, nil
	}
	var root yaml.Node
	err := yaml.Load(bytes.Join(d.lines, []byte("\n")), &root)
	if wrong := (*yaml.LoadError)(nil); errors.As(err, &wrong) {
		return nil, &refusal{wrong.Mark.Line, errors.New(wrong.Message)}
	} else if err != nil {
		return nil, err
	}
	if len(root.Content) == 0 {
		return nil, nil
	}
	d.values = map[*yaml.Node]*value{}
	return d.value(root.Content[0])
}

// value converts a node. Each is converted once, so that aliases of aliases do not multiply.
func (d *document) value(n *yaml.Node) (*value, error) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if v, ok := d.values[n]; v != nil {
		return v, nil
	} else if ok {
		return nil, refuse(n.Line, "the value of the anchor %s has itself", n.Anchor)
	}
	d.values[n] = nil
	v := &value{line: n.Line}
	var err error
	switch n.Kind {
	case yaml.SequenceNode:
		v.kind = listKind
		err = d.list(v, n)
	case yaml.MappingNode:
		v.kind = dictKind
		err = d.dictionary(v, n)
	default:
		v.scalar(n)
	}
	d.values[n] = v
	return v, err
}

func (d *document) list(v *value, n *yaml.Node) error {
	for _, of := range n.Content {
		item, err := d.value(of)
		if err != nil {
			return err
		}
		v.items = append(v.items, item)
	}
	return nil
}

// dictionary converts a mapping: the last of equal keys counts, and its own before the ones of <<.
func (d *document) dictionary(v *value, n *yaml.Node) error {
	own := map[string]*value{}
	var others []*value
	for i := 0; i+1 < len(n.Content); i += 2 {
		of, err := d.value(n.Content[i+1])
		switch key := n.Content[i]; {
		case err != nil:
			return err
		case key.Kind != yaml.ScalarNode:
			return refuse(key.Line, "a key is not a text")
		case key.Value != "<<":
			own[key.Value] = of
		case of.kind == listKind:
			others = append(others, of.items...)
		default:
			others = append(others, of)
		}
	}
	for _, other := range others {
		if other.kind != dictKind {
			return refuse(other.line, "<< is not a dictionary")
		}
		if d.merged += len(other.pairs); d.merged > mostMerged {
			return refuse(n.Line, "dictionaries take more than %d values from others", mostMerged)
		}
		for _, p := range other.pairs {
			if own[p.key] == nil {
				own[p.key] = p.value
			}
		}
	}
	for key, of := range own {
		v.pairs = append(v.pairs, pair{key, of})
	}
	slices.SortFunc(v.pairs, func(a, b pair) int { return strings.Compare(a.key, b.key) })
	return nil
}

var (
	integerPattern = lazy(`^[-+]?(0|[1-9][0-9_]*)$`)
	realPattern    = lazy(`^[-+]?(\.[0-9]+|[0-9][0-9_]*(\.[0-9_]*)?)([eE][-+]?[0-9]+)?$|` +
		`^[-+]?\.(inf|Inf|INF)$|^\.(nan|NaN|NAN)$`)
)

// booleans are the words for 1 and 0, as in YAML 1.1.
var booleans = map[string]int64{"yes": 1, "true": 1, "on": 1, "no": 0, "false": 0, "off": 0}

// scalar reads a scalar as YAML 1.1 does, but 1e5 is a number.
func (v *value) scalar(n *yaml.Node) {
	v.kind, v.text = wordKind, n.Value
	truth, isBoolean := booleans[strings.ToLower(n.Value)]
	switch {
	case n.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
	case n.Value == "" || n.Value == "~" || n.Value == "null":
		v.kind = nullKind
		return
	case isBoolean:
		v.kind, v.n, v.text = boolKind, truth, strconv.FormatInt(truth, 10)
	case integerPattern().MatchString(n.Value):
		v.text = strings.TrimPrefix(strings.ReplaceAll(n.Value, "_", ""), "+")
		if n, err := strconv.ParseInt(v.text, 10, 64); err == nil {
			v.kind, v.n = intKind, n
		}
	case realPattern().MatchString(n.Value):
		v.kind, v.text = realKind, strings.Replace(strings.ToLower(strings.ReplaceAll(n.Value, "_", "")), ".n", "n", 1)
	}
	if m := rangePattern().FindStringSubmatch(n.Value); m != nil && v.kind == wordKind {
		v.span = &span{step: 1}
		for i, to := range []*int64{&v.span.first, &v.span.last, &v.span.step} {
			if m[i+1] != "" {
				*to, _ = strconv.ParseInt(m[i+1], 10, 64) // the nearest one, if it is too large
			}
		}
	}
}

// get returns the value of a key; nil if there is none.
func (v *value) get(key string) *value {
	if v == nil {
		return nil
	}
	return testCase(v.pairs).get(key)
}
