package events

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"roclua/host/plan"
	"roclua/host/result"
	"roclua/input"
)

// Identity describes the plan of a run, in its first event. A run that resumes it must have an equal one.
type Identity struct {
	Digest string            `json:"digest"`         // digest of the plan
	Config any               `json:"config"`         // configuration as it was resolved
	Args   []string          `json:"args,omitempty"` // arguments of scripts
	Files  map[string]string `json:"files"`          // digests of scripts and of modules that they require

	Outline *plan.Outline `json:"outline,omitempty"` // cases of the plan, from which roclua merge judges
}

// Identify describes a plan. The number of parallel cases, their processes and their shards are not part of it.
func Identify(args []string, p *plan.Plan) (*Identity, error) {
	id := &Identity{Config: p.Config, Args: args, Files: map[string]string{}, Outline: &p.Outline}
	same := *p.Config
	same.Jobs, same.Isolation = 0, ""
	var loaded []any // parts of scenarios that the outline lacks
	for _, sc := range p.Definitions() {
		id.Files[sc.File] = ""
		if sc.Source != nil {
			id.Files[sc.File] = digest(sc.Source)
		}
		maps.Copy(id.Files, fileDigests(sc.Declared.Required, sc.SearchPaths))
		loaded = append(loaded, []any{sc.Declared.Name, sc.SearchPaths})
	}
	text, err := json.Marshal([]any{same, args, p.Outline, loaded, id.Files})
	if err != nil {
		return nil, fmt.Errorf("the plan cannot be summarized: %w", err)
	}
	id.Digest = digest(text)
	return id, nil
}

func digest(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// fileDigests returns digests of the contents of modules; "" for a file that a script cannot read: it does not exist,
// or it is a link that leads out of the folders that require searches.
func fileDigests(paths, folders []string) map[string]string {
	if len(paths) == 0 {
		return nil
	}
	digests := map[string]string{}
	for _, path := range paths {
		digests[path] = fileDigest(path, folders)
	}
	return digests
}

func fileDigest(path string, folders []string) string {
	for _, folder := range folders {
		name, err := filepath.Rel(folder, path)
		if err != nil || !filepath.IsLocal(name) {
			continue
		}
		root, err := os.OpenRoot(folder)
		if err != nil {
			continue
		}
		text, err := input.InFolder(root, name, input.Script)
		root.Close()
		if err == nil {
			return digest(text)
		}
	}
	return ""
}

// searchPaths lists the folders that require searches for the scripts of cases.
func searchPaths(cases plan.List) []string {
	var list []string
	for _, sc := range cases.Scenarios() {
		list = append(list, sc.SearchPaths...)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Changes describes how this plan differs from an earlier one.
func (id *Identity) Changes(before *Identity) ([]string, error) {
	had, err := flatten(before.Config)
	if err != nil {
		return nil, err
	}
	has, err := flatten(id.Config)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, key := range union(had, has) {
		if key != "jobs" && key != "isolation" && had[key] != has[key] {
			list = append(list, fmt.Sprintf("%s: was %s, is %s", key, cmp.Or(had[key], "not set"),
				cmp.Or(has[key], "not set")))
		}
	}
	list = append(list, changedFiles(before.Files, id.Files)...)
	if !slices.Equal(before.Args, id.Args) {
		list = append(list, fmt.Sprintf("arguments of scripts: were %q, are %q", before.Args, id.Args))
	}
	return list, nil
}

// changedFiles describes which files have changed, given their digests before and after.
func changedFiles(before, after map[string]string) []string {
	var list []string
	for _, file := range union(before, after) {
		was, had := before[file]
		is, has := after[file]
		switch {
		case was == is && had == has:
		case is == "":
			list = append(list, file+": is gone")
		case was == "":
			list = append(list, file+": is new")
		default:
			list = append(list, file+": has changed")
		}
	}
	return list
}

func union[V any](a, b map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(a)), maps.Keys(b))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// flatten lists the values of a configuration by their keys: "limits.timeout", "scenarios[2].matrix.n[0]".
func flatten(config any) (map[string]string, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := result.Decode(text, &tree); err != nil {
		return nil, err
	}
	flat := map[string]string{}
	flattenInto(flat, "", tree)
	return flat, nil
}

func flattenInto(flat map[string]string, key string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for name, field := range v {
			if key != "" {
				name = key + "." + name
			}
			flattenInto(flat, name, field)
		}
	case []any:
		for i, item := range v {
			flattenInto(flat, fmt.Sprintf("%s[%d]", key, i), item)
		}
	default:
		text, _ := json.Marshal(v) // a string, a number, a boolean or null
		flat[key] = string(text)
	}
}
