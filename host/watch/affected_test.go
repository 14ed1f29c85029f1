package watch

import (
	"path/filepath"
	"testing"
)

func TestAffects(t *testing.T) {
	at := filepath.FromSlash
	for _, test := range []struct {
		changed, file string
		want          bool
	}{
		{"/p/a.lua", "/p/a.lua", true},
		{"/p/a.lua", "/p/b.lua", false},
		{"/p/lib", "/p/lib/deep/m.lua", true}, // a folder was created or removed
		{"/p/li", "/p/lib/m.lua", false},
		{"/p/lib/m.lua", "/p/lib", true}, // a folder whose files are not known individually
		{"/p/lib/m.txt", "/p/lib", false},
		{"/p/lib.lua", "/p/lib", false},
		{"/p/m.lua", "/", true},
	} {
		if have := affects(at(test.changed), at(test.file)); have != test.want {
			t.Errorf("%s affects %s: %v", test.changed, test.file, have)
		}
	}
}
