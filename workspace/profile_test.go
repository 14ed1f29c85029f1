package workspace_test

import (
	"strings"
	"testing"

	"roclua/workspace"
)

// TestProfilesOfPlatforms checks which profile each platform uses, and which others it accepts.
func TestProfilesOfPlatforms(t *testing.T) {
	for platform, want := range map[string]string{"cpu": "rocm-7.2", "amd": "rocm-7.2", "nvidia": "cuda"} {
		if have := workspace.DefaultProfileOf(platform); have != want {
			t.Errorf("%s: %s, want %s", platform, have, want)
		}
	}
	for _, test := range []struct{ profile, platform, want string }{
		{"rocm-7.2", "cpu", ""},
		{"rocm-6.4", "amd", ""},
		{"cuda", "nvidia", ""},
		{"rocblas-5.3", "amd", ""},
		{"cuda", "cpu", "profile cuda is for the libraries of platform nvidia"},
		{"rocblas-5.3", "cpu", "profile rocblas-5.3 is for the libraries of platform amd"},
		{"rocm-7.2", "nvidia", "profile rocm-7.2 is modelled"},
		{"rocblas-5.3", "nvidia", "profile rocblas-5.3 is for the libraries of platform amd"},
	} {
		err := profile(t, test.profile).CheckPlatform(test.platform)
		if (err == nil) != (test.want == "") || err != nil && !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s on %s: %v, want %q", test.profile, test.platform, err, test.want)
		}
	}
}

func TestProfileOfLibrary(t *testing.T) {
	for version, want := range map[string]string{"4.4.1": "rocm-6.4", "5.3.0": "rocblas-5.3", "5.3": "rocblas-5.3"} {
		if have := workspace.ProfileOfLibrary(version); have != want {
			t.Errorf("%s: %s, want %s", version, have, want)
		}
	}
}

func TestUnknownProfile(t *testing.T) {
	_, err := workspace.FindProfile("rocm-7.3")
	if err == nil || !strings.Contains(err.Error(), `unknown profile "rocm-7.3"`) ||
		!strings.HasSuffix(err.Error(), "rocm-7.2, cuda)") {
		t.Error(err)
	}
}
