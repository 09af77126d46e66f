package rewrite

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity"
)

// TestForeign checks sections of variables that another package declares: they
// are found, and the accesses in the package that declares the variable, when
// it is one of the module's, are watched too.
func TestForeign(t *testing.T) {
	dir := module(t, "foreign")
	spec, err := atomicity.Load(filepath.Join(dir, "atomicity.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	r, injection := inject(t, dir, Options{Spec: spec})
	for _, s := range r.Stale {
		t.Errorf("stale: %s", s)
	}
	if out, err := goRun(dir, injection, "build", "./..."); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for file, want := range map[string]int{"server/server.go": 4, "pool/pool.go": 2} {
		text := string(r.Files[filepath.Join(dir, file)])
		if got := strings.Count(text, "Mode:"); got != want {
			t.Errorf("%s: %d hooked accesses, want %d", file, got, want)
		}
	}
}
