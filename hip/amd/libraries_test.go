package amd

import (
	"slices"
	"testing"

	"roclua/hip/release"
)

func TestVersionsComeFromTheReleases(t *testing.T) {
	have := versions("librocblas.so", (*release.Release).RocBLASMajor)
	newest := release.All()[len(release.All())-1]
	if have[0] != "librocblas.so."+newest.RocBLASMajor() || have[len(have)-1] != "librocblas.so" {
		t.Errorf("names %v: want the newest release first and the name without a version last", have)
	}
	for i, name := range have {
		if slices.Contains(have[:i], name) {
			t.Errorf("names %v: %s is listed twice", have, name)
		}
	}
}
