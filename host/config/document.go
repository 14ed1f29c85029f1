package config

import (
	"cmp"
	"fmt"
	"strings"

	wrapping "github.com/jedib0t/go-pretty/v6/text"

	"roclua/workspace"
)

// docColumns is the width of the comments in files and pages.
const docColumns = 118

// Help returns the help of the key's flag: "library for products and factorizations (auto, openblas, go)".
func (k *Key) Help() string {
	if k.Values == nil {
		return k.Usage
	}
	return k.Usage + " (" + strings.Join(k.Values(), ", ") + ")"
}

// sentences returns the usage and the documentation of the key: "Seed of random numbers in scripts. A case with ..."
func (k *Key) sentences() string {
	return strings.ToUpper(k.Usage[:1]) + k.Usage[1:] + ". " + strings.ReplaceAll(k.Doc, "\n", " ")
}

// facts returns the values, variable, flag and default of the key: "ROCLUA_SEED, --seed. Default 1."
func (k *Key) facts() string {
	var facts []string
	if k.Values != nil {
		facts = append(facts, "Values: "+strings.Join(k.Values(), ", ")+".")
	}
	if k.Flag != "" {
		facts = append(facts, fmt.Sprintf("%s, --%s.", k.Variable(), k.Flag))
	}
	switch {
	case k.Instead != "":
		facts = append(facts, "Required, or "+k.Instead+".")
	case k.Required:
		facts = append(facts, "Required.")
	case k.Default != "":
		facts = append(facts, "Default "+k.Default+".")
	case k.Example != "" || k.Unset != "":
		facts = append(facts, "Default: "+cmp.Or(k.Unset, "none")+".")
	}
	return strings.Join(facts, " ")
}

// comment writes text as a comment, wrapped at docColumns.
func comment(b *strings.Builder, text string) {
	for _, line := range Wrap(text, docColumns-2) {
		b.WriteString("# " + line + "\n")
	}
}

// Wrap breaks text between words into lines of at most width bytes. Empty text has no lines.
func Wrap(text string, width int) []string {
	var lines []string
	for line := range strings.Lines(wrapping.WrapSoft(text, width)) {
		lines = append(lines, strings.TrimRight(line, " \n"))
	}
	return lines
}

// writeKey writes a key with its comment: a header for a table, commented out if it has no default.
func writeKey(b *strings.Builder, k *Key) {
	if strings.HasPrefix(k.Table(), "scenario.") {
		return // keys of tables in a scenario are in the examples
	}
	b.WriteString("\n")
	comment(b, k.sentences())
	comment(b, k.facts())
	switch {
	case k.Name == "target" || k.Name == "scenario":
		fmt.Fprintf(b, "# [[%s]]\n", k.Name)
	case k.hasHeader():
		fmt.Fprintf(b, "[%s]\n", k.Name)
		if k.Example != "" {
			b.WriteString("# " + strings.ReplaceAll(k.Example, "\n", "\n# ") + "\n")
		}
	case k.Default != "" && k.Table() != "target":
		fmt.Fprintf(b, "%s = %s\n", k.Base(), k.Default)
	default:
		fmt.Fprintf(b, "# %s = %s\n", k.Base(), cmp.Or(k.Default, k.Example))
	}
}

// hasHeader reports whether the key is a table with a header in the file.
func (k *Key) hasHeader() bool { return k.Table() == "" && k.Kind() == "table" }

// starterKeys are the keys set by a new project.
var starterKeys = []string{"seed", "limits", "limits.timeout"}

// Starter returns the configuration of a new project, which runs the scripts of a folder on the first and the default
// release. schema is the path of its JSON Schema.
func Starter(scripts, schema string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#:schema %s\n", schema)
	comment(&b, `What "roclua run" runs in this folder. "roclua docs config" describes every key, and an editor with
TOML support shows the same descriptions.`)
	for _, name := range starterKeys {
		writeKey(&b, Find(name))
	}
	fmt.Fprintf(&b, `
# Each case runs on every target.
[[target]]
profile = "%[2]s"

[[target]]
profile = "%[3]s"

# Every .lua file in this folder or a folder below it is a scenario, unless a name starts with "_" or ".".
[[scenario]]
script = "%[1]s"

# One scenario over several sizes, with an expectation:
#
# [[scenario]]
# script = "%[1]s/first.lua"
# matrix = { n = "64:1024:x2" }
# expect = { workspace_bytes = "<= 32MiB" }
`, scripts, workspace.ProfileNames()[0], workspace.DefaultProfileOf(Simulated))
	return b.String()
}

// Page returns the manual page of a key and the keys in it.
func (k *Key) Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", k.Name, k.Kind())
	for _, line := range append(Wrap(k.sentences(), docColumns-2), Wrap(k.facts(), docColumns-2)...) {
		b.WriteString("  " + line + "\n")
	}
	if k.Example != "" {
		b.WriteString("\n")
		if k.hasHeader() {
			b.WriteString("  [" + k.Name + "]\n  " + strings.ReplaceAll(k.Example, "\n", "\n  ") + "\n")
		} else {
			fmt.Fprintf(&b, "  %s = %s\n", k.Base(), k.Example)
		}
	}
	if table := Table(k.Name); table != "" {
		b.WriteString("\n" + table)
	}
	return b.String()
}

// minHelp is the minimum width of comments in Table.
const minHelp = 40

// Table describes the keys of a table in lines for a page: name, default or example, usage. "" is the root, where each
// table has only its usage.
func Table(name string) string {
	var keys []*Key
	nameWidth, valueWidth := 0, 0
	for i := range Keys {
		if k := &Keys[i]; k.Table() == name {
			keys = append(keys, k)
			nameWidth, valueWidth = max(nameWidth, len(k.Base())), max(valueWidth, len(k.value()))
		}
	}
	var b strings.Builder
	for _, k := range keys {
		equals := "="
		if k.value() == "" {
			equals = " "
		}
		prefix := fmt.Sprintf("  %-*s %s %-*s", nameWidth, k.Base(), equals, valueWidth, k.value())
		for _, line := range Wrap(k.Help(), max(docColumns-len(prefix)-3, minHelp)) {
			b.WriteString(prefix + " # " + line + "\n")
			prefix = strings.Repeat(" ", len(prefix))
		}
	}
	return b.String()
}

// value returns the default of the key, or an example, for a page.
func (k *Key) value() string {
	if k.hasHeader() || k.Kind() == "array of tables" && k.Table() == "" {
		return ""
	}
	return cmp.Or(k.Default, k.Example)
}

// Text returns the documentation of a key as wrapped lines without a final newline. It panics for an unknown key.
func Text(name string) string {
	return strings.Join(Wrap(Find(name).sentences(), docColumns), "\n")
}
