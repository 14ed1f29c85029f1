package topics

import (
	"strings"
	"testing"

	"roclua/host/config"

	_ "roclua/hip/cpu"
)

// TestPages renders every page, and looks up every topic and every key of the configuration.
func TestPages(t *testing.T) {
	for _, topic := range All() {
		text := strings.NewReplacer("${{", "", "{{cc}}", "").Replace(topic.Text()) // of GitHub and Flux
		if topic.About == "" || text == "" || strings.Contains(topic.About+text, "{{") {
			t.Errorf("the page %s is %q, %q", topic.Name, topic.About, text)
		}
	}
	for _, k := range config.Keys {
		var b strings.Builder
		if err := LookUp(&b, k.Name); err != nil || b.Len() == 0 {
			t.Errorf("%s: %v", k.Name, err)
		}
	}
	var b strings.Builder
	err := LookUp(&b, "limits.timeot")
	if err == nil || !strings.Contains(err.Error(), `did you mean "limits.timeout"`) {
		t.Errorf("the error does not suggest a key: %v", err)
	}
}
