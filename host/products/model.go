package products

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"roclua/host/config"
	"roclua/internal/nearest"
	"roclua/internal/units"
)

// dimensions are the keys of a model, with their defaults; "" must be given.
var dimensions = []struct{ name, about, otherwise string }{
	{"hidden", "width of a token", ""},
	{"layers", "layers", "1"},
	{"heads", "attention heads", "1"},
	{"kv_heads", "heads of keys and values", "heads"},
	{"ffn", "inner width of the feed-forward network", ""},
	{"vocab", "words; 0 leaves out the output", "0"},
	{"tokens", "tokens of a step, a number or a range such as 1:4096:x2", ""},
}

// Model returns the products of the linear layers of a transformer, forward and backward, for each number of tokens.
// Weights are transposed, as frameworks store them.
func (l *Library) Model(text, of string) ([]Shape, error) {
	given := map[string]string{}
	for _, field := range strings.Split(text, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(field), "=")
		given[name] = value
	}
	size := map[string]int64{}
	var names []string
	for _, d := range dimensions {
		names = append(names, d.name)
		value := cmp.Or(given[d.name], d.otherwise)
		n, err := strconv.ParseInt(value, 10, 64)
		switch {
		case value == "":
			return nil, fmt.Errorf("the model has no %s, the %s", d.name, d.about)
		case d.name == "tokens": // a range
		case value == "heads":
			size[d.name] = size["heads"]
		case err != nil || n < 0:
			return nil, fmt.Errorf("%s=%s: want a number", d.name, value)
		default:
			size[d.name] = n
		}
	}
	for name := range given {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("a model has no %q%s", name, nearest.DidYouMean(name, names))
		}
	}
	tokens, err := config.ParseAxis(given["tokens"])
	if err != nil {
		return nil, fmt.Errorf("tokens: %w", err)
	}
	return l.layers(size, tokens, of)
}

func (l *Library) layers(size map[string]int64, tokens []string, of string) ([]Shape, error) {
	hidden := size["hidden"]
	keys := hidden / max(1, size["heads"]) * size["kv_heads"]
	var list []Shape
	for _, text := range tokens {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("tokens: %s is not a number", text)
		}
		for _, layer := range []struct {
			name           string
			out, in, times int64
		}{
			{"q, k, v", hidden + 2*keys, hidden, size["layers"]}, {"attention output", hidden, hidden, size["layers"]},
			{"gate and up", 2 * size["ffn"], hidden, size["layers"]}, {"down", hidden, size["ffn"], size["layers"]},
			{"logits", size["vocab"], hidden, 1},
		} {
			for _, pass := range []struct{ name, shape string }{
				{"forward", fmt.Sprintf("TN:%dx%dx%d", layer.out, n, layer.in)},
				{"backward", fmt.Sprintf("NN:%dx%dx%d", layer.in, n, layer.out)},
				{"weights", fmt.Sprintf("NT:%dx%dx%d", layer.in, layer.out, n)},
			} {
				if layer.out == 0 {
					continue
				}
				s, err := l.Parse(pass.shape, of)
				if err != nil {
					return nil, err
				}
				s.Text = fmt.Sprintf("%s, %s, %s: %s", layer.name, pass.name, units.Count(int(n), "token"), pass.shape)
				s.Times = layer.times
				list = append(list, s)
			}
		}
	}
	return list, nil
}
