//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package dirlock_test

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/atomrace/atomrace/internal/dirlock"
)

func TestTake(t *testing.T) {
	dir := t.TempDir()
	release := dirlock.Take(dir, 0)
	if release == nil {
		t.Fatal("nobody else has it")
	}
	if dirlock.Take(dir, 20*time.Millisecond) != nil {
		t.Error("two have it at a time")
	}
	time.AfterFunc(50*time.Millisecond, release)
	if again := dirlock.Take(dir, time.Minute); again == nil {
		t.Error("it was not waited for")
	} else {
		again()
	}
	if dirlock.Take(filepath.Join(dir, "none"), 0) == nil {
		t.Error("a directory that is not there is for the caller to find")
	}
}
