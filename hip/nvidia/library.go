package nvidia

import (
	"fmt"
	"strings"

	"roclua/hip/dl"
	"roclua/hip/driver"
	"roclua/hip/native"
	"roclua/hip/routine"
)

// library is cuBLAS or cuSOLVER. Functions are looked up when they are first used.
type library struct {
	api     *native.API
	lib     *dl.Library
	number  func(meaning) int32 // of a status
	symbols native.Table[function, uintptr]
}

// function is a function of a library for an element type. Its name is a pattern for spell, which is applied when the
// function is looked up, or for an error.
type function struct {
	pattern string
	typ     routine.Type
}

func (f function) String() string { return spell(f.pattern, f.typ) }

// spell returns the name of a function for a type: <t> is the type's letter, <r> the letter of its real type, and <or>,
// <sy> and <ger> are how names begin for orthogonal and symmetric matrices and for rank-1 updates.
func spell(pattern string, t routine.Type) string {
	if !strings.Contains(pattern, "<") {
		return pattern
	}
	letter, or, sy, ger, realLetter := strings.ToUpper(string(rune(t))), "or", "sy", "ger", "D"
	if t.IsComplex() {
		or, sy, ger = "un", "he", "gerc"
	}
	if t.RealSize() == 4 {
		realLetter = "S"
	}
	return strings.NewReplacer("<t>", letter, "<r>", realLetter, "<or>", letter+or, "<sy>", letter+sy,
		"<ger>", letter+ger).Replace(pattern)
}

func (l *library) symbol(f function) (uintptr, error) {
	if address, ok := l.symbols.Load(f); ok {
		return address, nil
	}
	address, err := l.lib.Symbol(f.String())
	if err != nil {
		return 0, driver.Faultf(driver.ErrorNotSupported, "%s", err)
	}
	l.symbols.Store(f, address)
	return address, nil
}

// call calls a function by its name and translates its status.
//
//go:uintptrescapes
func (l *library) call(name string, args ...uintptr) error {
	f := function{pattern: name}
	address, err := l.symbol(f)
	if err != nil {
		return err
	}
	return l.check(f, dl.CallWords(address, args))
}

// callArgs is call for functions that may have floating-point arguments.
func (l *library) callArgs(f function, args []dl.Arg) error {
	address, err := l.symbol(f)
	if err != nil {
		return err
	}
	return l.check(f, dl.CallArgs(address, args))
}

// meaning is the meaning of a status, which each library has by its own number.
type meaning struct {
	cublas, cusolver int32
	code             driver.Error
	text             string
}

var meanings = []meaning{
	{1, 1, driver.ErrorNotInitialized, "not initialized"},
	{3, 2, driver.ErrorOutOfMemory, "allocation failed"},
	{7, 3, driver.ErrorInvalidValue, "invalid value"},
	{8, 4, driver.ErrorNotSupported, "architecture mismatch"},
	{13, 6, driver.ErrorLaunchFailure, "execution failed"},
	{14, 7, driver.ErrorLaunchFailure, "internal error"},
	{15, 9, driver.ErrorNotSupported, "not supported"},
}

// check returns the error of a status; nil for success. It clears the error that a failed library may have left in the
// runtime, because the next call could report it again.
func (l *library) check(f function, result uintptr) error {
	status := int32(result)
	if status == 0 {
		return nil
	}
	l.api.ClearError()
	for _, m := range meanings {
		if l.number(m) == status {
			return &driver.Fault{Code: m.code, Func: f.String(), Detail: m.text}
		}
	}
	return &driver.Fault{Code: driver.ErrorUnknown, Func: f.String(), Detail: fmt.Sprintf("status %d", status)}
}
