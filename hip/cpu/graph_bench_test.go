package cpu

import (
	"fmt"
	"testing"

	"roclua/hip/driver"
)

// BenchmarkGraphs fills memory by calls, captures such calls, and launches graphs of them and of functions of the host.
// ns/node is the time of a call or a node.
func BenchmarkGraphs(b *testing.B) {
	rt, err := Driver{}.Open(driver.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	d := rt.Devices()[0].(*device)
	s, _ := d.NewStream(true)
	p, _ := d.Malloc(64)
	fill := func() { d.Fill(s, p, 1, 64) }
	function := func() { d.LaunchHostFunc(s, func(driver.Site) {}) }
	capture := func(nodes int, call func()) driver.Graph {
		d.BeginCapture(s, driver.CaptureGlobal)
		for range nodes {
			call()
		}
		g, err := d.EndCapture(s)
		if err != nil {
			b.Fatal(err)
		}
		return g
	}
	measure := func(name string, nodes int, do func()) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do()
				s.Synchronize()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*nodes), "ns/node")
		})
	}
	measure("calls", 100, func() {
		for range 100 {
			fill()
		}
	})
	measure("capture", 100, func() { capture(100, fill).Destroy() })
	for _, nodes := range []int{1, 10, 1000} {
		for kind, call := range map[string]func(){"launch": fill, "functions": function} {
			e, err := capture(nodes, call).Instantiate()
			if err != nil {
				b.Fatal(err)
			}
			measure(fmt.Sprint(kind, "/", nodes), nodes, func() { e.Launch(s, nil) })
		}
	}
}
