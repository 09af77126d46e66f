package rewrite

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOneEnd has the compiler say how it defers in functions that it open-codes natively:
// so it does when they are there twice.
func TestOneEnd(t *testing.T) {
	b := newBench(t)
	native := b.defers(t, "ends", nil)
	r := b.rewrite(t, Options{Spec: b.everything(t), Thin: true})
	injection, err := r.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	hooked := b.defers(t, "ends", injection)
	if want := "open-coded defer"; strings.Count(native, want) < 9 || strings.Contains(native, "stack-allocated") {
		t.Fatalf("natively:\n%s", native)
	}
	if n := strings.Count(hooked, "stack-allocated defer"); n > 0 {
		t.Errorf("%d not open-coded:\n%s", n, hooked)
	}
}

// defers builds a program and returns what the compiler says of its defer statements.
func (b bench) defers(t *testing.T, name string, injection *Injection) string {
	t.Helper()
	tool, args, env := "go", []string{"build", "-o", os.DevNull, "-gcflags=-d=defer"}, os.Environ()
	if injection != nil {
		tool = injection.Go
		args = append(args, injection.Flags()...)
		env = append(env, injection.Env()...)
	}
	cmd := exec.Command(tool, append(args, "./"+name)...)
	cmd.Dir, cmd.Env = b.dir, env
	text, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	var own []string
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, filepath.Join(name, name+".go")) {
			own = append(own, line)
		}
	}
	return strings.Join(own, "")
}
