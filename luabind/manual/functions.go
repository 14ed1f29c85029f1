package manual

import (
	"path"
	"slices"
	"strings"

	"roclua/hip/routine"
	"roclua/workspace"
	"roclua/workspace/footprint"
)

// Functions describes the functions of a family for the list of all functions.
type Functions struct {
	Name      string            `json:"name"`
	Operation string            `json:"operation"`
	Library   string            `json:"library"` // "rocblas" or "rocsolver"
	Types     []string          `json:"types"`   // prefixes of names, "s" or "bf"; "mixed" for _ex
	Forms     []string          `json:"forms"`   // "plain", "batched", "strided_batched", "64"
	Names     []string          `json:"functions"`
	Workspace map[string]string `json:"workspace"`         // by release: Yes, No or Unknown
	Modelled  string            `json:"modelled"`          // Yes, Partly or No: if the bytes are known
	Unknown   []string          `json:"unknown,omitempty"` // why the bytes of some calls are unknown
	Computed  map[string]string `json:"computed"`          // by platform: Yes, No, or the part that is computed
	Releases  []string          `json:"releases"`          // that export the functions
}

// The values of a cell in the list of all functions.
const (
	Yes     = "yes"
	No      = "no"
	Partly  = "partly"
	Unknown = "unknown"
)

// ListFunctions describes the families that one of the patterns matches, every family if there are none. A pattern is
// the name of a family or a function, as routine.Named takes it, or has wildcards: "*getrf*".
func ListFunctions(program Program, patterns ...string) []Functions {
	var list []Functions
	for _, f := range routine.Families() {
		if len(patterns) == 0 || slices.ContainsFunc(patterns, func(p string) bool { return matches(f, p) }) {
			list = append(list, functionsOf(f, program))
		}
	}
	return list
}

// HasFunctions reports whether a pattern of ListFunctions matches a family.
func HasFunctions(pattern string) bool {
	return slices.ContainsFunc(routine.Families(), func(f *routine.Family) bool { return matches(f, pattern) })
}

// FamilyNames lists the families of functions.
func FamilyNames() []string {
	var list []string
	for _, f := range routine.Families() {
		list = append(list, f.Name)
	}
	return list
}

// matches reports whether a pattern names a family or one of its functions.
func matches(f *routine.Family, pattern string) bool {
	if slices.ContainsFunc(routine.Named(pattern), func(r *routine.Routine) bool { return r.Family == f }) {
		return true
	}
	pattern = routine.ScriptName(pattern)
	is := func(name string) bool {
		ok, err := path.Match(pattern, name)
		return ok && err == nil
	}
	return is(f.Name) || slices.ContainsFunc(siblings(f), func(r *routine.Routine) bool { return is(r.Name) })
}

func functionsOf(f *routine.Family, program Program) Functions {
	row := Functions{Name: f.Name, Operation: f.About, Library: f.Library.String(), Workspace: map[string]string{},
		Modelled: Yes, Computed: map[string]string{}, Unknown: unknowns(exemplar(f)), Releases: releasesOf(f)}
	list := siblings(f)
	for _, r := range list {
		row.Types = appendNew(row.Types, typeLetter(r))
		row.Names = append(row.Names, r.Name)
	}
	row.Forms = formsOf(list)
	for _, p := range workspace.Profiles() {
		if slices.Contains(row.Releases, p.Name) {
			row.Workspace[p.Name] = needsWorkspace(list, p)
		}
	}
	known := func(release string) bool { return row.Workspace[release] != Unknown }
	switch {
	case !slices.ContainsFunc(row.Releases, known):
		row.Modelled = No
	case len(row.Unknown) > 0 || !every(row.Releases, known):
		row.Modelled = Partly
	}
	for name, need := range row.Workspace {
		if need == No && len(row.Unknown) > 0 {
			row.Workspace[name] = Unknown // of some calls
		}
	}
	for platform, computed := range byPlatform(list, program) {
		row.Computed[platform] = computedPart(list, computed)
	}
	return row
}

// releasesOf lists the releases that export the functions of a family, oldest first.
func releasesOf(f *routine.Family) []string {
	lacks := func(name string) bool { return slices.Contains(f.Without, name) }
	return slices.DeleteFunc(workspace.ProfileNames(), lacks)
}

// typeLetter returns the prefix of the name of a function.
func typeLetter(r *routine.Routine) string {
	if r.Type == routine.Mixed {
		return "mixed"
	}
	return r.Type.Prefix()
}

// formsOf lists the forms that functions of a family have.
func formsOf(list []*routine.Routine) []string {
	var forms []string
	for _, v := range []routine.Variant{routine.Plain, routine.Batched, routine.StridedBatched} {
		if slices.ContainsFunc(list, func(r *routine.Routine) bool { return r.Variant == v }) {
			name := strings.TrimPrefix(v.Suffix(), "_")
			if name == "" {
				name = "plain"
			}
			forms = append(forms, name)
		}
	}
	if slices.ContainsFunc(list, func(r *routine.Routine) bool { return r.Wide }) {
		forms = append(forms, "64")
	}
	return forms
}

// needsWorkspace reports whether some shapes need workspace on a release: Yes, No or Unknown. It tries every
// form in the types of the first and the last function of a family.
func needsWorkspace(list []*routine.Routine, p *workspace.Profile) string {
	if len(list[0].Family.Buffers) == 0 {
		return No
	}
	need := No
	types := []routine.Type{list[0].Type, list[len(list)-1].Type}
	for _, r := range list {
		if r.Wide || !slices.Contains(types, r.Type) {
			continue
		}
		for a := range shapes(r) {
			n, err := footprint.NeedOf(footprint.Target{Profile: p, Arch: sampleArch}, a)
			refusal, refused := err.(*footprint.Refusal)
			switch {
			case err == nil && n.Bytes > 0:
				return Yes
			case refused && refusal.Status.OK():
				need = Unknown
			}
		}
	}
	return need
}

// byPlatform returns the functions that each platform computes.
func byPlatform(list []*routine.Routine, program Program) map[string][]*routine.Routine {
	computed := map[string][]*routine.Routine{}
	for _, r := range list {
		for _, c := range program.computations(r) {
			if computed[c.Platform] == nil {
				computed[c.Platform] = []*routine.Routine{}
			}
			if c.Reason == "" {
				computed[c.Platform] = append(computed[c.Platform], r)
			}
		}
	}
	return computed
}

// computedPart says which functions of a family are computed: Yes, No, "not 64", types such as "s d", or Partly.
func computedPart(list, computed []*routine.Routine) string {
	has := func(r *routine.Routine) bool { return slices.Contains(computed, r) }
	narrow := func(r *routine.Routine) bool { return has(r) != r.Wide }
	var types []string
	for _, r := range computed {
		types = appendNew(types, typeLetter(r))
	}
	ofTypes := func(r *routine.Routine) bool { return has(r) == slices.Contains(types, typeLetter(r)) }
	switch {
	case len(computed) == 0:
		return No
	case len(computed) == len(list):
		return Yes
	case every(list, narrow):
		return "not 64"
	case every(list, ofTypes):
		return strings.Join(types, " ")
	}
	return Partly
}

func every[T any](list []T, is func(T) bool) bool {
	return !slices.ContainsFunc(list, func(item T) bool { return !is(item) })
}

// appendNew appends an item to a list that does not have it.
func appendNew(list []string, item string) []string {
	if slices.Contains(list, item) {
		return list
	}
	return append(list, item)
}
