//go:build !atomrace_off && !race && (amd64 || arm64)

package heal

import (
	"os/exec"
	"strings"
	"testing"
)

// The light hooks are worth their name only while the compiler inlines them.
func TestLightHooksAreInlined(t *testing.T) {
	out, err := exec.Command("go", "test", "-c", "-o", t.TempDir()+"/test", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, want := range []string{"inlining call to Peek[", "inlining call to Look", "inlining call to Mark", "inlining call to Clear", "inlining call to Told", "inlining call to Tick"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("the compiler does not say %q", want)
		}
	}
}
