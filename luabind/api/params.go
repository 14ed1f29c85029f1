package api

import "roclua/hip/routine"

// The functions of this file declare the parameters that many functions share.

func handle() Param {
	return Param{Name: "handle", Kind: Handle, About: "the handle",
		Nil: "the null handle, for which the status is invalid_handle"}
}

func stream() Param {
	return Param{Name: "stream", Kind: Stream, Nil: "the null stream",
		About: "the stream, hip.stream_legacy or hip.stream_per_thread"}
}

func event(name, about string) Param {
	return Param{Name: name, Kind: Event, About: about, Nil: "null, with the status error_invalid_handle"}
}

func pointer(name, about string) Param {
	return Param{Name: name, Kind: Pointer, About: about, Nil: "the null pointer"}
}

// filled declares that a copy fills the array.
func filled(p Param) Param {
	p.Filled = true
	return p
}

func memory(name, about string) Param {
	return Param{Name: name, Kind: Memory, About: about, Nil: "the null pointer"}
}

func bytes(name, about string) Param { return Param{Name: name, Kind: Bytes, About: about} }

func integer(name string, low, high int64, about string) Param {
	return Param{Name: name, Kind: Integer, Low: low, High: high, About: about}
}

// constant declares an integer for which the module hip has constants, with the values 0, 1 and so on.
func constant(name, about string, constants ...string) Param {
	p := integer(name, 0, int64(len(constants)-1), about)
	p.Constants = constants
	return p
}

func enum(name string, kind routine.Kind, about string) Param {
	return Param{Name: name, Kind: Enum, Enum: kind, About: about}
}

func numbers(name, about string) Param { return Param{Name: name, Kind: Numbers, About: about} }

func number(name, about string) Param { return Param{Name: name, Kind: Number, About: about} }

func text(name, about string) Param { return Param{Name: name, Kind: String, About: about} }

func function(name, signature, about string) Param {
	return Param{Name: name, Kind: Func, Signature: signature, About: about}
}

func anything(name, about string) Param {
	return Param{Name: name, Kind: Any, About: about, Nil: "a value like any other"}
}

// optional lets a parameter be left out; otherwise describes the behavior then.
func optional(p Param, otherwise string) Param {
	p.Optional, p.Else = true, otherwise
	return p
}

// withDefault lets a parameter be left out, which then has a value.
func withDefault(p Param, value any) Param {
	p.Optional, p.Default = true, value
	return p
}

// variadic lets a parameter take all further arguments.
func variadic(p Param) Param {
	p.Variadic = true
	return p
}

// declare begins the declaration of a function. The functions of this file add to it.
func declare(name, about string, params ...Param) *Function {
	return &Function{Name: name, About: about, Params: params}
}

// returns adds a result.
func (f *Function) returns(name, typ, about string) *Function {
	return f.results(Result{name, typ, about})
}

func (f *Function) results(list ...Result) *Function {
	f.Results = append(f.Results, list...)
	return f
}

// fails adds a status that the function raises in particular.
func (f *Function) fails(status, when string) *Function { return f.raises(Cause{status, when}) }

func (f *Function) raises(list ...Cause) *Function {
	f.Errors = append(f.Errors, list...)
	return f
}

// method declares that the function of a module is also a method of its first parameter.
func (f *Function) method() *Function {
	f.Method = true
	return f
}

// orReason declares that the last result says why the others are nil.
func (f *Function) orReason() *Function {
	f.Reason = true
	return f
}

// withStatus declares the type of the status of a call.
func (f *Function) withStatus(class StatusClass) *Function {
	f.Status = class
	return f
}
