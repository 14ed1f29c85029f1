package record

// Measurement are the times of a repeated call.
type Measurement struct {
	Name    string       `json:"name"`    // name in the script
	Host    Distribution `json:"host"`    // seconds until a call returns
	Device  Distribution `json:"device"`  // seconds that the device takes for a call
	Noise   float64      `json:"noise"`   // how far the device's median may be wrong, as a share of it
	Samples int          `json:"samples"` // number of samples
	Calls   int          `json:"calls"`   // calls in each sample
	Stopped string       `json:"stopped"` // why there are not more: noise, max_time or samples

	Flops     float64  `json:"flops,omitempty"`      // floating-point operations of a call; 0 if not known
	Bytes     float64  `json:"bytes,omitempty"`      // bytes that a call reads and writes; 0 if not known
	PeakFlops float64  `json:"peak_flops,omitempty"` // of the device in a second, for the type; 0 if not known
	PeakBytes float64  `json:"peak_bytes,omitempty"` // of the device in a second; 0 if not known
	Simulated bool     `json:"simulated,omitempty"`  // the times are not of a real device
	Model     bool     `json:"model,omitempty"`      // the times are modelled, not measured
	Notes     []string `json:"notes,omitempty"`      // what the library did that spoils the times

	Baseline *BaselineTime `json:"baseline,omitempty"` // nil if a baseline has no time of it
}

// TimesOf names the source of the times of a simulated device; "" for a real one.
func TimesOf(simulated, model bool) string {
	switch {
	case model:
		return "modelled times of the device"
	case simulated:
		return "times of the machine that simulates the device"
	}
	return ""
}

// BaselineTime is the time of a measurement in a baseline.
type BaselineTime struct {
	Median float64 `json:"median"` // seconds
	Noise  float64 `json:"noise"`  // how far the median may be wrong, as a share of it
}

// Quantiles is the number of quantiles of a distribution.
const Quantiles = 21

// Distribution summarizes times in seconds.
type Distribution struct {
	Median    float64   `json:"median"`              // half of the times are at most as long
	P95       float64   `json:"p95"`                 // 95 % of them are
	Quantiles []float64 `json:"quantiles,omitempty"` // at 0 %, 5 %, ..., 100 %
}

// Metrics returns the metrics of the measurement.
func (m *Measurement) Metrics() []Metric {
	list := []Metric{
		{Name: m.Name + ".device.median", Value: m.Device.Median, Unit: "s"},
		{Name: m.Name + ".device.p95", Value: m.Device.P95, Unit: "s"},
		{Name: m.Name + ".host.median", Value: m.Host.Median, Unit: "s"},
		{Name: m.Name + ".noise", Value: m.Noise},
		{Name: m.Name + ".samples", Value: int64(m.Samples)},
	}
	for _, r := range m.Rates() {
		if r.PerSecond > 0 {
			list = append(list, Metric{Name: m.Name + "." + r.Name, Value: r.PerSecond / 1e9, Unit: r.Unit})
		}
		if share := r.Share(); share > 0 {
			list = append(list, Metric{Name: m.Name + "." + r.Name + "_share", Value: share})
		}
	}
	return list
}

// Rate is how much of something the device does in a second.
type Rate struct {
	Name, Unit      string
	PerSecond, Peak float64 // 0 if not known
}

// Rates returns the rates of operations and of bytes.
func (m *Measurement) Rates() []Rate {
	return []Rate{{"gflops", "GFLOP/s", m.PerSecond(m.Flops), m.PeakFlops},
		{"gbs", "GB/s", m.PerSecond(m.Bytes), m.PeakBytes}}
}

// Share returns the rate as a share of the peak; 0 if one of them is not known.
func (r Rate) Share() float64 {
	if r.Peak <= 0 {
		return 0
	}
	return r.PerSecond / r.Peak
}

// PerSecond returns how many of a call's operations or bytes the device does in a second; 0 if it is not known.
func (m *Measurement) PerSecond(count float64) float64 {
	if m.Device.Median <= 0 {
		return 0
	}
	return count / m.Device.Median
}
