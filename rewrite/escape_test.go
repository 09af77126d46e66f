package rewrite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEscapes compares what the compiler moves to the heap with and without
// hooks, in the golden programs and those of testdata/programs: no variable that
// was on the stack.
func TestEscapes(t *testing.T) {
	b := newBench(t)
	patterns, least := []string{"fail", "success"}, 50
	if testing.Short() {
		patterns, least = []string{"fail"}, 20 // each is compiled twice
	}
	for _, pattern := range patterns {
		programs, err := filepath.Glob(filepath.Join("..", "testdata", "programs", pattern, "*", "main.go"))
		if err != nil || len(programs) == 0 {
			t.Fatalf("no programs: %v", err)
		}
		for _, p := range programs {
			text, err := os.ReadFile(p)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(filepath.Dir(p))
			write(t, filepath.Join(b.dir, pattern, name, "main.go"), string(text))
		}
	}
	native := b.escapes(t, nil)
	if len(native) < least {
		t.Fatalf("only %d variables on the heap natively", len(native))
	}
	for name, o := range map[string]Options{"races": {Races: true, Thin: true}, "watched": {Spec: b.everything(t)}} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && o.Thin {
				t.Skip("compiles all programs once more")
			}
			injection, err := b.rewrite(t, o).Install(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			for what := range b.escapes(t, injection) {
				if !native[what] {
					t.Error(what)
				}
			}
		})
	}
}

var state = regexp.MustCompile(`#state\d+`)

var escape = regexp.MustCompile(`(?m)^(\S+\.go:\d+):\d+: (moved to heap: \S+)`)

// escapes is the set of what escapes, by line of the source. It takes compiling alone,
// which go list does without linking the programs.
func (b bench) escapes(t *testing.T, injection *Injection) map[string]bool {
	t.Helper()
	tool, args, env := "go", []string{"list", "-export", "-gcflags=-m"}, os.Environ()
	if injection != nil {
		tool, env = injection.Go, append(env, injection.Env()...)
		args = append(args, injection.Flags()...)
	}
	cmd := exec.Command(tool, append(args, "./...")...)
	cmd.Dir, cmd.Env = b.dir, env
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := map[string]bool{}
	for _, m := range escape.FindAllStringSubmatch(string(out), -1) {
		if filepath.IsAbs(m[1]) || strings.Contains(m[2], "_ar_") {
			continue // the library; our own frames
		}
		file := strings.TrimPrefix(strings.TrimPrefix(m[1], b.dir+string(filepath.Separator)), "./")
		// The compiler numbers the states of range-over-func loops in each function.
		found[fmt.Sprintf("%s: %s", file, state.ReplaceAllString(m[2], "#state"))] = true
	}
	return found
}
