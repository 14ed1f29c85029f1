package analyze

import (
	"bytes"
	"strings"
)

// Format is a file format that users mistake for a log.
type Format struct {
	What   string // description, such as "compressed"
	begin  string // start of its first line, without quotes
	todo   string // what to do instead; FILE is the name of the file
	Binary bool   // apparent log lines in it are ignored
}

// ToDo returns what to do instead of reading the named file.
func (f *Format) ToDo(name string) string { return strings.ReplaceAll(f.todo, "FILE", name) }

// byRocprofv3 is the advice for profiles without readable calls.
const byRocprofv3 = "record the calls with rocprofv3 --marker-trace (roclua docs logging)"

// formats lists the recognized formats.
var formats = []Format{
	{begin: "\x1f\x8b", What: "compressed", todo: "write gzip -dc FILE | roclua log -"},
	{begin: "\x28\xb5\x2f\xfd", What: "compressed", todo: "write zstd -dc FILE | roclua log -"},
	{begin: "\xfd7zXZ", What: "compressed", todo: "write xz -dc FILE | roclua log -"},
	{begin: "BZh", What: "compressed", todo: "write bzip2 -dc FILE | roclua log -"},
	{begin: "SQLite format 3\x00", What: "a database, which rocprofv3 writes without --output-format csv", Binary: true,
		todo: "convert it with rocpd convert -i FILE --output-format csv (roclua docs logging)"},
	{begin: `{rocprofiler-sdk-tool:`, What: "JSON of rocprofv3, which is not read",
		todo: "write CSV files with --output-format csv (roclua docs logging)"},
	{begin: `{traceEvents:`, What: "a trace for a browser, which is not read", todo: byRocprofv3},
	{begin: "Index,KernelName,", What: "a list of kernels of rocprof, which is not read", todo: byRocprofv3},
	{begin: "Dispatch_ID,", What: "a list of kernels of rocprofv2, which is not read", todo: byRocprofv3},
	{begin: "Domain,Function,", What: "a profile without calls of rocBLAS", todo: byRocprofv3},
	{begin: "Kind,Operation,Agent_Id,", What: "a list of allocations of rocprofv3, which is not read",
		todo: "roclua record shows the growths of a program (roclua docs recording)"},
	{begin: "Name,Calls,TotalDurationNs,", What: "a statistic, which has no single calls", todo: byRocprofv3},
	{begin: "Kind,Agent_Id,", What: "a list of kernels or copies of rocprofv3, which is not read",
		todo: "name its files of markers (roclua docs logging)"},
}

// formatOf returns the format of a file from its first line; nil if it may be a log.
func formatOf(line []byte) *Format {
	line = bytes.ReplaceAll(bytes.TrimPrefix(line[:min(len(line), 256)], []byte("\ufeff")), []byte(`"`), nil)
	for i := range formats {
		if bytes.HasPrefix(line, []byte(formats[i].begin)) {
			return &formats[i]
		}
	}
	return nil
}
