package analyzers_test

import (
	"bytes"
	"go/format"
	"os"
	"path/filepath"
	"testing"
)

// keep writes a variant into dir, ready to be checked and stripped.
func keep(t *testing.T, dir string, v *varied, report string) {
	t.Helper()
	var out bytes.Buffer
	if err := format.Node(&out, v.pkg.Fset, v.pkg.Syntax[0]); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"go.mod":  "module example.com/" + v.original.pkg.Name + "\n\ngo 1.26\n",
		"it.go":   out.String(),
		"why.txt": v.in + ": " + v.note + "\n" + report + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
