package files

import (
	"bytes"
	"strings"
)

// Other is a form of files that people mistake for one with calls.
type Other struct {
	Is     string // description, such as "compressed"
	begin  string // start of its first line, without quotes
	within string // is in its first line
	todo   string // instead; FILE is the name of the file, and COMMAND the one that was to read it
	Binary bool   // apparent log lines in it are ignored
}

// Advice returns the steps that replace reading the named file with a command of roclua.
func (o *Other) Advice(name, command string) string {
	return strings.NewReplacer("FILE", name, "COMMAND", command).Replace(o.todo)
}

// byRocprofv3 is the advice for profiles without readable calls.
const byRocprofv3 = "record the calls with rocprofv3 --marker-trace (roclua docs logging)"

// others lists the recognized ones.
var others = []Other{
	{begin: "\x1f\x8b", Is: "compressed", todo: "write gzip -dc FILE | roclua COMMAND -"},
	{begin: "\x28\xb5\x2f\xfd", Is: "compressed", todo: "write zstd -dc FILE | roclua COMMAND -"},
	{begin: "\xfd7zXZ", Is: "compressed", todo: "write xz -dc FILE | roclua COMMAND -"},
	{begin: "BZh", Is: "compressed", todo: "write bzip2 -dc FILE | roclua COMMAND -"},
	{begin: "SQLite format 3\x00", Is: "a database, which rocprofv3 writes without --output-format csv", Binary: true,
		todo: "convert it with rocpd convert -i FILE --output-format csv (roclua docs logging)"},
	{begin: `{rocprofiler-sdk-tool:`, Is: "JSON of rocprofv3, which is not read",
		todo: "write CSV files with --output-format csv (roclua docs logging)"},
	{begin: `{traceEvents:`, Is: "a trace for a browser, which is not read", todo: byRocprofv3},
	{begin: "Index,KernelName,", Is: "a list of kernels of rocprof, which is not read", todo: byRocprofv3},
	{begin: "Dispatch_ID,", Is: "a list of kernels of rocprofv2, which is not read", todo: byRocprofv3},
	{begin: "Domain,Function,", Is: "a profile without rocBLAS calls", todo: byRocprofv3},
	{begin: "Kind,Operation,Agent_Id,", Is: "a list of allocations of rocprofv3, which is not read",
		todo: "roclua record shows the growths of a program (roclua docs recording)"},
	{begin: "Name,Calls,TotalDurationNs,", Is: "a statistic, which has no single calls", todo: byRocprofv3},
	{begin: "Kind,Agent_Id,", Is: "a list of kernels or copies of rocprofv3, which is not read",
		todo: "name its files of markers (roclua docs logging)"},
	{begin: "% MAGMA", Is: magma, todo: byShapes},
	{within: "MAGMA Gflop/s", Is: magma, todo: byShapes},
}

const (
	magma    = "a table of MAGMA's testers, which has no types"
	byShapes = "write its M, N and K as a table of shapes (roclua docs files)"
)

// OtherOf returns the form of a file from its begin or its first line; nil if the file may have calls.
func OtherOf(line []byte) *Other {
	line = bytes.ReplaceAll(bytes.TrimPrefix(line[:min(len(line), 256)], []byte("\ufeff")), []byte(`"`), nil)
	for i := range others {
		if bytes.HasPrefix(line, []byte(others[i].begin)) && bytes.Contains(line, []byte(others[i].within)) {
			return &others[i]
		}
	}
	return nil
}
