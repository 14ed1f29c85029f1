package host

import (
	"path/filepath"
	"testing"
)

func TestWhatAChangeTouches(t *testing.T) {
	at := filepath.FromSlash
	for _, test := range []struct {
		changed, file string
		want          bool
	}{
		{"/p/a.lua", "/p/a.lua", true},
		{"/p/a.lua", "/p/b.lua", false},
		{"/p/lib", "/p/lib/deep/m.lua", true}, // a folder came or went
		{"/p/li", "/p/lib/m.lua", false},
		{"/p/lib/m.lua", "/p/lib", true}, // a folder of which nobody knows what was read
		{"/p/lib/m.txt", "/p/lib", false},
		{"/p/lib.lua", "/p/lib", false},
		{"/p/m.lua", "/", true},
	} {
		if have := touches(at(test.changed), at(test.file)); have != test.want {
			t.Errorf("%s touches %s: %v", test.changed, test.file, have)
		}
	}
}
