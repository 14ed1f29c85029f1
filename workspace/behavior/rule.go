package behavior

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace/status"
)

// rule decides about a call when any of its conditions holds. All conditions of a rule have the same status, so their
// order only decides which of several errors is explained. Some entries of a list are not rules but mark the place
// where something happens between the checks.
type rule struct {
	in     situations
	status status.Status
	effect Effect
	any    []condition

	laterReleases bool // the rule does not apply with Mode.SymmetricOfAnyOrder

	mark        mark
	alpha, beta func(*routine.Args) bool // of a fetched mark: whether the scalar is copied
	allocates   bool                     // of a fetched mark: the call allocates its memory before
}

type mark uint8

const (
	noMark mark = iota
	queryReturnsMark
	allocatedMark
	fetchedMark
	numbersMark
)

// situations is a set of modes, one bit each.
type situations uint8

const (
	executedHost situations = 1 << iota
	executedDevice
	queriedHost
	queriedDevice
	noHandle

	executed       = executedHost | executedDevice
	queried        = queriedHost | queriedDevice
	hostPointers   = executedHost | queriedHost
	devicePointers = executedDevice | queriedDevice
	everywhere     = executed | queried
)

// The indexes of modes: the four situations with a handle, the same ones with SymmetricOfAnyOrder, and no handle.
const (
	anyOrder  = 4
	nullIndex = 2 * anyOrder
	modeCount = nullIndex + 1
)

// index numbers the modes, the situations in the order of their bits.
func (mode *Mode) index() int {
	i := 0
	if mode.SymmetricOfAnyOrder {
		i |= anyOrder
	}
	if mode.DevicePointers {
		i |= 1
	}
	if mode.Query {
		i |= 2
	}
	if mode.NoHandle {
		return nullIndex
	}
	return i
}

var (
	// queryReturns marks the place where a size query ends its checks and returns bytes.
	queryReturns = rule{mark: queryReturnsMark}

	// allocated marks the place where an executed call allocates its memory. The rules behind it are checked then.
	allocated = rule{mark: allocatedMark}

	// numbersChecked marks the place where an executed call checks the numbers of its arrays before it computes, in
	// families that do so before they allocate memory: see Mode.CheckNumbers. A family without the mark checks them
	// when it has its memory.
	numbersChecked = rule{mark: numbersMark, in: executed}

	// invalidHandle refuses the null handle. It follows the rules that a routine checks before its handle.
	invalidHandle = rule{status: status.InvalidHandle, effect: Ends, any: []condition{{
		test:    always,
		message: func(*routine.Args) string { return "the handle is null" },
	}}}
)

// fetched marks the place where, in device pointer mode, scalars are copied to the host, unless they are null.
func fetched(alphaIf, betaIf func(*routine.Args) bool) rule {
	return rule{
		mark:  fetchedMark,
		alpha: func(a *routine.Args) bool { return !a.Null(alpha) && alphaIf(a) },
		beta:  func(a *routine.Args) bool { return !a.Null(beta) && betaIf(a) },
	}
}

// afterAllocation makes a call allocate its memory before it copies scalars.
func (r rule) afterAllocation() rule {
	r.allocates = true
	return r
}

// value lists the conditions on enumerations. They come first where they are checked.
func value(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidValue, effect: Ends, any: c}
}

// size lists the conditions on dimensions, leading dimensions and increments.
func size(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidSize, effect: Ends, any: c}
}

// pointers lists the conditions on pointers.
func pointers(c ...condition) rule {
	return rule{in: everywhere, status: status.InvalidPointer, effect: Ends, any: c}
}

// notImplemented lists the conditions under which there is no kernel.
func notImplemented(c ...condition) rule {
	return rule{in: everywhere, status: status.NotImplemented, effect: Ends, any: c}
}

// quickReturn lists the conditions under which there is nothing to compute: success, in a query too.
func quickReturn(c ...condition) rule {
	return rule{in: everywhere, status: status.Success, effect: Ends, any: c}
}

// unchanged lists the conditions under which a query needs no memory.
func unchanged(c ...condition) rule {
	return rule{in: queried, status: status.SizeUnchanged, effect: Ends, any: c}
}

// only narrows a rule to some situations.
func (r rule) only(s situations) rule {
	r.in &= s
	return r
}

// beforeHandle makes a routine check a rule before its handle.
func (r rule) beforeHandle() rule {
	r.in |= noHandle
	return r
}

func (r rule) with(e Effect) rule {
	r.effect = e
	return r
}

// checks are the rules of a routine that apply in one mode, and the steps between them.
type checks struct {
	rules []rule
	steps []step
}

// step is an action between the checks of a call, unless an earlier rule ends the call: it checks numbers, or copies
// scalars to the host.
type step struct {
	after       int // rules
	numbers     bool
	allocates   bool                     // before it copies scalars
	alpha, beta func(*routine.Args) bool // whether a scalar is copied
}

func (s *step) happens(mode *Mode) bool {
	return s.numbers && mode.CheckNumbers != nil || !s.numbers && mode.Scalars != nil
}

// do makes the step. The library copies scalars with one wait for the stream.
func (s *step) do(mode *Mode, a *routine.Args) error {
	if s.numbers {
		return mode.CheckNumbers()
	}
	var list []routine.Slot
	if s.alpha(a) {
		list = append(list, alpha)
	}
	if s.beta(a) {
		list = append(list, beta)
	}
	if list == nil {
		return nil
	}
	return mode.Scalars.FetchScalars(a, list, s.allocates)
}

// byMode splits the list of a routine by the modes.
func byMode(r *routine.Routine, list []rule) *[modeCount]checks {
	for i := range list {
		list[i].any = slices.DeleteFunc(slices.Clone(list[i].any), func(c condition) bool { return !c.possible(r) })
	}
	out := new([modeCount]checks)
	for i := range anyOrder {
		out[i] = checksIn(1<<i, list)
	}
	copy(out[anyOrder:], out[:anyOrder])
	if later := func(r rule) bool { return r.laterReleases }; slices.ContainsFunc(list, later) {
		rest := slices.DeleteFunc(slices.Clone(list), later)
		for i := range anyOrder {
			out[anyOrder+i] = checksIn(1<<i, rest)
		}
	}
	out[nullIndex] = checksIn(noHandle, list)
	out[nullIndex].rules = append(out[nullIndex].rules, invalidHandle)
	return out
}

// checksIn returns the rules that apply in one situation, in their order.
func checksIn(s situations, list []rule) (c checks) {
	hasMemory := false
	for _, r := range list {
		switch {
		case r.mark == queryReturnsMark && s&queried != 0, r.mark == allocatedMark && s&executed == 0:
			return c
		case r.mark == allocatedMark:
			hasMemory = true
		case r.mark == fetchedMark && s&devicePointers != 0:
			c.steps = append(c.steps, step{len(c.rules), false, r.allocates, r.alpha, r.beta})
		case r.mark == numbersMark && r.in&s != 0:
			c.steps = append(c.steps, step{after: len(c.rules), numbers: true})
		case r.mark == noMark && r.in&s != 0 && len(r.any) > 0:
			if hasMemory {
				r.effect = AfterAllocation
			}
			c.rules = append(c.rules, r)
		}
	}
	return c
}

// needsNone ends every query of a routine that never needs memory, whatever its arguments.
var needsNone = unchanged(needsNoWorkspace)

var needsNoWorkspace = condition{
	test:    always,
	message: func(a *routine.Args) string { return a.Routine.CName() + " needs no workspace" },
}

// condition is a condition on a call's arguments that ends the call, with its message. Most conditions are about the
// sign of one argument and are tested without a function call, which matters for calls that pass some twenty of them.
type condition struct {
	slot    routine.Slot
	signs   signs                      // the condition holds if the argument has one of them
	test    func(*routine.Args) bool   // if no signs are given
	message func(*routine.Args) string // called only when the condition holds
}

// signs is a set of signs of a number, or the null of a pointer.
type signs uint8

const (
	belowZero signs = 1 << iota
	atZero
)

func (s signs) include(v int64) bool {
	return v == 0 && s&atZero != 0 || v < 0 && s&belowZero != 0
}

func (c *condition) holds(a *routine.Args) bool {
	if c.signs != 0 {
		return c.signs.include(a.Int(c.slot))
	}
	return c.test(a)
}

// possible reports whether a condition can hold for a routine; the others are left out of its rules.
func (c *condition) possible(r *routine.Routine) bool {
	return c.slot != batchCount || r.Variant != routine.Plain
}

// name returns the name of a slot in the header of the called routine.
func name(a *routine.Args, s routine.Slot) string {
	if p, ok := a.Routine.ParamAt(s); ok {
		return p.Name
	}
	return "?"
}

// number is a condition on a number. Its message has the name and the value, and a text.
func number(s routine.Slot, test func(*routine.Args) bool, text func(*routine.Args) string) condition {
	return condition{slot: s, test: test, message: func(a *routine.Args) string {
		return fmt.Sprintf("%s is %d%s", name(a, s), a.Int(s), text(a))
	}}
}

// signed is a condition on the sign of a number.
func signed(s routine.Slot, which signs, text string) condition {
	c := number(s, nil, func(*routine.Args) string { return text })
	c.signs = which
	return c
}

// exception is a condition that another one excludes, so that it needs no message.
func exception(test func(*routine.Args) bool) condition { return condition{test: test} }

// negative holds when a dimension or the batch count is below zero, isZero when it is zero, and none in both cases.
func negative(s routine.Slot) condition { return signed(s, belowZero, ", must not be negative") }

func isZero(s routine.Slot) condition { return signed(s, atZero, "") }

func none(s routine.Slot) condition { return signed(s, atZero|belowZero, "") }

// zeroIncrement holds for an increment of 0 where all elements must be distinct.
func zeroIncrement(s routine.Slot) condition { return signed(s, atZero, ", must not be 0") }

// exceeds holds when a size is larger than another.
func exceeds(s, limit routine.Slot) condition {
	return number(s, func(a *routine.Args) bool { return a.Int(s) > a.Int(limit) }, func(a *routine.Args) string {
		return fmt.Sprintf(", must be at most %s = %d", name(a, limit), a.Int(limit))
	})
}

// beyond32 holds when a dimension of a 64-bit form exceeds 32 bits.
func beyond32(s routine.Slot) condition {
	return number(s, func(a *routine.Args) bool { return a.Int(s) > math.MaxInt32 }, func(*routine.Args) string {
		return fmt.Sprintf(", and there are no kernels beyond %d", math.MaxInt32)
	})
}

// zeroIn32 holds when the lower 32 bits of a dimension, which a 64-bit form uses alone, are 0.
func zeroIn32(s routine.Slot) condition {
	return number(s, func(a *routine.Args) bool { return int32(a.Int(s)) == 0 }, func(*routine.Args) string {
		return ", whose lower 32 bits are 0"
	})
}

// ldBelow holds for a leading dimension that is smaller than a number of rows.
func ldBelow(ld routine.Slot, rows func(*routine.Args) int64) condition {
	return number(ld, func(a *routine.Args) bool { return a.Int(ld) < rows(a) }, func(a *routine.Args) string {
		return fmt.Sprintf(", must be at least %d", rows(a))
	})
}

// in32Bits returns a number of rows as the library computes it, with 32 bits.
func in32Bits(rows int64) int64 { return int64(int32(rows)) }

// null holds when a pointer is null.
func null(s routine.Slot) condition {
	return condition{slot: s, signs: atZero, message: func(a *routine.Args) string { return name(a, s) + " is null" }}
}

// nullIf holds for a null array that is needed.
func nullIf(array routine.Slot, needed func(*routine.Args) bool) condition {
	return condition{
		slot:    array,
		test:    func(a *routine.Args) bool { return a.Null(array) && needed(a) },
		message: func(a *routine.Args) string { return name(a, array) + " is null" },
	}
}

// scalarIs holds when a scalar has a value, as far as the host knows.
func scalarIs(s routine.Slot, v complex128) condition {
	return condition{
		slot:    s,
		test:    func(a *routine.Args) bool { return a.Scalar(s) == v },
		message: func(a *routine.Args) string { return fmt.Sprintf("%s is %g", name(a, s), real(v)) },
	}
}

// both holds when two conditions do.
func both(c, d condition) condition {
	return condition{
		slot:    c.slot,
		test:    func(a *routine.Args) bool { return c.holds(a) && d.holds(a) },
		message: func(a *routine.Args) string { return c.message(a) + " and " + d.message(a) },
	}
}

// either holds when at least one of two conditions does.
func either(c, d condition) condition {
	return condition{
		slot: c.slot,
		test: func(a *routine.Args) bool { return c.holds(a) || d.holds(a) },
		message: func(a *routine.Args) string {
			if c.holds(a) {
				return c.message(a)
			}
			return d.message(a)
		},
	}
}

// unless holds when c does and the exception does not. A batch count is not an exception for a plain routine, which has
// none.
func (c condition) unless(exception condition) condition {
	return condition{
		slot: c.slot,
		test: func(a *routine.Args) bool {
			return c.holds(a) && !(exception.possible(a.Routine) && exception.holds(a))
		},
		message: c.message,
	}
}

var (
	alphaZero = scalarIs(alpha, 0)
	alphaOne  = scalarIs(alpha, 1)
	betaZero  = scalarIs(beta, 0)
	betaOne   = scalarIs(beta, 1)

	// noProduct holds when alpha op(A) op(B) is zero, so that A and B are not read.
	noProduct = either(isZero(k), alphaZero)
)

// Tests of whether a scalar is copied to the host, if its pointer is not null.

func always(*routine.Args) bool { return true }

func never(*routine.Args) bool { return false }

func nonzero(s routine.Slot) func(*routine.Args) bool {
	return func(a *routine.Args) bool { return a.Int(s) != 0 }
}

// Short names of the arguments, for the lists of rules.
const (
	m          = routine.M
	n          = routine.N
	k          = routine.K
	nrhs       = routine.NRHS
	batchCount = routine.BatchCount
	alpha      = routine.Alpha
	beta       = routine.Beta
	matA       = routine.A
	matB       = routine.B
	matC       = routine.C
	matD       = routine.D
	matInvA    = routine.InvA
	vecX       = routine.X
	vecY       = routine.Y
	incX       = routine.IncX
	incY       = routine.IncY
	pivots     = routine.Ipiv
	info       = routine.Info
	result     = routine.Result
)

// builder makes the list of rules of a routine. A list is built for each variant, since an array of a batch may be
// checked differently.
type builder func(operands) []rule

// operands are the arrays of a routine as its family declares them. Conditions on leading dimensions take the number of
// rows from there.
type operands struct{ r *routine.Routine }

// values refuses values that enumerations do not have. Datatypes and options of kernels are checked with the kernels.
func (o operands) values() rule {
	var list []condition
	for i := range o.r.Params {
		switch p := &o.r.Params[i]; p.Kind {
		case routine.SideKind, routine.Fill, routine.Operation, routine.Diagonal:
			list = append(list, notOneOf(p.Slot, p.Kind, p.Legal()...))
		}
	}
	return value(list...)
}

// dimensions are the sizes of arrays of rocBLAS.
var dimensions = []routine.Slot{m, n, k, routine.KL, routine.KU, batchCount}

// sizes refuses negative dimensions, increments of 0, and leading dimensions below the rows of their arrays or below
// the least one: 0 in the families that accept it for an array without rows, 1 in others.
func (o operands) sizes(least int64) rule {
	list := o.ofDimensions(negative, dimensions...)
	for i := range o.r.Params {
		switch p := &o.r.Params[i]; p.Role {
		case routine.LeadingDimension:
			list = append(list, o.leadingDimension(p.Of, least))
		case routine.Increment:
			list = append(list, zeroIncrement(p.Slot))
		}
	}
	return size(list...)
}

// ofDimensions makes a condition for each of the dimensions that the routine has.
func (o operands) ofDimensions(holds func(routine.Slot) condition, dims ...routine.Slot) (list []condition) {
	for _, d := range dims {
		if o.r.Has(d) {
			list = append(list, holds(d))
		}
	}
	return list
}

// empty lists the conditions under which the result has no elements.
func (o operands) empty() []condition { return o.ofDimensions(isZero, m, n, batchCount) }

func (o operands) nothing() rule { return quickReturn(o.empty()...) }

// kernels ends an executed call of a 64-bit form with a dimension that has no kernels.
func (o operands) kernels() []rule {
	return []rule{allocated, size(o.ofDimensions(beyond32, dimensions[:len(dimensions)-1]...)...)}
}

// ldBelowRows holds when the leading dimension of an array is smaller than its rows.
func (o operands) ldBelowRows(array routine.Slot) condition { return o.leadingDimension(array, 0) }

func (o operands) leadingDimension(array routine.Slot, least int64) condition {
	p, ok := o.r.Companion(array, routine.LeadingDimension)
	if !ok {
		panic(fmt.Sprintf("workspace/behavior: an array of %s has no leading dimension", o.r.CName()))
	}
	ld, rows := p.Slot, o.array(array).Rows
	want := rows.Text
	if least > 0 {
		want = fmt.Sprintf("max(%d, %s)", least, rows.Text)
	}
	below := func(a *routine.Args) bool { v := a.Int(ld); return v < least || v < rows.Of(a) }
	return number(ld, below, func(a *routine.Args) string {
		return fmt.Sprintf(", must be at least %s = %d", want, max(least, rows.Of(a)))
	})
}

// ldBelowRowsIn32 is ldBelowRows of a family that stores the number of rows in 32 bits, also in its 64-bit forms.
func (o operands) ldBelowRowsIn32(array routine.Slot) condition {
	p, _ := o.r.Companion(array, routine.LeadingDimension)
	ld, rows := p.Slot, o.array(array).Rows
	below := func(a *routine.Args) bool { return a.Int(ld) < in32Bits(rows.Of(a)) }
	return number(ld, below, func(a *routine.Args) string {
		return fmt.Sprintf(", must be at least %s = %d, in 32 bits", rows.Text, in32Bits(rows.Of(a)))
	})
}

// orderBeyond holds when a square array is larger than one kernel takes.
func (o operands) orderBeyond(array routine.Slot, limit int64) condition {
	p := o.array(array)
	return condition{
		slot: array,
		test: func(a *routine.Args) bool { return p.Rows.Of(a) > limit },
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s has %d rows (%s), more than one kernel's %d", p.Name, p.Rows.Of(a), p.Rows.Text,
				limit)
		},
	}
}

func (o operands) array(s routine.Slot) *routine.Param {
	p, ok := o.r.ParamAt(s)
	if !ok {
		panic(fmt.Sprintf("workspace/behavior: the rules of %s name an array that it does not have", o.r.CName()))
	}
	return p
}

// in64 keeps a rule only for the 64-bit forms.
func (o operands) in64(r rule) rule {
	if !o.r.Wide {
		r.in = 0
	}
	return r
}

// notOneOf holds when an enumeration has none of the given values, which differ by less than 64, or no legal one if
// none are given.
func notOneOf(s routine.Slot, enum routine.Kind, legal ...int64) condition {
	if legal == nil {
		legal = routine.Legal(enum)
	}
	var words []string
	var set uint64
	for _, v := range legal {
		words = append(words, fmt.Sprintf("%s (%d)", routine.ConstantName(enum, v), v))
		set |= 1 << (v - legal[0])
	}
	list := strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
	other := func(a *routine.Args) bool { return set>>uint64(a.Int(s)-legal[0])&1 == 0 }
	return number(s, other, func(*routine.Args) string { return ", must be " + list })
}

// updateOperation refuses an operation that a rank-k update of complex matrices does not have: a symmetric one has no
// conjugate transpose, a Hermitian one no transpose.
func (o operands) updateOperation() rule {
	transpose := int64(routine.OperationTranspose)
	if o.r.Family.Hermitian {
		transpose = routine.OperationConjugateTranspose
	}
	if !o.r.Type.IsComplex() {
		return rule{}
	}
	return value(notOneOf(routine.TransA, routine.Operation, routine.OperationNone, transpose))
}

const (
	f16  = routine.DatatypeF16
	bf16 = routine.DatatypeBF16
	f32  = routine.DatatypeF32
	f64  = routine.DatatypeF64
	f32c = routine.DatatypeF32C
	f64c = routine.DatatypeF64C
	i8   = routine.DatatypeI8
	i32  = routine.DatatypeI32
)

// types are combinations of datatypes.
type types struct {
	slots        []routine.Slot
	combinations [][]int64
}

func (t types) include(a *routine.Args) bool {
	return slices.ContainsFunc(t.combinations, func(c []int64) bool {
		for i, s := range t.slots {
			if a.Int(s) != c[i] {
				return false
			}
		}
		return true
	})
}

// missing holds when a call's datatypes are none of the combinations.
func (t types) missing() condition {
	return condition{
		slot: t.slots[0],
		test: func(a *routine.Args) bool { return !t.include(a) },
		message: func(a *routine.Args) string {
			text := "there is no kernel for"
			for i, s := range t.slots {
				if i > 0 {
					text += ","
				}
				p, _ := a.Routine.ParamAt(s)
				text += fmt.Sprintf(" %s %s", p.Name, routine.ConstantName(p.Kind, a.Int(s)))
			}
			return text
		},
	}
}

// scalarTypes are the datatypes that alpha and beta of gemm_ex and syrk_ex can have.
func scalarTypes(s routine.Slot) types {
	return types{slots: []routine.Slot{s}, combinations: [][]int64{{f16}, {f32}, {f64}, {f32c}, {f64c}, {i32}}}
}

// inPlaceAs holds when two arrays are the same, but an argument of one differs from the same argument of the other,
// which the library takes for right.
func inPlaceAs(array, other, argument, right routine.Slot) condition {
	return condition{
		slot: argument,
		test: func(a *routine.Args) bool {
			return a.Ptr(array) == a.Ptr(other) && a.Int(argument) != a.Int(right)
		},
		message: func(a *routine.Args) string {
			return fmt.Sprintf("%s is %s, so %s, %d, must be %s = %d", name(a, array), name(a, other),
				name(a, argument), a.Int(argument), name(a, right), a.Int(right))
		},
	}
}

// badInterval holds for an interval, chosen by a value of an option, that has no numbers or begins below the least one.
func badInterval(option routine.Slot, byValue int64, least float64, want string) condition {
	return condition{
		slot: routine.UpperBound,
		test: func(a *routine.Args) bool {
			low := a.Real(routine.LowerBound)
			return a.Int(option) == byValue && (low < least || low >= a.Real(routine.UpperBound))
		},
		message: func(a *routine.Args) string {
			return fmt.Sprintf("vl is %g, %s = %g", a.Real(routine.LowerBound), want, a.Real(routine.UpperBound))
		},
	}
}

// badIndices holds for a range of indices, chosen by a value of an option, that the results do not have: there are as
// many as the smallest of the dimensions.
func badIndices(option routine.Slot, byIndex int64, dims ...routine.Slot) condition {
	most := func(a *routine.Args) int64 {
		least := int64(math.MaxInt64)
		for _, d := range dims {
			least = min(least, a.Int(d))
		}
		return least
	}
	return condition{
		slot: routine.UpperIndex,
		test: func(a *routine.Args) bool {
			low, high, count := a.Int(routine.LowerIndex), a.Int(routine.UpperIndex), most(a)
			return a.Int(option) == byIndex && (low < 1 || high < 0 || high > count || count > 0 && low > high)
		},
		message: func(a *routine.Args) string {
			count := fmt.Sprint(most(a))
			if len(dims) == 1 {
				count = name(a, dims[0]) + " = " + count
			}
			return fmt.Sprintf("il is %d and iu %d, must be at least 1 and at most %s", a.Int(routine.LowerIndex),
				a.Int(routine.UpperIndex), count)
		},
	}
}
