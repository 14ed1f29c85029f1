// Package topics contains the manual pages about the program rather than the script API: how cases end, the content of
// reports, the keys of the configuration.
//
// A page is a text file; its first line is the summary. Generated text is inserted when the page is read: {{keys
// "limits"}} lists the keys of a table, {{doc "sandbox"}} is the text about a key, {{formats}} lists the formats of
// --out, {{commands}} the formats of each command.
package topics

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"roclua/hip/arch"
	"roclua/hip/release"
	"roclua/hip/routine"
	"roclua/host/config"
	"roclua/host/files"
	"roclua/host/output"
	"roclua/luabind/manual"
	"roclua/workspace"
)

//go:embed *.txt
var folder embed.FS

// Preload is the C source of a library that starts rocSOLVER's logging, for the topic logging.
//
//go:embed preload/logbegin.c
var Preload string

// filled matches the parts of a page that are filled in, {{builds}} or {{keys "limits"}}.
var filled = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`{{(\w+)(?: "(\w*)")?}}`) })

// fill returns the text of such a part.
func fill(name, argument string) string {
	switch name {
	case "keys":
		return config.Table(argument)
	case "doc":
		return config.Text(argument)
	case "formats":
		return output.FormatTable()
	case "commands":
		return output.CommandTable()
	case "large":
		return large()
	case "builds":
		return builds()
	case "changes":
		return changes()
	case "caveats":
		return inLines(manual.WithCaveats())
	case "buffered":
		return buffered()
	case "variables":
		return variables()
	case "forms":
		return forms()
	}
	panic(fmt.Sprintf("topics: nothing fills in %q", name)) // the pages are our own
}

// large lists the architectures with a default workspace of 128 MiB.
func large() string { return strings.Join(arch.LargeNames(release.Default()), ", ") }

// forms describes the forms of files with calls, with an example of each.
func forms() string {
	var b strings.Builder
	for _, f := range files.Forms {
		fmt.Fprintf(&b, "\n%s%s\n", strings.ToUpper(f.Name[:1]), f.Name[1:])
		fmt.Fprintf(&b, "  %s\n", strings.Join(config.Wrap(f.About, 100), "\n  "))
		for line := range strings.Lines(f.Example) {
			b.WriteString("    " + line)
		}
	}
	return b.String()
}

// builds lists the packages that each profile reproduces.
func builds() string {
	var b strings.Builder
	for _, p := range workspace.Profiles() {
		fmt.Fprintf(&b, "  %s  %s: %s\n", p.Name, p.Release.Versions, p.Release.Verified())
	}
	return b.String()
}

func changes() string {
	var b strings.Builder
	for _, c := range release.Changes() {
		fmt.Fprintf(&b, "  %s, ROCm %s\n", c, c.ROCm)
	}
	return b.String()
}

func variables() string {
	var b strings.Builder
	for _, v := range workspace.Variables {
		fmt.Fprintf(&b, "  %-43s %s\n", v.Name, v.About)
	}
	return b.String()
}

// buffered lists, in lines, the families of hipSOLVER whose calls take a buffer.
func buffered() string {
	var names []string
	for _, r := range routine.HipSOLVER.Routines() {
		if r.IsSize() && !slices.Contains(names, r.Family.Name) {
			names = append(names, r.Family.Name)
		}
	}
	slices.Sort(names)
	return inLines(names)
}

func inLines(names []string) string {
	return "    " + strings.Join(config.Wrap(strings.Join(names, " "), 91), "\n    ") + "\n"
}

// All returns the topics, sorted by name.
func All() []manual.Topic {
	var list []manual.Topic
	for _, file := range filesOf(folder, ".") {
		page, err := folder.ReadFile(file)
		if err != nil {
			panic(fmt.Sprintf("topics: %v", err))
		}
		about, _, _ := strings.Cut(string(page), "\n")
		list = append(list, manual.Topic{Name: strings.TrimSuffix(file, ".txt"), About: about,
			Text: func() string { return text(string(page)) }})
	}
	return list
}

// filesOf lists the names of the files of an embedded folder, sorted.
func filesOf(embedded embed.FS, name string) []string {
	entries, err := embedded.ReadDir(name)
	if err != nil {
		panic(fmt.Sprintf("topics: %v", err))
	}
	var names []string
	for _, file := range entries {
		names = append(names, file.Name())
	}
	return names
}

// text returns the text of a page after its first line.
func text(page string) string {
	_, rest, _ := strings.Cut(page, "\n")
	return strings.TrimLeft(filled().ReplaceAllStringFunc(rest, func(part string) string {
		match := filled().FindStringSubmatch(part)
		return fill(match[1], match[2])
	}), "\n")
}
