package cli

import (
	"os"
	"testing"
)

// TestAsked has what go vet is asked for tell keys apart, and what is unknown differ always.
func TestAsked(t *testing.T) {
	if args := askedBy(os.Getpid()); args != nil {
		t.Errorf("askedBy of a test: %q, want nothing", args)
	}
	t.Setenv(askedKey, "")
	if a, b := asked(), asked(); a == b {
		t.Errorf("asked of a test: %q twice", a)
	}
	t.Setenv(askedKey, "go vet ./app")
	one, again := asked(), asked()
	t.Setenv(askedKey, "go vet ./...")
	if another := asked(); one != again || one == another {
		t.Errorf("asked: %q, %q, and of something else %q", one, again, another)
	}
	t.Setenv(askedKey, "go vet ./app")
	t.Chdir(t.TempDir())
	if there := asked(); one == there {
		t.Errorf("asked: %q here and elsewhere", one)
	}
}
