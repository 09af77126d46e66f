package rewrite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSpecialFiles rewrites packages with cgo, assembly, compiler directives and
// generated files, looks at which functions have hooks, and runs their tests.
func TestSpecialFiles(t *testing.T) {
	dir := module(t, "special")
	r, injection := inject(t, dir, Options{Races: true, Tests: true})
	for _, c := range []struct {
		file string
		want []string // functions with hooks
	}{
		{"cgo/plain.go", []string{"(*Count).Add"}},
		{"asm/asm.go", []string{"Total"}},
		{"asm/step.go", []string{"Steps"}},
		{"pragma/pragma.go", []string{"Hooked", "All"}},
		{"generated/generated.go", []string{"Next"}},
		{"cgo/cgo.go", nil},
		{"generated/lines.go", nil},
		{"generated/quoted.go", nil},
	} {
		text := string(r.Files[filepath.Join(dir, c.file)])
		if text == "" != (c.want == nil) {
			t.Errorf("%s: rewritten: %v", c.file, text != "")
		}
		for _, f := range []string{"nosplit", "norace", "linked", "pushed"} {
			if strings.Contains(text, `Func: "`+f+`"`) {
				t.Errorf("%s: %s is hooked", c.file, f)
			}
		}
		if len(c.want) == 0 {
			continue
		}
		// The tables of a package stand in one of its files.
		all := ""
		for name, other := range r.Files {
			if filepath.Dir(name) == filepath.Join(dir, filepath.Dir(c.file)) {
				all += string(other)
			}
		}
		for _, f := range c.want {
			if !strings.Contains(all, `Func: "`+f+`"`) {
				t.Errorf("%s: %s is not hooked", c.file, f)
			}
		}
	}
	notes := map[string]string{}
	for _, n := range r.Unhooked {
		in, _ := filepath.Rel(dir, n.File)
		notes[filepath.ToSlash(in)+" "+n.Variable] = n.Reason
	}
	for name, want := range map[string]string{
		"cgo/cgo.go ":          "the file uses cgo and is left alone",
		"generated/lines.go ":  "the file has line directives",
		"generated/quoted.go ": "the file is embedded (go:embed) as it stands",
	} {
		if notes[name] != want {
			t.Errorf("%s: note %q, want %q", name, notes[name], want)
		}
	}
	for _, args := range [][]string{{"test", "./..."}, {"test", "-race", "./..."}, {"test", "-cover", "./..."}, {"vet", "./..."}} {
		if out, err := goRun(dir, injection, args[0], args[1:]...); err != nil {
			t.Errorf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
	}
}

// TestOtherArchitecture builds the packages for one that this machine need not
// be.
func TestOtherArchitecture(t *testing.T) {
	dir := module(t, "special")
	env := append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	patterns := []string{"./asm", "./pragma", "./generated"}
	_, injection := inject(t, dir, Options{Races: true, Tests: true, Env: env, Patterns: patterns})
	cmd := exec.Command(injection.Go, append(append([]string{"vet"}, injection.Flags()...), patterns...)...)
	cmd.Dir, cmd.Env = dir, append(env, injection.Env()...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
