package listing

import (
	"fmt"
	"slices"
	"strings"

	"roclua/hip"
	"roclua/host/answer"
	"roclua/host/output"
	"roclua/luabind/manual"
	"roclua/workspace"
)

// Functions are families of functions of the libraries.
type Functions []manual.Functions

// functionColumns are the first columns of the list of functions.
var functionColumns = []string{"family", "operation", "types", "forms", "library"}

// Sections has a table and the number of functions.
func (list Functions) Sections() (*answer.Answer, error) {
	t := answer.NewTable(slices.Concat(functionColumns, []string{"workspace", "modelled"}, hip.Platforms(),
		[]string{"releases"})...).Wrap(1, 44).Wrap(5, 13)
	count := 0
	for _, f := range list {
		count += len(f.Names)
		forms := strings.ReplaceAll(strings.Join(f.Forms, " "), "strided_batched", "strided")
		row := []string{f.Name, f.Operation, strings.Join(f.Types, " "), forms,
			libraryName(f.Library), workspaceText(f), f.Modelled}
		for _, platform := range hip.Platforms() {
			row = append(row, f.Computed[platform])
		}
		t.Row(append(row, releasesText(f))...)
	}
	return &answer.Answer{Sections: []answer.Section{{Table: t},
		{Lines: []string{fmt.Sprintf("families: %d, functions: %d", len(list), count)}}}}, nil
}

func libraryName(module string) string {
	if module == "rocsolver" {
		return "rocSOLVER"
	}
	return "rocBLAS"
}

// workspaceText describes whether functions need workspace, by release where releases differ.
func workspaceText(f manual.Functions) string {
	var parts, answers []string
	for _, release := range f.Releases {
		parts = append(parts, release+": "+f.Workspace[release])
		answers = append(answers, f.Workspace[release])
	}
	if answers = slices.Compact(answers); len(answers) == 1 {
		return answers[0]
	}
	return strings.Join(parts, ", ")
}

// releasesText returns "all" or the releases that export the functions.
func releasesText(f manual.Functions) string {
	if len(f.Releases) == len(workspace.ProfileNames()) {
		return "all"
	}
	return strings.Join(f.Releases, " ")
}

// Document has an object for each family.
func (list Functions) Document() (any, error) { return []manual.Functions(list), nil }

// Title counts the families.
func (list Functions) Title() string {
	return fmt.Sprintf("roclua list: %d families of functions", len(list))
}

// Table has a row for each family, with a column for each release and each platform.
func (list Functions) Table() (output.Table, error) {
	header := append(slices.Clone(functionColumns), "functions", "modelled", "releases")
	for _, release := range workspace.ProfileNames() {
		header = append(header, "workspace."+release)
	}
	for _, platform := range hip.Platforms() {
		header = append(header, "computed."+platform)
	}
	var rows [][]string
	for _, f := range list {
		row := []string{f.Name, f.Operation, strings.Join(f.Types, " "), strings.Join(f.Forms, " "), f.Library,
			strings.Join(f.Names, " "), f.Modelled, strings.Join(f.Releases, " ")}
		for _, release := range workspace.ProfileNames() {
			row = append(row, f.Workspace[release])
		}
		for _, platform := range hip.Platforms() {
			row = append(row, f.Computed[platform])
		}
		rows = append(rows, row)
	}
	return output.TableOf(header, rows), nil
}
