package lines

import "bytes"

// Piece is a part of a line, written by a library.
type Piece struct {
	Kind Kind
	Text []byte // from the function's name; in commands, from the first option

	// Written means that a command starts the way the library writes it, so it has every argument unless it is cut.
	Written bool

	Indent int // blanks before a line of a trace tree
}

// Find returns the first piece of a line and the rest of the line after it. The kind is Other if there is none.
func Find(line []byte) (p Piece, rest []byte) {
	_, p = locate(line)
	if p.Kind == Other {
		return withoutPrefix(line), nil
	}
	if p.Kind == Internal {
		return p, nil // it contains another name
	}
	from := min(1, len(p.Text))
	if p.Kind == Profile { // the name of the function may have no quotes
		from = max(from, bytes.IndexByte(p.Text, ','))
	}
	if next, _ := locate(p.Text[from:]); next >= 0 {
		rest = p.Text[from+next:]
		p.Text = p.Text[:from+next]
	}
	return p, rest
}

// locate returns the start of a piece, -1 if there is none, and the piece to the end of the line.
func locate(line []byte) (int, Piece) {
	for from := 0; ; {
		i := bytes.Index(line[from:], []byte("roc"))
		if i < 0 {
			return -1, Piece{}
		}
		at := from + i
		if p := pieceAt(line, at); p.Kind != Other {
			return at, p
		}
		from = at + len("roc")
	}
}

// pieceAt reads the piece that starts with an occurrence of "roc".
func pieceAt(line []byte, at int) Piece {
	text := line[at:]
	switch {
	case bytes.HasPrefix(text, []byte("rocblas_")):
		return blasPiece(line, at)
	case bytes.HasPrefix(text, []byte("rocsolver_")):
		return solverPiece(line, at)
	case bytes.HasPrefix(text, []byte("rocblas-bench")):
		return Piece{Kind: Bench, Text: text[len("rocblas-bench"):], Written: hasSuffix(line[:at], "./")}
	case bytes.HasPrefix(text, []byte("rocblas-gemm-tune")):
		return Piece{Kind: Bench, Text: text[len("rocblas-gemm-tune"):]}
	case bytes.HasPrefix(text, []byte("rocsolver-bench")):
		return Piece{Kind: SolverBench, Text: text[len("rocsolver-bench"):], Written: hasSuffix(line[:at], "./")}
	case bytes.HasPrefix(text, []byte("rocSOLVER Version:")), bytes.HasPrefix(text, []byte("rocBLAS Version:")):
		return Piece{Kind: Header, Text: text}
	}
	return Piece{}
}

func blasPiece(line []byte, at int) Piece {
	text := line[at:]
	n := nameLength(text)
	end := text[n:]
	switch {
	case bytes.HasPrefix(text, []byte("rocblas_function:")):
		return Piece{Kind: Profile, Text: text[len("rocblas_function:"):]}
	case bytes.Contains(text[len("rocblas_"):n], []byte("rocblas_")):
		return Piece{} // a cut name before another one
	case bytes.HasPrefix(end, []byte(": Calls:")), bytes.HasPrefix(end, []byte("): Calls:")):
		return Piece{Kind: SolverProfile, Text: text}
	case len(end) > 0 && end[0] == '(', bytes.HasPrefix(end, []byte(" (")) && hasSuffix(text[:n], "_template"):
		return Piece{Kind: SolverArgs, Text: text, Indent: blanksAt(line[:at])}
	case len(end) == 0 || end[0] != ',':
		return Piece{}
	case bytes.Equal(text[:n], []byte("rocblas_internal")):
		return Piece{Kind: Internal, Text: text}
	case at > 0 && line[at-1] == '"' && isMarker(line[:at]):
		return Piece{Kind: Marker, Text: text}
	}
	return Piece{Kind: Trace, Text: text}
}

// Prefixes of a function's name at the start and the end of its trace tree.
const (
	enter = "ENTER "
	leave = "EXIT "
)

func solverPiece(line []byte, at int) Piece {
	text, before := line[at:], line[:at]
	n := nameLength(text)
	end := text[n:]
	switch {
	case bytes.HasPrefix(end, []byte(" trace tree")) && hasSuffix(before, enter):
		start := bytes.TrimRight(bytes.TrimRight(before[:at-len(enter)], " "), "-")
		return Piece{Kind: SolverTree, Text: line[at-len(enter):], Indent: blanksAt(start)}
	case bytes.HasPrefix(end, []byte(" trace tree")) && hasSuffix(before, leave):
		return Piece{Kind: SolverTree, Text: line[at-len(leave):]}
	case bytes.HasPrefix(end, []byte(" (")):
		return Piece{Kind: SolverArgs, Text: text, Indent: blanksAt(before)}
	case bytes.HasPrefix(end, []byte(": Calls:")):
		return Piece{Kind: SolverProfile, Text: text}
	}
	return Piece{}
}

func blanksAt(text []byte) int { return len(text) - len(bytes.TrimRight(text, " ")) }

// withoutPrefix recognizes lines without "roc".
func withoutPrefix(line []byte) Piece {
	if i := bytes.Index(line, []byte(otherCommand)); i >= 0 {
		return Piece{Kind: Bench, Text: line[i+len(otherCommand):], Written: true}
	}
	for _, of := range otherPrograms {
		if i := bytes.Index(line, []byte(of.name)); i >= 0 {
			return Piece{Kind: of.kind, Text: line[i+len(of.name):]}
		}
	}
	for _, name := range []string{"hipblaslt-bench", "function: matmul,", "[HIPBLASLT]", "rocblaslt_", "hipblasLt"} {
		if bytes.Contains(line, []byte(name)) {
			return Piece{Kind: HipBLASLt, Text: line}
		}
	}
	text := bytes.TrimLeft(line, " \t>`")
	switch {
	case bytes.HasPrefix(text, []byte("ROCSOLVER LOG FILE")), bytes.HasPrefix(text, []byte("------- PROFILE -------")):
		return Piece{Kind: Header, Text: text}
	}
	if n := nameLength(text); n > 0 && n < len(text) && text[n] == ',' && lacksPrefix(text[:n]) {
		return Piece{Kind: Trace, Text: text}
	}
	return Piece{}
}

// otherPrograms have the options of the programs of rocBLAS and rocSOLVER, whose functions they call.
var otherPrograms = []struct {
	name string
	kind Kind
}{{"hipblas-bench", Bench}, {"hipsolver-bench", SolverBench}}

func nameLength(text []byte) int {
	for i, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_' || c >= 'A' && c <= 'Z') {
			return i
		}
	}
	return len(text)
}

func hasSuffix(text []byte, suffix string) bool { return bytes.HasSuffix(text, []byte(suffix)) }

// guidLength is the length of `"0000ddb5-8903-7903-b269-cd8d3745bb8a",`.
const guidLength = 39

// withoutGUID removes the first column of a row if it is an identifier.
func withoutGUID(row []byte) []byte {
	if len(row) > guidLength && row[0] == '"' && row[9] == '-' && row[guidLength-2] == '"' && row[guidLength-1] == ',' {
		return row[guidLength:]
	}
	return row
}

// isMarker reports whether a line starts like a row of a profiler's marker file: with a quoted domain.
func isMarker(start []byte) bool { return bytes.HasPrefix(withoutGUID(start), []byte(`"MARKER`)) }
