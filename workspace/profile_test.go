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
	for _, test := range []struct{ rocblas, rocsolver, want, nearest string }{
		{"4.4.1", "3.28.2", "rocm-6.4", "rocm-6.4"}, {"4.4.1", "", "rocm-6.4", "rocm-6.4"},
		{"5.1.1.", "3.31.0.", "rocm-7.1.1", "rocm-7.1.1"},
		{"5.3.0", "3.33.0", "rocblas-5.3.0", "rocm-7.2"}, {"5.3", "", "rocblas-5.3.0", "rocm-7.2"},
		{"4.4.0.b1", "3.28.0", "rocblas-4.4.0", "rocm-6.4"},
		{"4.4.1", "3.28.0.", "rocblas-4.4.1-rocsolver-3.28.0", "rocm-6.4"},
		{"4.4.1", "x", "rocblas-4.4.1-rocsolver-x", "rocm-7.2"},
	} {
		have, err := workspace.ProfileOfLibrary(test.rocblas, test.rocsolver)
		p := profile(t, have)
		if have != test.want || (err == nil) != p.Modelled() || p.Release.Name != test.nearest ||
			(p.Unmodelled() == nil) != p.Modelled() {
			t.Errorf("%s, %s: %s near %s, %v; want %s near %s", test.rocblas, test.rocsolver, have, p.Release, err,
				test.want, test.nearest)
		}
	}
}

func TestUnknownProfile(t *testing.T) {
	for name, want := range map[string]string{
		"6.4": `unknown profile "6.4", did you mean "rocm-6.4"? (have`,
		"rocm-6.2": `unknown profile "rocm-6.2": ROCm 6.2: rocBLAS 4.2.0 with rocSOLVER 3.26.0 is not modelled; the ` +
			`nearest profile is rocm-6.4`,
		"7.0":   "the nearest profile is rocm-7.1 (",
		"7.12":  "from rocBLAS 5.3.0 on, herk_ex is new",
		"7.2.1": "ROCm 7.2.1: rocBLAS 5.2.0 and rocSOLVER 3.32.0 are profile rocm-7.2",
	} {
		if _, err := workspace.FindProfile(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	_, err := workspace.FindProfile("rocm-7.3")
	if err == nil || !strings.Contains(err.Error(), `unknown profile "rocm-7.3"`) ||
		!strings.HasSuffix(err.Error(), "rocm-7.2, cuda)") {
		t.Error(err)
	}
}
