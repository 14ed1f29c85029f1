package plan

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"roclua/hip/driver"
	"roclua/hip/trace"
	"roclua/host/baseline"
	"roclua/host/config"
	"roclua/host/result"
	"roclua/internal/escape"
	"roclua/internal/nearest"
	"roclua/internal/units"
	"roclua/luabind/api"
	"roclua/luabind/record"
	"roclua/workspace"
	"roclua/workspace/status"
)

// Space is the cases of one scenario: each combination of a step, a value of each axis, a scheme, a target and a
// repetition. The exported fields are plain data.
type Space struct {
	Scenario  string            `json:"scenario"`            // name of the scenario
	Script    string            `json:"script"`              // file of the scenario
	About     string            `json:"about,omitempty"`     // one line about the scenario
	Source    string            `json:"source,omitempty"`    // document that it reproduces
	Tags      []string          `json:"tags,omitempty"`      // tags of the scenario
	Steps     []map[string]any  `json:"steps"`               // parameters of each step of the axes that step together
	Axes      []Axis            `json:"axes,omitempty"`      // axes that multiply; the last one varies first
	Schemes   []string          `json:"schemes"`             // memory schemes; "" for a scenario without
	Targets   []SpaceTarget     `json:"targets"`             // targets
	Repeat    int               `json:"repeat"`              // how often each case runs
	Bytes     uint64            `json:"bytes,omitempty"`     // workspace that the configuration sets
	Seed      uint64            `json:"seed"`                // seed of the scripts
	Faults    config.Faults     `json:"faults,omitzero"`     // allocations that fail
	Baseline  string            `json:"baseline,omitempty"`  // file that keeps the values
	Baselines string            `json:"baselines,omitempty"` // folder of that file, if the configuration names it
	Tolerance map[string]string `json:"tolerance,omitempty"` // how far values may move
	Metrics   map[string]string `json:"metrics,omitempty"`   // which number of a metric the script keeps
	Expect    []ExpectSource    `json:"expect,omitempty"`    // expectations on the cases
	Excluded  bool              `json:"excluded,omitempty"`  // its tags are not selected
	Broken    bool              `json:"broken,omitempty"`    // the script cannot be loaded

	Skip          []config.Exception `json:"skip,omitempty"`           // cases that are skipped
	KnownFailures []config.Exception `json:"known_failures,omitempty"` // cases that are known to fail

	definition   *Scenario // nil in an Outline that was read
	part         int       // number of the argument of the command
	where        string    // place of the scenario in the configuration: "config.toml:3:1"; "" if it is unknown
	expectations []Expectation
	tolerances   baseline.Tolerances
	skipped      []exception
	known        []exception
	params       []paramText // parameters in the order of ids
	cleanParams  bool        // outputs may have all of them, so cases and reports share a map
}

// Axis is a parameter with its values.
type Axis struct {
	Name   string `json:"name"`   // name of the parameter
	Values []any  `json:"values"` // numbers, strings or booleans
}

// SpaceTarget is a target of a scenario.
type SpaceTarget struct {
	config.Target
	Skip string `json:"skip,omitempty"` // why the scenario is not run there

	id    string      // end of the ids of its cases
	shown result.Case // common part of its cases, for reports
}

// newSpace multiplies a scenario with the targets and schemes of its configuration and with its axes.
func newSpace(cfg *config.Config, sc *Scenario) (*Space, error) {
	sp := &Space{Scenario: sc.Name, Script: sc.File, About: sc.Declared.About, Source: sc.Declared.Source,
		Tags: sc.Declared.Tags, Repeat: max(1, sc.Settings.Repeat), Bytes: uint64(sc.Settings.Bytes), Seed: cfg.Seed,
		Faults: cfg.Faults, Tolerance: maps.Clone(cfg.Tolerance), definition: sc,
		Skip: sc.Settings.Skip, KnownFailures: sc.Settings.KnownFailures}
	sp.Baselines, sp.Baseline = sc.baselineFile(cfg)
	if sc.key != "" {
		sp.where = cfg.Place(sc.key + "." + keyOfFile(&sc.Settings))
	}
	sp.setTargets(cfg)
	if sc.Broken != nil {
		// A case for each target is left. The parameters and schemes of the settings are not known.
		sp.Broken, sp.Repeat, sp.Faults, sp.Tolerance = true, 1, config.Faults{}, nil
		sp.Steps, sp.Schemes = []map[string]any{nil}, []string{""}
		return sp, sp.prepare()
	}
	if !sc.Settings.Faults.IsZero() {
		sp.Faults = sc.Settings.Faults
	}
	if err := sp.setPoints(sc, cfg.Params); err != nil {
		return nil, err
	}
	var err error
	if sp.Schemes, err = sc.schemes(); err != nil {
		return nil, err
	}
	if sp.Tolerance == nil {
		sp.Tolerance = map[string]string{}
	}
	maps.Copy(sp.Tolerance, sc.Settings.Tolerance)
	sp.Metrics = sc.Declared.Metrics
	sp.Expect = sc.expectations(cfg)
	return sp, sp.prepare()
}

// setTargets sets the targets, with the reasons why the scenario does not run there.
func (sp *Space) setTargets(cfg *config.Config) {
	for _, t := range cfg.Targets {
		profile, err := workspace.FindProfile(t.Profile)
		if err != nil {
			panic(err) // the configuration has been validated
		}
		sp.Targets = append(sp.Targets, SpaceTarget{Target: t,
			Skip: sp.definition.Declared.Unsuited(t.Platform, profile.Name)})
	}
}

// prepare parses the settings and computes the parts of ids.
func (sp *Space) prepare() error {
	var err error
	if sp.expectations, err = parseExpectations(sp.Expect); err != nil {
		return err
	}
	sp.tolerances = baseline.Tolerances{}
	for _, name := range slices.Sorted(maps.Keys(sp.Tolerance)) {
		if sp.tolerances[name], err = baseline.ParseTolerance(sp.Tolerance[name]); err != nil {
			return fmt.Errorf("tolerance: %s: %w", name, err)
		}
	}
	if sp.skipped, err = parseExceptions(sp.Skip); err != nil {
		return err
	}
	if sp.known, err = parseExceptions(sp.KnownFailures); err != nil {
		return err
	}
	sp.params = sp.paramTexts()
	sp.cleanParams = !slices.ContainsFunc(sp.params, func(p paramText) bool {
		return escape.Text(p.name) != p.name ||
			slices.ContainsFunc(p.texts, func(text string) bool { return escape.Text(text) != text })
	})
	for i := range sp.Targets {
		sp.prepareTarget(&sp.Targets[i])
	}
	return nil
}

// prepareTarget sets the common parts of all cases on a target.
func (sp *Space) prepareTarget(t *SpaceTarget) {
	t.id = t.ID()
	t.shown = result.Case{Scenario: sp.Scenario, Script: sp.Script, About: sp.About, Source: sp.Source,
		Tags: slices.Clone(sp.Tags), Platform: t.Platform, Profile: t.Profile, Arch: t.Label()}
	if profile, err := workspace.FindProfile(t.Profile); err == nil {
		t.shown.RocBLAS, t.shown.RocSOLVER = profile.RocBLAS, profile.RocSOLVER
	}
	escape.Clean(&t.shown)
}

// paramText is the values of a parameter as ids have them: one for each value of an axis, or for each step.
type paramText struct {
	name  string
	axis  int // index of the axis; -1 for a parameter of the steps
	texts []string
}

func (p *paramText) text(d digits) string {
	if p.axis < 0 {
		return p.texts[d.step]
	}
	return p.texts[d.axes[p.axis]]
}

// paramTexts returns the texts of all parameters, sorted by name.
func (sp *Space) paramTexts() []paramText {
	var list []paramText
	for i, a := range sp.Axes {
		p := paramText{name: a.Name, axis: i}
		for _, v := range a.Values {
			p.texts = append(p.texts, result.FormatValue(v))
		}
		list = append(list, p)
	}
	for name := range sp.Steps[0] {
		p := paramText{name: name, axis: -1}
		for _, step := range sp.Steps {
			p.texts = append(p.texts, result.FormatValue(step[name]))
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b paramText) int { return strings.Compare(a.name, b.name) })
	return list
}

// exception is an Exception whose pattern is parsed.
type exception struct {
	match  *config.Pattern
	reason string
}

func parseExceptions(list []config.Exception) ([]exception, error) {
	var parsed []exception
	for _, e := range list {
		m, err := config.ParsePattern(e.Match)
		if err != nil {
			return nil, err
		}
		parsed = append(parsed, exception{m, e.Reason})
	}
	return parsed, nil
}

// excepted returns the reason of the first exception that selects a case; "" for none.
func (sp *Space) excepted(list []exception, d digits, id string) string {
	for _, e := range list {
		if sp.matches(e.match, d, id) {
			return e.reason
		}
	}
	return ""
}

// matches reports whether an expression selects a case.
func (sp *Space) matches(m *config.Pattern, d digits, id string) bool {
	return m.Matches(id, func(key string) (string, bool) { return sp.value(d, key) })
}

// keysOfAll are the keys that every case can have, in addition to its parameters.
var keysOfAll = []string{"scheme", "repeat", "platform", "profile", "arch"}

// value returns the value of a key of a case, as ids show it.
func (sp *Space) value(d digits, key string) (text string, ok bool) {
	if i := slices.IndexFunc(sp.params, func(p paramText) bool { return p.name == key }); i >= 0 {
		return escape.Text(sp.params[i].text(d)), true
	}
	switch t := &sp.Targets[d.target].shown; key {
	case "scheme":
		text = sp.Schemes[d.scheme]
	case "repeat":
		text = strconv.Itoa(d.repetition + 1)
	case "platform":
		text = t.Platform
	case "profile":
		text = t.Profile
	case "arch":
		text = t.Arch
	}
	return text, text != ""
}

// size returns the number of cases, or at most the limit + 1.
func (sp *Space) size(limit int) int {
	factors := []int{len(sp.Schemes), len(sp.Targets), sp.Repeat}
	for _, a := range sp.Axes {
		factors = append(factors, len(a.Values))
	}
	n := len(sp.Steps)
	for _, factor := range factors {
		if factor > 0 && n > limit/factor {
			return limit + 1
		}
		n *= factor
	}
	return n
}

// digits are the position of a case in its space, each from 0. From case to case the repetition varies first, then the
// target, the scheme, the axes from the last one on, and the step.
type digits struct {
	step                       int
	axes                       []int
	scheme, target, repetition int
}

func (sp *Space) digits(position int) digits {
	next := func(length int) int {
		digit := position % length
		position /= length
		return digit
	}
	d := digits{axes: make([]int, len(sp.Axes))}
	d.repetition, d.target, d.scheme = next(sp.Repeat), next(len(sp.Targets)), next(len(sp.Schemes))
	for i := len(sp.Axes) - 1; i >= 0; i-- {
		d.axes[i] = next(len(sp.Axes[i].Values))
	}
	d.step = position
	return d
}

func (sp *Space) point(d digits) map[string]any {
	point := make(map[string]any, len(sp.params))
	maps.Copy(point, sp.Steps[d.step])
	for i, a := range sp.Axes {
		point[a.Name] = a.Values[d.axes[i]]
	}
	return point
}

// id returns the id of a case, which is stable from run to run: solve[scheme=manual,n=1024]@cpu/rocm-7.2/gfx90a, and
// app@cpu/rocm-7.2/gfx90a for a recording as its program set it.
func (sp *Space) id(d digits) string {
	b := append(make([]byte, 0, 96), sp.Scenario...)
	separator := byte('[')
	add := func(name, value string) {
		b = append(append(append(append(b, separator), name...), '='), value...)
		separator = ','
	}
	if scheme := sp.Schemes[d.scheme]; scheme != "" && scheme != record.SchemeRecorded {
		add("scheme", scheme)
	}
	for _, p := range sp.params {
		add(p.name, p.text(d))
	}
	if d.repetition > 0 {
		add("repeat", strconv.Itoa(d.repetition+1))
	}
	if separator == ',' {
		b = append(b, ']')
	}
	b = append(append(b, '@'), sp.Targets[d.target].id...)
	return escape.Text(string(b))
}

func (sp *Space) caseAt(position int) *Case {
	d := sp.digits(position)
	point, t := sp.point(d), &sp.Targets[d.target]
	c := &Case{Case: t.shown, Space: sp, Definition: sp.definition, Baseline: sp.Baseline,
		Expectations: sp.expectations, Tolerances: sp.tolerances,
		Target: &t.Target, Input: record.Case{Scheme: sp.Schemes[d.scheme], Bytes: sp.Bytes, Seed: sp.Seed}}
	c.ID, c.Scheme, c.Params = sp.id(d), escape.Text(c.Input.Scheme), point
	if !sp.cleanParams {
		c.Params = maps.Clone(point)
		escape.Clean(&c.Params)
	}
	if c.First = c.ID; d.repetition > 0 {
		first := d
		first.repetition = 0
		c.First = sp.id(first)
	}
	if sp.definition != nil {
		c.Input.Scenario = sp.definition.Declared.Name
	}
	c.Faults, c.Input.Params = sp.faults(point)
	c.InjectsFaults = !c.Faults.IsZero()
	c.KnownFailure = escape.Text(sp.excepted(sp.known, d, c.ID))
	c.Skip = escape.Text(sp.skip(c, t, d))
	if sp.Broken && c.Skip != "" {
		c.Baseline = ""
	}
	return c
}

// skip returns why a case is not run on its target; "" when it is.
func (sp *Space) skip(c *Case, t *SpaceTarget, d digits) string {
	if t.Skip != "" {
		return t.Skip
	}
	if profile, err := workspace.FindProfile(t.Profile); err == nil && c.Input.Scheme != "" {
		if reason := profile.SkipScheme(c.Input.Scheme); reason != "" {
			return reason
		}
	}
	if t.NoPools && c.Input.Scheme == workspace.SchemeStreamOrdered {
		return "the device does not support memory pools (target.no_memory_pools)"
	}
	if reason := sp.excepted(sp.skipped, d, c.ID); reason != "" {
		return reason
	}
	if c.InjectsFaults && c.Target.IsReal() {
		return onlySimulated
	}
	return ""
}

// maxCases bounds the cases of a plan, with all its shards.
const maxCases = 1_000_000

// maxSelected bounds the cases of one run.
const maxSelected = 200_000

// tooManySelected is the error for too many cases in one run.
func tooManySelected(n int, shard Shard) error {
	if !shard.IsWhole() {
		return fmt.Errorf("%s has %d cases, a run can have at most %d: divide the plan into more shards", shard, n,
			maxSelected)
	}
	return fmt.Errorf("%d cases are selected, a run can have at most %d: select some with --filter "+
		"or by name, choose fewer values, as in --axis n=64:8192:x2, or divide them with --shard", n, maxSelected)
}

// tooMany is the error for a space that makes a plan larger than maxCases. It names the factors.
func (sp *Space) tooMany() error {
	return fmt.Errorf("scenario %s: %s; a plan can have at most %d with all its scenarios: "+
		"choose fewer values, as in --axis n=64:8192:x2, or fewer repetitions", sp.Scenario,
		strings.TrimPrefix(sp.product(), "1 target x "), maxCases)
}

// product returns the number of cases as a product: "3 targets x 5 schemes x type(4) = 60 cases".
func (sp *Space) product() string {
	text, count := units.Count(len(sp.Targets), "target"), big.NewInt(int64(len(sp.Targets)))
	multiply := func(n int, format string, values ...any) {
		if n != 1 {
			text += " x " + fmt.Sprintf(format, values...)
		}
		count.Mul(count, big.NewInt(int64(n)))
	}
	multiply(len(sp.Schemes), "%d schemes", len(sp.Schemes))
	for _, a := range sp.Axes {
		multiply(len(a.Values), "%s(%d)", a.Name, len(a.Values))
	}
	multiply(len(sp.Steps), "%s(%d)", strings.Join(sp.together(), " and "), len(sp.Steps))
	multiply(sp.Repeat, "repeat(%d)", sp.Repeat)
	if count.IsInt64() {
		return text + " = " + units.Count(int(count.Int64()), "case")
	}
	return text + " = " + count.String() + " cases"
}

// together lists the parameters whose values step together.
func (sp *Space) together() []string {
	first := sp.Steps[0]
	varies := func(name string) bool {
		return slices.ContainsFunc(sp.Steps, func(step map[string]any) bool { return step[name] != first[name] })
	}
	return slices.DeleteFunc(slices.Sorted(maps.Keys(first)), func(name string) bool { return !varies(name) })
}

// checkCounter returns an error for the name of a counter that nothing counts. A counter that was never counted is 0,
// so that a condition on a misspelled one could hold.
func checkCounter(name string) error {
	if !record.IsCounter(name) {
		return nil
	}
	base, _, _ := record.DeviceOf(name)
	family, of, _ := strings.Cut(base, ".")
	if function, last, ok := strings.Cut(of, "."); ok && family == "status" && strings.HasPrefix(function, "roc") {
		of = last
	}
	known := counted(family)
	if slices.Contains(known, of) {
		return nil
	}
	return fmt.Errorf("there is no counter %s: %s.* has no %q%s", name, family, of, nearest.DidYouMean(of, known))
}

// counted lists the names of the counters of a family, without its name.
func counted(family string) []string {
	var names []string
	switch family {
	case "hip":
		m, _ := api.FindModule("hip")
		for _, f := range m.Functions {
			if f.C != "" {
				names = append(names, driver.ScriptName(f.C))
			}
		}
		return append(names, "total")
	case "syncs":
		return append(slices.Clone(trace.Causes), "total")
	case "status":
		for _, s := range status.All() {
			names = append(names, s.Short())
		}
		return names
	}
	return []string{"injected"}
}
