package luabind

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"roclua/internal/nearest"
	"roclua/luabind/engine"
	"roclua/luabind/record"
)

// workload is the declaration of clients and their events.
type workload struct {
	record.Workload
	events        []*lua.LFunction // in the order of Workload.Events
	client, leave *lua.LFunction   // may be nil
}

// Bounds of workloads.
const (
	mostClients = 4096
	mostEvents  = 64
	mostQueue   = 1 << 20
	mostRate    = 1e7
	mostStages  = 1000
	longestLoad = 365 * 24 * time.Hour
)

// workloadFunctions are the fields of a scenario with a workload.
var workloadFunctions = []string{"client", "event", "events", "leave"}

// workload reads the workload of a scenario, with the values of its parameters; nil for none.
func (r *fieldReader) workload(params []record.Param) *workload {
	table, ok := field[*lua.LTable](r, "workload", "a table")
	for _, name := range workloadFunctions {
		if !ok && r.table.RawGetString(name) != lua.LNil {
			r.fail("field %s belongs to a workload, such as workload = { clients = 8, duration = \"10s\" }", name)
		}
	}
	if !ok {
		return nil
	}
	for _, p := range params {
		if slices.Contains(engine.MembersOf("client"), p.Name) && p.Name != "clients" {
			r.fail("parameter %s: c.%[1]s is a field or method of c; choose another name", p.Name)
		}
	}
	f := &loadReader{fieldReader: r, table: table, params: params, where: "workload"}
	f.checkNames(f.where, f.table, engine.FieldsOf("workload"))
	w := &workload{client: r.function("client"), leave: r.function("leave")}
	w.events, w.Events = f.events()
	w.Clients = int(f.number("clients", 1, 1, mostClients))
	w.Rate = f.number("rate", 0, 0, mostRate)
	w.Even = f.choice("arrivals", "random", "even") == "even"
	w.Queue = int(f.number("queue", 1000, 1, mostQueue))
	w.Count = int64(f.number("count", 0, 1, 1<<53))
	w.Duration = f.duration("duration", 0)
	w.Warmup = f.duration("warmup", 0)
	w.Grace = f.duration("grace", 5*time.Second)
	w.Stages = f.stages(&w.Workload)
	w.Shared, w.Tolerate, w.Abort = f.texts("shared"), f.texts("tolerate"), f.texts("abort_on_fail")
	switch {
	case w.Duration == 0 && w.Count == 0 && w.Stages == nil:
		f.fail("workload: it needs a duration such as \"10s\", a count of events, or stages")
	case w.Warmup > 0 && w.Length() > 0 && w.Warmup >= w.Length():
		f.fail("workload: warmup: %v is not shorter than the load, which lasts %v", w.Warmup, w.Length())
	case w.Duration > 0 && w.Stages != nil:
		f.fail("workload: duration: the stages say how long the load lasts")
	}
	return w
}

// loadReader reads the fields of a workload or of one of its parts.
type loadReader struct {
	*fieldReader
	table  *lua.LTable
	params []record.Param
	where  string
}

// value returns a field. The name of a parameter means the value of the parameter.
func (f *loadReader) value(name string) lua.LValue {
	v := f.table.RawGetString(name)
	text, ok := v.(lua.LString)
	if !ok {
		return v
	}
	i := slices.IndexFunc(f.params, func(p record.Param) bool { return p.Name == string(text) })
	if i < 0 {
		return v
	}
	return luaValue(f.params[i].Value)
}

// number reads a number from low to high; otherwise is its default.
func (f *loadReader) number(name string, otherwise, low, high float64) float64 {
	v := f.value(name)
	if v == lua.LNil {
		return otherwise
	}
	n, ok := v.(lua.LNumber)
	whole := name != "rate" && name != "weight"
	kind := "a number"
	if whole {
		kind = "an integer"
	}
	if x := float64(n); !ok || !(x >= low && x <= high) || whole && x != math.Trunc(x) {
		f.fail("%s: %s = %s; want %s from %.15g to %.15g, or the name of a parameter", f.where, name, shortValue(v),
			kind, low, high)
		return otherwise
	}
	return float64(n)
}

// shortValue writes a value for a message.
func shortValue(v lua.LValue) string {
	if text, ok := v.(lua.LString); ok {
		return fmt.Sprintf("%.200q", string(text))
	}
	return fmt.Sprintf("%.200s", v.String())
}

// duration reads a duration above 0; otherwise is its default.
func (f *loadReader) duration(name string, otherwise time.Duration) time.Duration {
	v := f.value(name)
	d, err := time.Duration(0), error(nil)
	switch v := v.(type) {
	case *lua.LNilType:
		return otherwise
	case lua.LNumber:
		d = time.Duration(math.Min(float64(v), longestLoad.Seconds()+1) * float64(time.Second))
	case lua.LString:
		d, err = time.ParseDuration(string(v))
	}
	if err != nil || !(d > 0 && d <= longestLoad) {
		f.fail("%s: %s = %s; want a duration such as \"10s\", \"250ms\" or \"1m30s\", or seconds", f.where, name,
			shortValue(v))
		return max(otherwise, 1)
	}
	return d
}

// choice reads one of several words; the first is the default.
func (f *loadReader) choice(name string, words ...string) string {
	v := f.value(name)
	if v == lua.LNil {
		return words[0]
	}
	if text, ok := v.(lua.LString); !ok || !slices.Contains(words, string(text)) {
		f.fail("%s: %s = %s%s; want one of %s", f.where, name, shortValue(v), nearest.DidYouMean(v.String(), words),
			strings.Join(words, ", "))
	}
	return v.String()
}

func (f *loadReader) texts(name string) []string { return f.textsOf(name, f.table.RawGetString(name)) }

// events reads the field event, or events, which has several kinds with names and weights.
func (f *loadReader) events() (functions []*lua.LFunction, list []record.Event) {
	event := f.function("event")
	several, ok := field[*lua.LTable](f.fieldReader, "events", "a list of tables")
	switch {
	case f.fieldReader.table.RawGetString("run") != lua.LNil:
		f.fail("a scenario has either a function run(t) or a workload, whose clients run event(c)")
	case event != nil && ok:
		f.fail("a workload has either event or events")
	case event != nil:
		return []*lua.LFunction{event}, []record.Event{{Weight: 1}}
	case !ok || several.Len() == 0:
		f.fail("a workload needs a function event(c), or " +
			"events = { {name = \"...\", weight = 1, run = function(c) ... end} }")
	case several.Len() > mostEvents:
		f.fail("a workload has at most %d kinds of events, got %d", mostEvents, several.Len())
	default:
		return f.kinds(several)
	}
	return nil, []record.Event{{Weight: 1}}
}

// kinds reads a list of kinds of events.
func (f *loadReader) kinds(list *lua.LTable) (functions []*lua.LFunction, events []record.Event) {
	total := 0.0
	for i := 1; i <= list.Len(); i++ {
		item, ok := list.RawGetInt(i).(*lua.LTable)
		if !ok {
			f.fail("field events: item %d is a %s; want {name = \"...\", weight = 1, run = function(c) ... end}", i,
				list.RawGetInt(i).Type())
			continue
		}
		part := &loadReader{fieldReader: f.fieldReader, table: item, params: f.params,
			where: fmt.Sprintf("event %d", i)}
		part.checkNames(part.where, part.table, []string{"name", "weight", "run"})
		name, _ := item.RawGetString("name").(lua.LString)
		fn, ok := item.RawGetString("run").(*lua.LFunction)
		same := func(e record.Event) bool { return e.Name == string(name) }
		switch {
		case !scenarioName().MatchString(string(name)):
			f.fail("event %d: name = %s; an event needs a name of letters, digits, _ and -", i,
				shortValue(item.RawGetString("name")))
		case slices.ContainsFunc(events, same):
			f.fail("event %d: the name %q is used twice", i, string(name))
		case !ok:
			f.fail("event %d: run must be a function, got %s", i, item.RawGetString("run").Type())
		}
		weight := part.number("weight", 1, 0, 1e9)
		total += weight
		functions, events = append(functions, fn), append(events, record.Event{Name: f.take(string(name)),
			Weight: weight})
	}
	if total == 0 {
		f.fail("the weights of all events are 0")
	}
	return functions, events
}

// stages reads the stages of a workload.
func (f *loadReader) stages(w *record.Workload) []record.Stage {
	v := f.table.RawGetString("stages")
	list, ok := v.(*lua.LTable)
	switch {
	case v == lua.LNil:
		return nil
	case !ok || list.Len() == 0 || list.Len() > mostStages:
		f.fail("workload: stages must be a list of 1 to %d tables such as {duration = \"10s\", clients = 8}",
			mostStages)
		return nil
	}
	var stages []record.Stage
	end := time.Duration(0)
	for i := 1; i <= list.Len(); i++ {
		item, ok := list.RawGetInt(i).(*lua.LTable)
		if !ok {
			f.fail("stage %d must be a table such as {duration = \"10s\", clients = 8}, got %s", i,
				list.RawGetInt(i).Type())
			return nil
		}
		part := &loadReader{fieldReader: f.fieldReader, table: item, params: f.params,
			where: fmt.Sprintf("stage %d", i)}
		part.checkNames(part.where, part.table, []string{"duration", "start", "clients", "rate"})
		s := record.Stage{Start: end, Duration: part.duration("duration", 0),
			Clients: int(part.number("clients", -1, 0, mostClients)), Rate: part.number("rate", -1, 0, mostRate)}
		if item.RawGetString("start") != lua.LNil && !isZero(part.value("start")) {
			s.Start = part.duration("start", 0)
		}
		switch {
		case s.Duration == 0:
			f.fail("stage %d: it needs a duration", i)
		case s.Start < end:
			f.fail("stage %d: it starts at %v, before stage %d ends at %v", i, s.Start, i-1, end)
		case s.Clients < 0 && s.Rate < 0:
			f.fail("stage %d: it changes neither clients nor rate", i)
		}
		end = s.Start + s.Duration
		stages = append(stages, s)
	}
	return stages
}

func isZero(v lua.LValue) bool { return v == lua.LNumber(0) }
