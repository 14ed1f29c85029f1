package host

import (
	"fmt"
	"math"
	"strings"

	"roclua/hip"
	"roclua/host/config"
)

// hasAxis reports whether an axis of the name can vary something: a parameter of the scenario, or a key of faults.
func (sc *scenario) hasAxis(name string) bool { return sc.hasParam(name) || config.IsFaultAxis(name) }

// faults are a scenario's own, or the run's, with what the axes of one case say, and the parameters that are left.
func (sc *scenario) faults(common config.Faults, point map[string]any) (config.Faults, map[string]any, error) {
	f := common
	if !sc.settings.Faults.IsZero() {
		f = sc.settings.Faults
	}
	params := map[string]any{}
	for name, v := range point {
		if !config.IsFaultAxis(name) {
			params[name] = v
			continue
		}
		n, ok := v.(float64)
		if !ok || n != math.Trunc(n) || n < 1 || n > 1<<53 {
			return f, nil, fmt.Errorf("scenario %s: axis %s: %v, must be a whole number from 1", sc.name, name, formatValue(v))
		}
		f.SetAxis(name, int(n))
	}
	return f, params, nil
}

// onlySimulated is why a case with faults is skipped elsewhere.
const onlySimulated = "allocations are made to fail (faults) on the simulated device alone, platform " + config.Simulated

// faultText says which allocation was made to fail.
func faultText(c hip.Call) string {
	text := fmt.Sprintf("%s of %d bytes", c.Name, c.Bytes)
	if c.HasStream {
		text += fmt.Sprintf(" in stream %d", c.Stream)
	}
	if c.Cause != hip.CauseScript {
		text += " for " + c.Cause
	}
	if c.Origin != "" {
		text += " at " + c.Origin
	}
	return text + " was made to fail: " + c.Injected
}

// faults writes which allocations of a case were made to fail.
func (c *result) faults(b *strings.Builder) {
	for _, call := range c.record.Faults {
		fmt.Fprintf(b, "  fault: %s\n", faultText(call))
	}
	if left := c.record.Stats.Injected - len(c.record.Faults); left > 0 {
		fmt.Fprintf(b, "  fault: %d more\n", left)
	}
}

// faulty sums up what was made to fail in the run. A case that makes fewer allocations than its plan waits for tells nothing.
func (r *report) faulty(b *strings.Builder) {
	planned, met, injected := 0, 0, 0
	for _, c := range r.results {
		if c.Faults.IsZero() || c.record.Skipped != "" {
			continue
		}
		planned++
		injected += c.record.Stats.Injected
		if c.record.Stats.Injected > 0 {
			met++
		}
	}
	if planned > 0 {
		fmt.Fprintf(b, "\nfaults\n  %d allocation%s made to fail, in %d of %d case%s\n", injected, plural(injected), met, planned, plural(planned))
	}
}

// jsonFault is an allocation that was made to fail.
type jsonFault struct {
	Call   string `json:"call"`             // name in C
	Bytes  uint64 `json:"bytes"`            // bytes that it asked for
	Stream *int   `json:"stream,omitempty"` // number of the stream that it names
	Cause  string `json:"cause"`            // script, or why a library made it
	Origin string `json:"origin,omitempty"` // line of the script
	Why    string `json:"why"`              // which allocation it is, and what chose it
}

func faultsJSON(list []hip.Call) []jsonFault {
	var out []jsonFault
	for _, c := range list {
		f := jsonFault{Call: c.Name, Bytes: c.Bytes, Cause: c.Cause, Origin: c.Origin, Why: c.Injected}
		if c.HasStream {
			f.Stream = &c.Stream
		}
		out = append(out, f)
	}
	return out
}
