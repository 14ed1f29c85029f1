package tuning

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// loader reads the files of a library. Equal conditions of the files are one test: most solutions repeat the conditions
// of others.
type loader struct {
	placeholder func(name string) node
	known       map[string]numbered    // by their bytes
	shared      map[string]*conditions // by their keys
	solutions   map[int64]*Kernel      // of the file
	all         map[int64]*Kernel      // of the files so far

	conditions conditions // of the kernel that is read
	key        []byte     // of its conditions: the numbers of the tests, then the other fields
}

// numbered is a test with its number in the order of the files.
type numbered struct {
	test   test
	number uint64
}

func newLoader(placeholder func(name string) node) loader {
	return loader{placeholder: placeholder, known: map[string]numbered{}, shared: map[string]*conditions{},
		all: map[int64]*Kernel{}}
}

// load reads a file: its solutions, then the library that chooses between them.
func (l *loader) load(file string, data []byte) (n node, err error) {
	defer recoverFile(&err)
	r := &reader{file, data, data}
	top := r.fields("solutions", "library")
	l.solutions = map[int64]*Kernel{}
	s := r.at(top[0])
	for n := s.elements(); n > 0; n-- {
		k := l.kernel(s)
		l.solutions[int64(k.Index)], l.all[int64(k.Index)] = k, k
	}
	return l.node(r.at(top[1]), 0), nil
}

// recoverFile stores the error of a file that could not be read.
func recoverFile(err *error) {
	switch e := recover().(type) {
	case nil:
	case *FileError:
		*err = e
	default:
		panic(e)
	}
}

// kernel reads a solution.
func (l *loader) kernel(r *reader) *Kernel {
	l.conditions, l.key = conditions{tests: l.conditions.tests[:0]}, l.key[:0]
	k := &Kernel{conditions: &l.conditions}
	r.entries(func(key []byte) {
		switch string(key) {
		case "name":
			k.Name = r.string()
		case "index":
			k.Index = int(r.int())
		case "sizeMapping":
			k.mapping(r)
		case "problemPredicate", "hardwarePredicate", "taskPredicate":
			if c := l.condition(r); c.test != nil {
				k.tests = append(k.tests, c.test)
				l.key = binary.AppendUvarint(l.key, c.number)
			}
		default:
			r.skip()
		}
	})
	k.conditions = l.share()
	return k
}

// share returns the conditions that were read, or those of an earlier kernel if they are equal.
func (l *loader) share() *conditions {
	c := l.conditions
	l.key = fmt.Appendf(l.key, "/%d,%t", c.perElement, c.tilesPartly)
	if known := l.shared[string(l.key)]; known != nil {
		return known
	}
	c.tests = slices.Clone(c.tests)
	l.shared[string(l.key)] = &c
	return &c
}

// mapping reads how a kernel divides a product.
func (k *Kernel) mapping(r *reader) {
	atomic := false
	r.entries(func(key []byte) {
		switch string(key) {
		case "macroTile":
			for i, n := 0, r.elements(); i < n; i++ {
				if x := int(r.int()); i < len(k.Tile) {
					k.Tile[i] = x
				}
			}
		case "depthU":
			k.Depth = int(r.int())
		case "globalSplitU":
			k.Split = int(r.int())
		case "streamK":
			k.StreamK = int(r.int())
		case "streamKAtomic":
			atomic = r.int() != 0
		case "workspaceSizePerElemC":
			k.perElement = uint64(r.int())
		default:
			r.skip()
		}
	})
	k.tilesPartly = k.StreamK > 0 && !atomic
}

func (l *loader) test(r *reader) test { return l.condition(r).test }

func (l *loader) condition(r *reader) numbered {
	v := r.skip()
	if c, ok := l.known[string(v.bytes())]; ok {
		return c
	}
	fields := r.at(v).fields("type", "index?", "value?")
	kind := r.at(fields[0]).string()
	compile, ok := predicates[kind]
	if !ok {
		r.fail(fields[0].from, "the condition %q is not known", kind)
	}
	a := &argument{value: fields[2], reader: r.at(v)}
	if fields[1].n > 0 {
		a.index = r.at(fields[1]).int()
	}
	c := numbered{test: compile(l, a)}
	c.number = uint64(len(l.known))
	l.known[string(v.bytes())] = c
	return c
}

// tests reads the conditions of an And or an Or.
func (l *loader) tests(a *argument) []test {
	r := a.at(a.given())
	var tests []test
	for n := r.elements(); n > 0; n-- {
		tests = append(tests, l.test(r))
	}
	return tests
}

// maxDepth is the deepest nesting of libraries, with room.
const maxDepth = 32

// node reads a library.
func (l *loader) node(r *reader, depth int) node {
	v := r.skip()
	kind := r.at(v).fields("type")[0]
	read, ok := nodes[r.at(kind).string()]
	if !ok {
		r.fail(kind.from, "the library %q is not known", r.at(kind).string())
	}
	if depth > maxDepth {
		r.fail(v.from, "libraries in libraries, more than %d deep", maxDepth)
	}
	return read(l, r.at(v), depth+1)
}

// nodes are the kinds of libraries.
var nodes map[string]func(l *loader, r *reader, depth int) node

func init() {
	nodes = map[string]func(l *loader, r *reader, depth int) node{
		"Single": func(l *loader, r *reader, _ int) node { return l.solution(r.at(r.fields("index")[0])) },
		"Placeholder": func(l *loader, r *reader, _ int) node {
			return l.placeholder(r.at(r.fields("value")[0]).string())
		},
		"Hardware":     (*loader).rows,
		"Problem":      (*loader).rows,
		"ProblemMap":   (*loader).operations,
		"Matching":     (*loader).matching,
		"DecisionTree": (*loader).forest,
	}
}

// solution reads the index of a solution of the same file; -1 is none.
func (l *loader) solution(r *reader) node {
	at := r.rest
	i := r.int()
	if i == -1 {
		return nothing{}
	}
	k, ok := l.solutions[i]
	if !ok {
		r.fail(at, "solution %d is not in the file", i)
	}
	return k
}

func (l *loader) rows(r *reader, depth int) node {
	r = r.at(r.fields("rows")[0])
	list := make(rows, r.elements())
	for i := range list {
		fields := r.fields("predicate", "library")
		list[i] = row{l.test(r.at(fields[0])), l.node(r.at(fields[1]), depth)}
	}
	return list
}

func (l *loader) operations(r *reader, depth int) node {
	fields := r.fields("property", "map")
	property := r.at(fields[0]).fields("type")[0]
	if name := r.at(property).string(); name != "OperationIdentifier" {
		r.fail(property.from, "a map by %q is not known", name)
	}
	m := operations{}
	r = r.at(fields[1])
	r.entries(func(key []byte) { m[string(key)] = l.node(r, depth) })
	return m
}

func (l *loader) matching(r *reader, depth int) node {
	fields := r.fields("properties", "distance", "table")
	t := &table{}
	p := r.at(fields[0])
	for t.width = p.elements(); len(t.properties) < t.width; {
		t.properties = append(t.properties, p.property())
	}
	distance, ok := distances[r.at(fields[1]).string()]
	if !ok {
		r.fail(fields[1].from, "the distance %q is not known", r.at(fields[1]).string())
	}
	if t.width > maxKey || t.width == 0 {
		r.fail(fields[0].from, "keys of %d numbers, want 1 to %d", t.width, maxKey)
	}
	r = r.at(fields[2])
	n := r.elements()
	t.keys, t.speeds, t.nodes = make([]int64, 0, n*t.width), make([]float64, 0, n), make([]node, 0, n)
	for ; n > 0; n-- {
		l.entry(r, t, depth)
	}
	t.order()
	return distance(t)
}

// property reads a number of the keys of a table.
func (r *reader) property() property {
	fields := r.fields("type", "index?")
	find, ok := properties[r.at(fields[0]).string()]
	if !ok {
		r.fail(fields[0].from, "the property %q is not known", r.at(fields[0]).string())
	}
	index := int64(0)
	if fields[1].n > 0 {
		if index = r.at(fields[1]).int(); index < 0 || index > 2 {
			r.fail(fields[1].from, "index %d, want 0 to 2", index)
		}
	}
	return find(index)
}

func (l *loader) entry(r *reader, t *table, depth int) {
	var speed float64
	var n node
	start := len(t.keys)
	at := r.rest
	r.entries(func(key []byte) {
		switch string(key) {
		case "key":
			for i := r.elements(); i > 0; i-- {
				t.keys = append(t.keys, r.int())
			}
		case "speed":
			speed = r.float()
		case "index":
			n = l.solution(r)
		case "value":
			n = l.node(r, depth)
		default:
			r.skip()
		}
	})
	if len(t.keys)-start != t.width || n == nil {
		r.fail(at, "an entry without a library, or without a key of %d numbers", t.width)
	}
	t.speeds, t.nodes = append(t.speeds, speed), append(t.nodes, n)
}

// forest reads decision trees.
func (l *loader) forest(r *reader, depth int) node {
	fields := r.fields("features", "trees", "nullValue")
	f := &forest{other: l.node(r.at(fields[2]), depth)}
	x := r.at(fields[0])
	for n := x.elements(); n > 0; n-- {
		field := x.fields("type", "value?")
		make, ok := features[r.at(field[0]).string()]
		if !ok {
			r.fail(field[0].from, "the feature %q is not known", r.at(field[0]).string())
		}
		f.features = append(f.features, make(r, field[1]))
	}
	x = r.at(fields[1])
	for n := x.elements(); n > 0; n-- {
		field := x.fields("tree", "value")
		f.trees = append(f.trees, tree{r.at(field[0]).steps(len(f.features)), l.node(r.at(field[1]), depth)})
	}
	return f
}

// steps reads the comparisons of a tree. Each refers to later ones only.
func (r *reader) steps(features int) []step {
	steps := make([]step, r.elements())
	for i := range steps {
		at := r.rest
		fields := r.fields("featureIdx", "threshold", "nextIdxLTE", "nextIdxGT")
		number := func(i int) int32 { return int32(r.at(fields[i]).int()) }
		s := step{number(0), float32(r.at(fields[1]).float()), number(2), number(3)}
		for _, next := range []int32{s.low, s.high} {
			if next != no && next != yes && (int(next) <= i || int(next) >= len(steps)) {
				r.fail(at, "step %d of a decision tree is followed by %d", i, next)
			}
		}
		if s.feature < 0 || int(s.feature) >= features {
			r.fail(at, "feature %d of %d", s.feature, features)
		}
		steps[i] = s
	}
	if len(steps) == 0 {
		r.fail(r.rest, "a decision tree without steps")
	}
	return steps
}

// node is a library of the files. It returns the kernel that it chooses, or nil. A file that cannot be read panics.
type node interface {
	choose(q *query) *Kernel
}

// nothing is a library without a solution.
type nothing struct{}

func (nothing) choose(*query) *Kernel { return nil }

// rows is a list of libraries with conditions. The first that has a kernel is used.
type rows []row

type row struct {
	test test
	node node
}

func (r rows) choose(q *query) *Kernel {
	for i := range r {
		if r[i].test.holds(q) {
			if k := r[i].node.choose(q); k != nil {
				return k
			}
		}
	}
	return nil
}

// operations is a library for each operation.
type operations map[string]node

func (o operations) choose(q *query) *Kernel {
	if n, ok := o[q.operation]; ok {
		return n.choose(q)
	}
	return nil
}

// Kernel is a solution: a kernel and how its groups of threads divide a product.
type Kernel struct {
	Name    string
	Index   int    // of the solution, as in the argument solution_index less one
	Tile    [2]int // rows and columns of D that a group of threads computes
	Depth   int    // of a step along k
	Split   int    // parts of the sum over k that are computed in parallel
	StreamK int    // how groups share tiles; 0 if they do not

	*conditions
}

// conditions say for which products there is a kernel. Most kernels of a table share them with others.
type conditions struct {
	tests       []test
	perElement  uint64 // bytes of workspace for each element of D
	tilesPartly bool   // a workspace for parts of tiles, whose bytes are not known
}

// Workspace returns the bytes that the kernel needs for a product.
func (k *Kernel) Workspace(p *Problem) uint64 { return p.M * p.N * p.Batch * k.perElement }

// fits reports whether the workspace for a product is free.
func (k *Kernel) fits(p *Problem) bool {
	if k.tilesPartly {
		panic(stop{fmt.Errorf("the workspace of the stream-K kernel %s is not modelled", k.Name)})
	}
	return k.Workspace(p) <= p.Free
}

// Tiles returns the number of groups of threads for a product.
func (k *Kernel) Tiles(p *Problem) uint64 {
	tiles := func(n uint64, tile int) uint64 { return (n + uint64(tile) - 1) / uint64(max(tile, 1)) }
	return tiles(p.M, k.Tile[0]) * tiles(p.N, k.Tile[1]) * p.Batch * uint64(max(k.Split, 1))
}

// choose returns the kernel if its conditions hold.
func (k *Kernel) choose(q *query) *Kernel {
	q.solution = k
	for _, t := range k.tests {
		if !t(q) {
			return nil
		}
	}
	return k
}
