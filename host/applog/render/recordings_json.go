package render

import "roclua/host/replay"

// HandleEntry is a handle of a recording.
type HandleEntry struct {
	Number     int            `json:"number"`               // in its process, from 1
	File       string         `json:"file"`                 // the recording
	Process    int            `json:"process"`              // number of the process
	Device     int            `json:"device"`               // current when the handle was created
	Threads    []int          `json:"threads"`              // that used it, numbered from 1
	Streams    []int          `json:"streams"`              // 0 is the null stream
	Calls      int64          `json:"calls"`                // of routines, without those in size queries
	Failed     int64          `json:"failed"`               // calls that returned an error
	NeedsBytes uint64         `json:"needs_bytes"`          // on the first target, or on its device's if devices differ
	DecidedBy  *RecordedPlace `json:"decided_by,omitempty"` // the call that needs it

	WorkspaceBytes *uint64 `json:"workspace_bytes" jsonschema:"nullable"` // that the program set last; null for none

	Workspaces []replay.StreamWorkspace `json:"workspaces"` // that the program set, at the tightest call on each stream

	HeldBytes       uint64                `json:"held_bytes"`       // in the end, or before it was destroyed
	Growths         []RecordedGrowthEntry `json:"growths"`          // predicted
	RecordedGrowths []RecordedGrowthEntry `json:"recorded_growths"` // that really happened
}

// RecordedPlace is a call of a recording.
type RecordedPlace struct {
	Function string `json:"function"` // C name
	Call     int64  `json:"call"`     // its number in the recording, from 1
}

// RecordedGrowthEntry is a growth of a handle.
type RecordedGrowthEntry struct {
	Call      int64  `json:"call"`       // number of the call in the recording
	FromBytes uint64 `json:"from_bytes"` // before
	ToBytes   uint64 `json:"to_bytes"`   // after
}

// DeviceEntry is a device of a recording, and its handles together.
type DeviceEntry struct {
	File      string            `json:"file"`      // the recording
	Device    int               `json:"device"`    // its number
	Arch      string            `json:"arch"`      // its architecture
	Handles   int               `json:"handles"`   // that belong to it
	Totals    map[string]uint64 `json:"totals"`    // most bytes of these handles at once, by scheme
	Agreement *replay.Agreement `json:"agreement"` // their predictions by the model
}

// DifferenceEntry is a wrong prediction.
type DifferenceEntry struct {
	File string `json:"file"` // the recording
	replay.Difference
}

// FindingEntry is a use of a handle that can be wrong or slow.
type FindingEntry struct {
	Code     string  `json:"code"`            // for programs
	File     string  `json:"file"`            // the recording
	Handle   int     `json:"handle"`          // number of the handle
	Call     int64   `json:"call"`            // the first one
	Function string  `json:"function"`        // its C name
	Outer    string  `json:"outer,omitempty"` // function of hipBLAS or hipSOLVER that made it
	Seconds  float64 `json:"seconds"`         // from the start of the recording to the call
	Times    int64   `json:"times"`           // how often it was found
	Text     string  `json:"text"`            // about the first call
}

// addRecordings adds the parts that only recordings have.
func (r *Report) addRecordings(d *Document) {
	if len(r.Recordings) == 0 {
		return
	}
	all := r.agreement()
	d.Agreement = &all
	d.Totals = map[string]uint64{}
	totals := r.totals()
	for _, total := range totals {
		d.Totals[total.Scheme] = total.Peak
	}
	d.Memory, d.Findings = &replay.Peak{}, []FindingEntry{}
	for _, rec := range r.Recordings {
		d.Memory.PeakBytes += rec.Memory.PeakBytes
		d.Memory.Handles += rec.Memory.Handles
		d.Devices = append(d.Devices, deviceEntries(rec, totals)...)
		for _, h := range rec.Result.Handles {
			d.Handles = append(d.Handles, handleEntry(rec, h))
		}
		for _, x := range rec.Differences {
			d.Differences = append(d.Differences, DifferenceEntry{rec.Name, x})
		}
		for _, f := range rec.Findings {
			d.Findings = append(d.Findings, FindingEntry{f.Code, rec.Name, f.Handle, f.Call, f.Name, f.Outer,
				f.Time.Seconds(), f.Times, f.Text})
		}
	}
}

// deviceEntries returns the devices of a recording, if its handles are on several.
func deviceEntries(rec *Recording, totals []Total) (list []DeviceEntry) {
	if len(rec.Used()) == 1 {
		return nil
	}
	for _, d := range rec.Used() {
		e := DeviceEntry{File: rec.Name, Device: d.Number, Arch: d.Arch, Handles: d.Handles,
			Totals: map[string]uint64{}, Agreement: &d.Agreement}
		for _, total := range totals {
			e.Totals[total.Scheme] = total.peakOn(d.Number)
		}
		list = append(list, e)
	}
	return list
}

func handleEntry(rec *Recording, h *replay.Handle) HandleEntry {
	e := HandleEntry{Number: h.Number, File: rec.Name, Process: rec.Process.PID, Device: h.Device,
		Threads: append([]int{}, h.Threads...), Streams: append([]int{}, h.Streams...), Calls: h.Calls,
		Failed: h.Failed, HeldBytes: h.Held, Growths: recordedGrowths(h.Growths),
		RecordedGrowths: recordedGrowths(h.Recorded), Workspaces: append([]replay.StreamWorkspace{}, h.Workspaces...)}
	need, decides := rec.needs(h)
	e.NeedsBytes = need
	if decides != nil {
		e.DecidedBy = &RecordedPlace{decides.Routine.CName(), decides.Line}
	}
	if h.Workspace > 0 {
		e.WorkspaceBytes = &h.Workspace
	}
	return e
}

func recordedGrowths(list []replay.Growth) []RecordedGrowthEntry {
	entries := []RecordedGrowthEntry{}
	for _, g := range list {
		entries = append(entries, RecordedGrowthEntry{g.Call, g.From, g.To})
	}
	return entries
}
