package api

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
