package array

import "roclua/luabind/engine"

// maxHostBytes is the largest size of a host array.
const maxHostBytes = 4 << 30

// shapedArray makes an array of zeros. It raises an error if the array would be too large.
func shapedArray(c *engine.Call, kind ElementKind, rows, cols int64) *Array {
	// A dimension counts even if the other one is zero, so that no loop over it takes long.
	if bytes := float64(max(rows, 1)) * float64(max(cols, 1)) * float64(kind.bytes); bytes > maxHostBytes {
		c.Bad("rows", "%d x %d elements are more than the 4 GiB that a host array may have", rows, cols)
	}
	return reservedArray(c, kind.Name, int(rows), int(cols))
}

// reservedArray makes an array of zeros and counts its memory for the limit of the heap.
func reservedArray(c *engine.Call, kind string, rows, cols int) *Array {
	c.VM.Meter().Reserve(c.L, uint64(rows*cols*elementOf[kind].bytes))
	return newArray(kind, rows, cols)
}

// everyElement returns a function that a loop over an array calls in each step. It ends the call if the case has ended.
// elements is the number of elements in each step.
func everyElement(c *engine.Call, elements int) func() {
	return c.VM.Meter().Every(c.L, max(1, arraySteps/max(elements, 1)))
}

// arraySteps is the number of elements after which everyElement checks again whether the case has ended.
const arraySteps = 1 << 18

// outArray returns an array.
func outArray(c *engine.Call, a *Array) error {
	c.Out(c.VM.Object(TypeName, a))
	return nil
}
