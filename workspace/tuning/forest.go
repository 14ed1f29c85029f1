package tuning

import "math"

// forest is a list of decision trees. Each one judges whether its kernel is good for a product; the first that says yes
// is used. Numbers have 32 bits, as in the library.
type forest struct {
	features []feature
	trees    []tree
	other    node // used if no tree says yes
}

type feature func(p *Problem) float32

type tree struct {
	steps []step
	node  node
}

// step compares a feature with a threshold. The next step may be yes or no.
type step struct {
	feature   int32
	threshold float32
	low, high int32
}

const (
	no  = -1
	yes = -2
)

func (f *forest) choose(q *query) *Kernel {
	values := make([]float32, len(f.features))
	for i, feature := range f.features {
		values[i] = feature(q.Problem)
	}
	for i := range f.trees {
		if t := &f.trees[i]; t.accepts(values) {
			if k := t.node.choose(q); k != nil {
				return k
			}
		}
	}
	return f.other.choose(q)
}

func (t *tree) accepts(values []float32) bool {
	i := int32(0)
	for i >= 0 {
		s := &t.steps[i]
		if values[s.feature] <= s.threshold {
			i = s.low
		} else {
			i = s.high
		}
	}
	return i == yes
}

func ceil(x float32) float32 { return float32(math.Ceil(float64(x))) }

// granularity is how full the last tile is.
func granularity(x float32) float32 { return x / ceil(x) }

// scales are the numbers of a feature: parts of a tile, of a unit, of a wave.
type scales struct{ tile0, tile1, units, waves float32 }

func (s scales) tilesPerUnit(p *Problem) float32 {
	return ceil(float32(p.M)*s.tile0) * ceil(float32(p.N)*s.tile1) * s.units
}

// features are the kinds of features. An index other than zero has no meaning for products.
var features = map[string]func(r *reader, v value) feature{
	"FreeSizeA": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.M) } },
	"FreeSizeB": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.N) } },
	"BatchSize": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.Batch) } },
	"BoundSize": func(*reader, value) feature { return func(p *Problem) float32 { return float32(p.K) } },
	"Tile0Granularity": func(r *reader, v value) feature {
		x := float32(r.at(v).float())
		return func(p *Problem) float32 { return granularity(float32(p.M) * x) }
	},
	"Tile1Granularity": func(r *reader, v value) feature {
		x := float32(r.at(v).float())
		return func(p *Problem) float32 { return granularity(float32(p.N) * x) }
	},
	"CUGranularity": func(r *reader, v value) feature {
		s := readScales(r.at(v))
		return func(p *Problem) float32 { return granularity(s.tilesPerUnit(p)) }
	},
	"WavesPerSIMD": func(r *reader, v value) feature {
		s := readScales(r.at(v))
		return func(p *Problem) float32 { return ceil(s.tilesPerUnit(p)) * s.waves }
	},
	// The library multiplies n by itself, not by m.
	"ProblemScaleMeasure": func(*reader, value) feature {
		return func(p *Problem) float32 { return float32(p.N * p.N * p.Batch) }
	},
}

func readScales(r *reader) scales {
	var s scales
	for i, v := range r.fields("mt0", "mt1", "cus", "ws?") {
		if v.n > 0 {
			*[...]*float32{&s.tile0, &s.tile1, &s.units, &s.waves}[i] = float32(r.at(v).float())
		}
	}
	return s
}
