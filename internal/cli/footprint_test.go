package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/atomrace/atomrace/rewrite"
)

// TestFootprintHolds changes what a footprint depends on, each in a tree of its own.
func TestFootprintHolds(t *testing.T) {
	long := time.Now().Add(-time.Hour)
	write := func(t *testing.T, name, text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		holds  bool
	}{
		"nothing":        {func(*testing.T, string) {}, true},
		"an output":      {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "program"), "x") }, true},
		"same size":      {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "a.go"), "package b") }, false},
		"another file":   {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "b.go"), "package a") }, false},
		"a file less":    {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "a.go")) }, false},
		"a directory":    {func(t *testing.T, dir string) { os.Mkdir(filepath.Join(dir, "sub"), 0o777) }, false},
		"go.mod appears": {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "go.mod"), "module a") }, false},
		"cache emptied":  {func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "made")) }, false},
		"cache damaged":  {func(t *testing.T, dir string) { write(t, filepath.Join(dir, "made"), "") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			source, absent, made := filepath.Join(dir, "a.go"), filepath.Join(dir, "go.mod"), filepath.Join(dir, "made")
			write(t, source, "package a")
			write(t, made, "made")
			f := &footprint{
				Injection: new(rewrite.Injection),
				Files:     map[string]string{},
				Dirs:      map[string]string{dir: sourcesIn(dir)},
				Made:      map[string]int64{made: 4},
			}
			for _, name := range []string{source, absent} {
				f.Files[name], _ = look(name)
			}
			file := filepath.Join(t.TempDir(), "footprint.json")
			f.write(file)
			c.change(t, dir)
			if got := readFootprint(file) != nil; got != c.holds {
				t.Errorf("the footprint holds: %v, want %v", got, c.holds)
			}
		})
	}
}
