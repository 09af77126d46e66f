package rewrite

import (
	"context"
	"os"
	"strings"
	"testing"
)

func TestMatches(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		want          bool
	}{
		{"net/http", "net/http", true},
		{"net/http", "net/http/httptest", false},
		{"net/http/...", "net/http", true},
		{"net/http/...", "net/http/httptest", true},
		{"net/http/...", "net/httptest", false},
		{"net...", "net/http", true},
		{"...", "a.b/c", true},
		{"all", "a.b/c", true},
		{"a.b/.../d", "a.b/c/d", true},
		{"a.b/.../d", "a.b/c/e", false},
		{"a...b...c", "a1b2c", true},
		{"a...b...c", "a1c2b", false},
	} {
		if got := matches(c.pattern, c.path); got != c.want {
			t.Errorf("%q matches %q: %v", c.pattern, c.path, got)
		}
	}
}

// TestRuntimeImports checks what may never be rewritten against what the
// go command says the runtime imports.
func TestRuntimeImports(t *testing.T) {
	o := Options{Dir: "..", Patterns: []string{"./internal/..."}, Std: []string{"std"}, HealSource: os.DirFS("../heal")}
	paths, err := Select(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	selected := map[string]bool{}
	for _, p := range paths.Packages {
		selected[p] = true
	}
	for _, want := range []string{"bufio", "encoding/json", "go/ast", "github.com/atomrace/atomrace/internal/cli"} {
		if !selected[want] {
			t.Errorf("%s is not selected", want)
		}
	}
	out, err := goCommand(context.Background(), "..", nil, "list", "-deps", "-race", "./heal")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(strings.Fields(string(out)), "runtime/debug", "internal/buildcfg") {
		if selected[p] && !isRuntime(p) {
			t.Errorf("%s is selected", p)
		}
	}
}
