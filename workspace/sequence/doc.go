// Package sequence draws random sequences of operations on a handle, and runs them on the model or on the real
// libraries, which must return the same results. roclua verify and the conformance tests use it.
//
//	model := &sequence.Side{Runtime: rt, Profile: profile}
//	err := model.Prepare()
//	result, err := model.Run(sequence.CreateHandle(nil))
package sequence
