package record

import (
	"testing"

	"roclua/internal/codec/codectest"
)

func TestCodeOfRecords(t *testing.T)   { codectest.Check[Record](t) }
func TestCodeOfCases(t *testing.T)     { codectest.Check[Case](t) }
func TestCodeOfScenarios(t *testing.T) { codectest.Check[Scenario](t) }
func TestCodeOfLimits(t *testing.T)    { codectest.Check[Limits](t) }
