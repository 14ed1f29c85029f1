package tests

import (
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestImage builds the image of the Dockerfile and runs a scenario in it, if docker or buildah works and the base
// images can be pulled.
func TestImage(t *testing.T) {
	if testing.Short() {
		t.Skip("building an image takes minutes")
	}
	builder := ""
	for _, name := range []string{"docker", "buildah"} {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		if exec.CommandContext(ctx, name, "info").Run() == nil && builder == "" {
			builder = name
		}
		cancel()
	}
	if builder == "" {
		t.Skip("neither docker nor buildah works on this machine")
	}
	build := exec.CommandContext(t.Context(), builder, "build", "-t", "roclua-test", "..")
	if out, err := build.CombinedOutput(); err != nil {
		if text := string(out); strings.Contains(text, "pull") || strings.Contains(text, "dial tcp") ||
			strings.Contains(text, "resolve source metadata") || strings.Contains(text, "registry") {
			t.Skipf("the base images cannot be pulled: %s", text[max(0, len(text)-300):])
		}
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := runImage(t, builder, "size", "dgetrf m=64 n=64"); err != nil || !strings.Contains(out, "dgetrf") {
		t.Errorf("%v\n%s", err, out)
	}
}

// runImage runs the program in the built image.
func runImage(t *testing.T, builder string, args ...string) (string, error) {
	command := []string{"docker", "run", "--rm", "roclua-test"}
	if builder == "buildah" {
		name, err := exec.Command("buildah", "from", "localhost/roclua-test").Output()
		if err != nil {
			return "", err
		}
		container := strings.TrimSpace(string(name))
		defer exec.Command("buildah", "rm", container).Run()
		command = []string{"buildah", "run", container, "--", "/usr/local/bin/roclua"}
	}
	command = append(command, args...)
	out, err := exec.CommandContext(t.Context(), command[0], command[1:]...).CombinedOutput()
	return string(out), err
}
