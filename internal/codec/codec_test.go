package codec

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// values has a field for each kind of value.
type values struct {
	Int    int
	Int64  int64
	Float  float64
	Any    any
	Text   string
	Once   string
	Texts  []string
	Counts map[string]int
	Next   *values
}

func (v *values) Code(c *Coder) {
	c.Int(&v.Int)
	c.Int64(&v.Int64)
	c.Float(&v.Float)
	c.Any(&v.Any)
	c.Text(&v.Text)
	c.Once(&v.Once)
	List(c, &v.Texts, c.Text)
	Map(c, &v.Counts, c.Int)
	Pointer(c, &v.Next, func(n *values) { n.Code(c) })
}

// TestExtremes encodes and decodes extreme values, one after the other with the same coder.
func TestExtremes(t *testing.T) {
	var c Coder
	for _, want := range []values{
		{},
		{Int: math.MinInt, Int64: math.MinInt64, Float: math.Inf(-1), Any: int64(math.MaxInt64)},
		{Int: math.MaxInt, Int64: -1, Float: math.SmallestNonzeroFloat64, Any: math.NaN()},
		{Any: false, Text: "a", Once: strings.Repeat("a", 1000), Texts: []string{"", "a", "b", "a", "b", ""}},
		{Any: "a", Counts: map[string]int{"": -1, "a": 1 << 40}, Next: &values{Text: "a", Next: &values{}}},
	} {
		data, err := c.Encode(want.Code)
		if err != nil {
			t.Fatal(err)
		}
		have := values{Any: 1, Text: "before", Next: &values{}, Counts: map[string]int{"x": 1}, Texts: []string{"x"}}
		if err := c.Decode(string(data), have.Code); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, have, cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("(-want +have):\n%s", diff)
		}
	}
}

// TestTextOccursOnce checks that a string is encoded once, unless it is encoded as such.
func TestTextOccursOnce(t *testing.T) {
	var c Coder
	for _, test := range []struct {
		code func(*Coder, *string)
		want int
	}{{(*Coder).Text, 1}, {(*Coder).Once, 3}} {
		text := "hipMalloc"
		data, err := c.Encode(func(c *Coder) {
			for range 3 {
				test.code(c, &text)
			}
		})
		if have := strings.Count(string(data), text); err != nil || have != test.want {
			t.Errorf("%v, the string occurs %d times, want %d", err, have, test.want)
		}
	}
}

// TestOtherKinds returns an error for values that are not encoded. The coder can be used after that.
func TestOtherKinds(t *testing.T) {
	var c Coder
	for _, v := range []any{1, []any{}, map[string]any{}, uint64(1)} {
		if _, err := c.Encode((&values{Any: v}).Code); err == nil {
			t.Errorf("%v was encoded", v)
		}
	}
	if _, err := c.Encode((&values{}).Code); err != nil {
		t.Error(err)
	}
	if err := c.Decode("\x09", func(c *Coder) { c.Any(new(any)) }); err == nil {
		t.Error("a value of an unknown kind was decoded")
	}
}

// TestHugeLists decodes counts that are larger than the data: no memory is allocated for the missing entries.
func TestHugeLists(t *testing.T) {
	var c Coder
	data, err := c.Encode(func(c *Coder) {
		n := uint64(1 << 40)
		c.Uint(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	var list []values
	var counts map[string]int
	for _, code := range []func(c *Coder){
		func(c *Coder) { List(c, &list, func(v *values) { v.Code(c) }) },
		func(c *Coder) { Map(c, &counts, c.Int) },
		func(c *Coder) { c.Once(new(string)) },
		func(c *Coder) { c.Text(new(string)) },
	} {
		if c.Decode(string(data), code) == nil || len(list) > 1 || len(counts) > 1 {
			t.Errorf("%d entries and %d counts were decoded", len(list), len(counts))
		}
	}
}
