package luabind_test

import (
	"testing"

	"roclua/tests/leaks"
)

func TestMain(m *testing.M) { leaks.Main(m) }
