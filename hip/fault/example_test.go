package fault_test

import (
	"fmt"
	"log"

	"roclua/hip"
	_ "roclua/hip/cpu"
	"roclua/hip/driver"
	"roclua/hip/fault"
)

// Make the second allocation of a runtime fail.
func ExamplePlan() {
	rt, err := hip.Open("cpu", driver.Config{MemoryBytes: 1 << 30})
	if err != nil {
		log.Fatal(err)
	}
	defer rt.Close()
	plan := fault.Plan{Nth: []int{2}}
	rt.SetFaults(plan.Begin())
	for range 3 {
		p, err := rt.Device().Malloc(64)
		fmt.Println(p != 0, err)
	}
	// Output:
	// true <nil>
	// false hipErrorOutOfMemory: hipMalloc of 64 bytes failed by fault injection: allocation 2 of the case (nth = 2)
	// true <nil>
}
