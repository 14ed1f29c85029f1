package matmul

import (
	"errors"
	"regexp"
	"strconv"
	"strings"
)

// Line is the kind of a line of hipBLASLt's log.
type Line int

// The kinds of lines. A log can have both for the same product, when HIPBLASLT_LOG_MASK selects both.
const (
	NoProduct Line = iota // a line about something else
	Command               // a command of hipblaslt-bench, of HIPBLASLT_LOG_MASK=32
	Trace                 // a call with its layouts, of HIPBLASLT_LOG_MASK=2
)

// entry is the begin of an entry in YAML, of HIPBLASLT_LOG_MASK=64 and of hipblaslt-bench --yaml.
const entry = "function: matmul,"

// entryOptions returns the options of an entry. Its keys that are no options do not change the product.
func entryOptions(text string) []Option {
	var list []Option
	for field := range strings.SplitSeq(strings.TrimRight(strings.TrimSpace(text), "}"), ",") {
		name, value, _ := strings.Cut(field, ":")
		if o, ok := Key(strings.TrimSpace(name), strings.Trim(value, " '\"")); ok {
			list = append(list, o)
		}
	}
	return list
}

// Key returns the option for a key of YAML; false if there is none.
func Key(name, value string) (o Option, ok bool) {
	switch name {
	case "M", "N", "K":
		name = strings.ToLower(name)
	case "compute_type":
		value = strings.TrimPrefix(value, "c_")
	}
	switch value {
	case "false":
		value = "0"
	case "true":
		value = "1"
	}
	known, _ := lookup(name)
	return Option{name, value}, known != nil && value != "*"
}

// countPattern is how often an entry was called.
var countPattern = regexp.MustCompile(`\bcall_count *: *(\d+)`)

// Times returns how often the call of a line was made: 1 if the line does not say.
func Times(line string) int64 {
	if m := countPattern.FindStringSubmatch(line); m != nil && strings.Contains(line, entry) {
		if n, err := strconv.ParseInt(m[1], 10, 64); err == nil {
			return n
		}
	}
	return 1
}

const command = "hipblaslt-bench "

// ParseLine reads a line of hipBLASLt's log. The error is of a line with a product that cannot be understood.
func ParseLine(line string) (Line, Product, error) {
	if _, text, ok := strings.Cut(line, entry); ok {
		p, err := New(entryOptions(text))
		return Command, p, err
	}
	if _, text, ok := strings.Cut(line, command); ok {
		p, err := New(Options(text))
		return Command, p, err
	}
	if strings.Contains(line, "[Trace][rocblaslt_matmul] ") {
		p, err := New(traced(line))
		if err == nil && (isScaled(p.Types[A]) || isScaled(p.Types[B])) {
			err = errors.New("a trace does not say which factors multiply numbers of 8 bits or fewer; " +
				"HIPBLASLT_LOG_MASK=32 makes hipBLASLt log them")
		}
		return Trace, p, err
	}
	return NoProduct, Product{}, nil
}

// isScaled reports whether a type has so few values that its matrices usually have factors.
func isScaled(of string) bool { return scaledPattern.MatchString(of) }

var scaledPattern = regexp.MustCompile(`^b?f[468]_`)

// Options splits the options of a command, such as "-m 128 --bias_vector".
func Options(text string) []Option {
	var list []Option
	fields := strings.Fields(text)
	for i := 0; i < len(fields); i++ {
		name := strings.TrimLeft(fields[i], "-")
		name, given, has := strings.Cut(name, "=")
		known, _ := lookup(name)
		switch {
		case has:
		case known != nil && known.flag || i+1 == len(fields) || isOption(fields[i+1]):
			given = "1"
		default:
			i++
			given = fields[i]
		}
		list = append(list, Option{name, given})
	}
	return list
}

// isOption reports whether a word is an option and not a negative number.
func isOption(word string) bool {
	return len(word) > 1 && word[0] == '-' && (word[1] < '0' || word[1] > '9') && word[1] != '.'
}

var (
	layoutPattern = regexp.MustCompile(`\b([ABCD])desc=\[([^]]*)\]`)
	descPattern   = regexp.MustCompile(`computeDesc=\[([^]]*)\]`)
	fieldPattern  = regexp.MustCompile(`(\w+)=(\S+)`)
)

func traced(line string) []Option {
	var list []Option
	add := func(name, text string) {
		if text != "" {
			list = append(list, Option{name, text})
		}
	}
	layouts := map[string]map[string]string{}
	for _, m := range layoutPattern.FindAllStringSubmatch(line, -1) {
		of, letter := fields(m[2]), strings.ToLower(m[1])
		layouts[letter] = of
		add(letter+"_type", named(types, of["type"]))
		add("ld"+letter, of["ld"])
		add("stride_"+letter, of["batch_stride"])
	}
	add("batch_count", layouts["a"]["batch_count"])
	desc := map[string]string{}
	if m := descPattern.FindStringSubmatch(line); m != nil {
		desc = fields(m[1])
	}
	inner := "cols"
	if desc["transA"] != "OP_N" {
		inner = "rows"
	}
	add("m", layouts["d"]["rows"])
	add("n", layouts["d"]["cols"])
	add("k", layouts["a"][inner])
	add("transA", strings.TrimPrefix(desc["transA"], "OP_"))
	add("transB", strings.TrimPrefix(desc["transB"], "OP_"))
	add("compute_type", named(computes, desc["computeType"]))
	add("scale_type", named(types, desc["scaleType"]))
	add("epilogue", named(epilogues, desc["epilogue"]))
	add("bias_type", named(types, desc["biasType"]))
	add("aux_type", named(types, desc["auxType"]))
	return list
}

// fields reads "name=value name=value".
func fields(text string) map[string]string {
	values := map[string]string{}
	for _, m := range fieldPattern.FindAllStringSubmatch(text, -1) {
		values[m[1]] = m[2]
	}
	return values
}
