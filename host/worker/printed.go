package worker

import (
	"io"
	"os"
	"strings"
)

// printedKept bounds the bytes that are kept of what libraries print in one case.
const printedKept = 1 << 20

// readPrinted returns the text of the file to which a worker prints.
func readPrinted(f *os.File) string {
	text, _ := io.ReadAll(io.NewSectionReader(f, 0, printedKept))
	return strings.ToValidUTF8(string(text), "?")
}

// takePrinted returns what this process, its libraries and the processes that it started have printed to its standard
// output and standard error since the last call. Both are f, and share its offset.
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
