package cli

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"testing"
)

func TestNeedGo(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	missing := exec.Command("go").Run()
	for _, err := range []error{missing, fmt.Errorf("go env: %w", missing), errors.New("err: go command required, not found: " + missing.Error())} {
		if got := needGo(err).Error(); !strings.Contains(got, "no go command in PATH") {
			t.Errorf("%v: %s", err, got)
		}
	}
	other := exec.Command("gofmt").Run()
	if needGo(other) != other || needGo(nil) != nil {
		t.Error("other errors are what they are")
	}
}
