// Package difftest draws random operations of a handle and runs them on the model or on the vendor's libraries, which
// must return the same. It formats operations as a Lua script that can be run alone. The conformance tests and roclua
// verify use it.
//
//	model := &difftest.Side{Runtime: rt, Profile: profile}
//	err := model.Prepare()
//	result, err := model.Run(difftest.CreateHandle(nil))
package difftest
