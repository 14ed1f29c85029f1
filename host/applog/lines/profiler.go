package lines

import "bytes"

// Row is a row of a CSV file of rocprofv3, of ROCm 6.2 to 7.2: a call of HIP, the range of a call, or an allocation.
type Row struct {
	Name            []byte // of the function of HIP, or of the kind of allocation; nil for a range
	Process, Thread int64  // zero for an allocation: its file has neither
	Correlation     int64  // number of the call
	Start, End      int64  // nanoseconds
	Bytes           uint64 // of an allocation
}

// The columns after the name: process, thread, correlation, start and end; an allocation has an agent, bytes, an
// address, correlation, start and end.
const (
	callColumns       = 5
	allocationColumns = 6
)

// ReadRow reads a piece of kind HIP, Marker or Allocation; ok is false if a column is missing.
func ReadRow(p Piece) (r Row, ok bool) {
	text, columns := bytes.TrimRight(p.Text, "\r "), callColumns
	if p.Kind == Allocation {
		columns = allocationColumns
	}
	var last [allocationColumns][]byte
	for i := columns - 1; i >= 0; i-- {
		at := bytes.LastIndexByte(text, ',')
		if at < 0 {
			return Row{}, false
		}
		text, last[i] = text[:at], bytes.Trim(text[at+1:], `"`)
	}
	if p.Kind != Marker {
		r.Name = bytes.Trim(text[bytes.LastIndexByte(text, ',')+1:], `"`)
	}
	if p.Kind == Allocation {
		var size int64
		ok = integers(last[1:2], &size) && integers(last[3:6], &r.Correlation, &r.Start, &r.End)
		r.Bytes = uint64(size)
	} else {
		ok = integers(last[:callColumns], &r.Process, &r.Thread, &r.Correlation, &r.Start, &r.End)
	}
	return r, ok && r.Start <= r.End
}

// integers reads columns that are not negative integers.
func integers(columns [][]byte, to ...*int64) bool {
	for i, text := range columns {
		v, ok := parseInt(text)
		if !ok || v < 0 {
			return false
		}
		*to[i] = v
	}
	return true
}

// profilerPiece recognizes rows of a profiler's files by their first column, or by the second if the first is the
// identifier of the database they were converted from.
func profilerPiece(line []byte) Piece {
	text := bytes.TrimLeft(line, " \t>`\ufeff")
	domain := withoutGUID(text)
	switch {
	case bytes.HasPrefix(text, []byte(`"Domain","Function"`)), bytes.HasPrefix(text, []byte(`"Kind","Operation"`)),
		bytes.HasPrefix(text, []byte(`"Guid",`)):
		return Piece{Kind: Header, Text: text}
	case bytes.HasPrefix(domain, []byte(`"HIP_`)):
		return Piece{Kind: HIP, Text: domain}
	case bytes.HasPrefix(domain, []byte(`"MEMORY_ALLOCATION"`)):
		return Piece{Kind: Allocation, Text: domain}
	}
	return Piece{}
}

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
