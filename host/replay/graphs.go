package replay

import (
	"roclua/hip"
	"roclua/hip/driver"
	"roclua/hip/function"
	"roclua/host/recording"
)

func (r *replay) beginCapture(c *recording.Call) error {
	s := r.streamOf(c)
	err := s.BeginCapture(driver.CaptureMode(argument(c, function.Int32)))
	if number := int(argument(c, function.Graph)); err == nil && number != 0 {
		r.into[s] = number
	}
	return err
}

func (r *replay) endCapture(c *recording.Call) error {
	s := r.streamOf(c)
	g, err := s.EndCapture()
	if !r.rt.Device().Capturing() {
		r.captured = nil
	}
	if err == nil {
		r.graphs[created(c)] = append(r.graphs[r.into[s]], &part{Graph: g, graphs: 1})
	}
	delete(r.into, s)
	return err
}

func (r *replay) exchangeMode(c *recording.Call) error {
	if r.modes == nil {
		r.modes = exchanged(r.file)
	}
	if len(r.modes) == 0 { // of a call inside another one
		return nil
	}
	mode := r.modes[0]
	r.modes = r.modes[1:]
	_, err := r.rt.Device().ExchangeCaptureMode(mode)
	return err
}

// exchanged returns the modes of captures that calls set, in their order. The recording has the mode before each call,
// so that the thread's next call has the one that this call set. The last call of a thread changes from the
// relaxed mode to the global one, which is the default, and from any other to the relaxed one.
func exchanged(f *recording.File) []driver.CaptureMode {
	var list []driver.CaptureMode
	last := map[int]int{} // call of each thread
	for c := range inEffect(f.Calls()) {
		if c.Name != "hipThreadExchangeStreamCaptureMode" || c.Status != 0 {
			continue
		}
		before, _ := c.Result(0)
		if i, ok := last[c.Thread]; ok {
			list[i] = driver.CaptureMode(before)
		}
		last[c.Thread] = len(list)
		if driver.CaptureMode(before) == driver.CaptureRelaxed {
			list = append(list, driver.CaptureGlobal)
		} else {
			list = append(list, driver.CaptureRelaxed)
		}
	}
	return list
}

// part is a captured part of a graph, and how many graphs of the program have it. The parts of a graph built by hand
// run one after another: recordings do not have the order of its nodes.
type part struct {
	*hip.Graph
	graphs int
}

// cloneGraph makes a graph with the parts of another one, or an empty graph.
func (r *replay) cloneGraph(c *recording.Call) error {
	r.graphs[created(c)] = r.partsOf(int(argument(c, function.Graph)))
	return nil
}

// partsOf returns the parts of a graph, for another graph.
func (r *replay) partsOf(number int) []*part {
	list := append([]*part{}, r.graphs[number]...)
	for _, p := range list {
		p.graphs++
	}
	return list
}

// addGraph adds the parts of a graph to another one.
func (r *replay) addGraph(c *recording.Call) error {
	to, from := int(argument(c, function.Graph)), 0
	for i := range c.Args {
		if v := &c.Args[i]; v.Letter == function.Graph {
			from = int(v.Int)
		}
	}
	if r.graphs[to] != nil {
		r.graphs[to] = append(r.graphs[to], r.partsOf(from)...)
	}
	return nil
}

func (r *replay) addCopy(c *recording.Call) error {
	to := int(argument(c, function.Graph))
	s, err := r.rt.Device().NewStream(true)
	if err != nil || r.graphs[to] == nil {
		return nil
	}
	defer s.Destroy()
	if s.BeginCapture(driver.CaptureRelaxed) != nil {
		return nil
	}
	r.claim(c, []uint64{uint64(arg(c, 6).Int)}, s, false)
	if g, err := s.EndCapture(); err == nil {
		r.graphs[to] = append(r.graphs[to], &part{Graph: g, graphs: 1})
	}
	return nil
}

func (r *replay) instantiate(c *recording.Call) error {
	list, ok := r.graphs[int(argument(c, function.Graph))]
	if !ok {
		return asRecorded(c)
	}
	execs, err := instances(list)
	if err == nil {
		r.execs[created(c)] = execs
	}
	return err
}

// instances makes the parts of a graph executable.
func instances(list []*part) ([]*hip.GraphExec, error) {
	execs := []*hip.GraphExec{}
	for _, p := range list {
		e, err := p.Instantiate()
		if err != nil {
			return nil, err
		}
		execs = append(execs, e)
	}
	return execs, nil
}

// updateExec replaces the nodes of an executable graph by the nodes of a graph.
func (r *replay) updateExec(c *recording.Call) error {
	list, ok := r.graphs[int(arg(c, 1).Int)]
	if number := int(arg(c, 0).Int); ok && r.execs[number] != nil {
		execs, err := instances(list)
		if err != nil {
			return err
		}
		for _, e := range r.execs[number] {
			e.Destroy()
		}
		r.execs[number] = execs
	}
	return nil
}

func (r *replay) launch(c *recording.Call) error {
	execs, ok := r.execs[int(argument(c, function.Graph))]
	if !ok {
		return asRecorded(c)
	}
	for _, e := range execs {
		if err := e.Launch(r.streamOf(c)); err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) destroyGraph(c *recording.Call) error {
	number := int(argument(c, function.Graph))
	list, ok := r.graphs[number]
	if !ok {
		return asRecorded(c)
	}
	delete(r.graphs, number)
	for _, p := range list {
		if p.graphs--; p.graphs > 0 {
			continue
		}
		if err := p.Destroy(); err != nil {
			return err
		}
	}
	return nil
}

func (r *replay) destroyExec(c *recording.Call) error {
	number := int(argument(c, function.Graph))
	execs, ok := r.execs[number]
	if !ok {
		return asRecorded(c)
	}
	delete(r.execs, number)
	for _, e := range execs {
		if err := e.Destroy(); err != nil {
			return err
		}
	}
	return nil
}
