package result

import (
	"testing"

	"roclua/internal/jsonwriter/jsonwritertest"
)

// TestWriteEntry compares random entries with what package json makes of their tags.
func TestWriteEntry(t *testing.T) { jsonwritertest.Check(t, (*Entry).Write) }
