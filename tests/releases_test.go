package tests

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"roclua/hip/release"
)

// TestReleasesAreDocumented checks the handwritten text about releases: the table of profiles in docs/platforms.md and
// the targets of config.toml have an entry for every release.
func TestReleasesAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../docs/platforms.md")
	if err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile("../config.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range release.All() {
		row := fmt.Sprintf("| `%s` | %s", r.Name, r.Versions)
		if !strings.Contains(string(page), row) {
			t.Errorf("docs/platforms.md has no row that starts with %s", row)
		}
		if target := fmt.Sprintf("profile = %q", r.Name); !strings.Contains(string(config), target) {
			t.Errorf("config.toml has no target with %s", target)
		}
	}
}
