package host

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"roclua/host/config"
	"slices"
)

// jsonPlan says what a run is made of; it stands in the first event. A run that takes over must be made of the same.
type jsonPlan struct {
	Digest string            `json:"digest"`         // of everything that decides which cases there are and what each does
	Config any               `json:"config"`         // configuration as it was resolved
	Args   []string          `json:"args,omitempty"` // arguments of scripts
	Files  map[string]string `json:"files"`          // scripts, and what their top levels require, with the digests of their contents
}

// identify sums up what was planned. How many cases run at a time, and in which process, is no part of it.
func identify(cfg *config.Config, args []string, cases []*plannedCase) (*jsonPlan, error) {
	p := &jsonPlan{Config: cfg, Args: args, Files: map[string]string{}}
	hash := sha256.New()
	e := json.NewEncoder(hash)
	same := *cfg
	same.Jobs, same.Isolation = 0, ""
	err := e.Encode(same)
	r := runner{cfg: cfg, args: args}
	for _, c := range cases {
		j := r.describe(c)
		p.Files[j.Script] = digest(j.Source)
		maps.Copy(p.Files, fileDigests(c.scenario.declared.Required))
		j.Source = nil
		var expected []string
		for _, x := range c.expect {
			expected = append(expected, x.name+" "+x.is.String())
		}
		if err == nil {
			err = e.Encode([]any{j, expected, c.baseline, c.within, c.known, c.skip})
		}
	}
	if err == nil {
		err = e.Encode(p.Files)
	}
	if err != nil {
		return nil, fmt.Errorf("--out jsonl: the plan cannot be summed up: %w", err)
	}
	p.Digest = fmt.Sprintf("%x", hash.Sum(nil))
	return p, nil
}

func digest(text []byte) string { return fmt.Sprintf("%x", sha256.Sum256(text)) }

// fileDigests sums up the contents of files; "" stands for one that is not there.
func fileDigests(paths []string) map[string]string {
	if len(paths) == 0 {
		return nil
	}
	digests := map[string]string{}
	for _, path := range paths {
		digests[path] = ""
		if text, err := os.ReadFile(path); err == nil {
			digests[path] = digest(text)
		}
	}
	return digests
}

// changes says in words how this plan differs from an earlier one.
func (p *jsonPlan) changes(before *jsonPlan) ([]string, error) {
	had, err := flatten(before.Config)
	if err != nil {
		return nil, err
	}
	has, err := flatten(p.Config)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, key := range union(had, has) {
		if key != "jobs" && key != "isolation" && had[key] != has[key] {
			list = append(list, fmt.Sprintf("%s: was %s, is %s", key, cmp.Or(had[key], "not set"), cmp.Or(has[key], "not set")))
		}
	}
	list = append(list, changedFiles(before.Files, p.Files)...)
	if !slices.Equal(before.Args, p.Args) {
		list = append(list, fmt.Sprintf("arguments of scripts: were %q, are %q", before.Args, p.Args))
	}
	return list, nil
}

// changedFiles says in words which files are not what they were; both tables have their digests.
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
	return slices.Compact(slices.Sorted(func(yield func(string) bool) {
		for _, m := range []map[string]V{a, b} {
			for key := range m {
				if !yield(key) {
					return
				}
			}
		}
	}))
}

// flatten lists the values of a configuration by their keys: "limits.timeout", "scenarios[2].matrix.n[0]".
func flatten(config any) (map[string]string, error) {
	text, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	var tree any
	if err := decodeJSON(text, &tree); err != nil {
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
		text, _ := json.Marshal(v) // of a text, a number, a truth or null
		flat[key] = string(text)
	}
}
