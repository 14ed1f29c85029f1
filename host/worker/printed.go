package worker

import (
	"bytes"
	"io"
	"os"
	"strings"
	"sync"
)

// printedKept bounds the bytes that are kept of the output of libraries in one case.
const printedKept = 1 << 20

// readPrinted returns the text that a worker printed to its file.
func readPrinted(f *os.File) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, printedKept))
	return strings.ToValidUTF8(string(text), "?")
}

// takePrinted returns the text that this process, its libraries and the processes that it started have printed to its
// standard output and standard error since the last call. Both are f, and share its offset.
func takePrinted(f *os.File) string {
	if n, err := f.Seek(0, io.SeekCurrent); err != nil || n == 0 {
		return ""
	}
	text := readPrinted(f)
	if f.Truncate(0) == nil {
		f.Seek(0, io.SeekStart)
	}
	return text
}

// earlyOutput is the output of a script, its processes and libraries before its case begins.
type earlyOutput struct {
	process *os.File // output of this process

	mu     sync.Mutex
	all    bytes.Buffer // of both, in order
	others strings.Builder
}

func (e *earlyOutput) Write(b []byte) (int, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.take()
	return e.all.Write(b)
}

func (e *earlyOutput) take() {
	text := takePrinted(e.process)
	e.all.WriteString(text)
	e.others.WriteString(text)
}

// begin writes the text to out, if it is not nil, and returns the output of processes and libraries.
func (e *earlyOutput) begin(out io.Writer) string {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.take()
	if out != nil && e.all.Len() > 0 {
		out.Write(e.all.Bytes())
	}
	return e.others.String()
}
