package cpu

import (
	"testing"

	"roclua/hip/driver"
)

// BenchmarkGraphs fills memory 100 times, by calls and by a launch of a graph, and captures these calls. ops/s counts
// calls and nodes.
func BenchmarkGraphs(b *testing.B) {
	const calls = 100
	rt, err := Driver{}.Open(driver.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer rt.Close()
	d := rt.Devices()[0].(*device)
	s, _ := d.NewStream(true)
	p, _ := d.Malloc(64)
	fill := func() {
		for range calls {
			d.Fill(s, p, 1, 64)
		}
	}
	capture := func() driver.Graph {
		d.BeginCapture(s, driver.CaptureGlobal)
		fill()
		g, err := d.EndCapture(s)
		if err != nil {
			b.Fatal(err)
		}
		return g
	}
	g := capture()
	e, err := g.Instantiate()
	if err != nil {
		b.Fatal(err)
	}
	for name, do := range map[string]func(){
		"calls":   fill,
		"launch":  func() { e.Launch(s, nil) },
		"capture": func() { capture().Destroy() },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do()
				s.Synchronize()
			}
			b.ReportMetric(float64(b.N)*calls/b.Elapsed().Seconds(), "ops/s")
		})
	}
}
