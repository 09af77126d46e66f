package rewrite

import (
	"crypto/rand"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// FuzzMeaning rewrites generated programs, with everything watched and with
// hooks for races, and compares what they print with what they print without
// hooks. The programs of its corpus have every construct among them that the
// generator knows. The go command gives up on an input that takes ten seconds,
// which three builds may on a busy machine: TestGenerated -generate has no such
// limit.
func FuzzMeaning(f *testing.F) {
	cache := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		if testing.Short() && strings.HasPrefix(t.Name(), f.Name()+"/many-") && !strings.HasSuffix(t.Name(), "-0") {
			t.Skip("one program of the corpus is built in short tests")
		}
		sameOutput(t, cache, 30, data)
	})
}

var generate = flag.Duration("generate", 0, "how long TestGenerated goes on with random programs")

// TestGenerated compares a program that is always the same, and then random
// ones as long as -generate says. Building is what takes the time, so they have
// many functions. Without the flag FuzzMeaning's corpus has to do.
func TestGenerated(t *testing.T) {
	if *generate == 0 {
		t.Skip("-generate says for how long; without it FuzzMeaning runs its corpus")
	}
	cache := t.TempDir()
	data, programs := []byte("a program"), 0
	for end := time.Now().Add(*generate); programs == 0 || time.Now().Before(end); programs++ {
		t.Run(strconv.Itoa(programs), func(t *testing.T) { sameOutput(t, cache, 150, data) })
		data = make([]byte, 64)
		rand.Read(data)
	}
	t.Logf("%d programs of 150 functions", programs)
}

func sameOutput(t *testing.T, cache string, functions int, data []byte) {
	b := bench{dir: t.TempDir(), programs: []string{"p"}}
	text := program(data, functions)
	write(t, filepath.Join(b.dir, "go.mod"), "module golden\n\ngo 1.26\n")
	write(t, filepath.Join(b.dir, "p", "main.go"), text)
	want := run(t, b.command(b.build(t, "native", nil), "p"))
	if want.code != 0 || strings.Count(want.stdout, "\n") != 3*functions {
		t.Fatalf("the program of %q does not run to its end: %+v", data, want)
	}
	for name, o := range map[string]Options{"watched": {Spec: b.sections(t, newChoices(data)), Thin: true}, "races": {Races: true, Thin: true}} {
		injection, err := b.rewrite(t, o).Install(cache)
		if err != nil {
			t.Fatal(err)
		}
		dir := b.build(t, name, injection)
		for _, budget := range budgets(o) {
			if got := run(t, b.command(dir, "p"), budget, "heal=lock"); got != want {
				t.Errorf("%s, %s, %d functions of %q: %s", name, budget, functions, data, difference(text, got, want))
			}
		}
	}
}

// sections watches everything, with sections from any access of a function to any others,
// backwards and round in circles as well. Each function runs in a goroutine of its own when
// the one before has ended, so that no section is broken, and a healing lock that one has
// kept would be waited for, which the log tells.
func (b bench) sections(t *testing.T, r *choices) *atomicity.Spec {
	return b.watching(t, func(f *access.Function, v *atomicity.Variable, accesses []*access.Access) {
		at := func(i int) atomicity.Location {
			return atomicity.Location{Access: accesses[i].Mode, Ordinal: accesses[i].Ordinal}
		}
		if f.Name == "main" {
			return // which waits for the others
		}
		for n := range r.IntN(3) {
			s := &atomicity.Section{ID: fmt.Sprintf("%s/%s#%d", f.Name, v.Name, n+1), Pattern: atomicity.User, Function: f.Name, Entry: at(r.IntN(len(accesses))), Origin: "user", Status: atomicity.Confirmed}
			for i := range accesses {
				if r.IntN(len(accesses)) < 2 {
					s.Ends = append(s.Ends, atomicity.End{Location: at(i), Allow: atomicity.AccessSet(r.IntN(4))})
				}
			}
			if len(s.Ends) > 0 {
				v.Sections = append(v.Sections, s)
			}
		}
	})
}

// difference shows the first line that differs, and the function it is about.
func difference(program string, got, want outcome) string {
	lines := strings.Split(got.stdout, "\n")
	for i, line := range strings.Split(want.stdout, "\n") {
		if i >= len(lines) {
			break
		}
		if line != lines[i] {
			return fmt.Sprintf("%s\nwithout hooks:\n%s\nof\n%s", lines[i], line, sourceOf(program, strconv.Itoa(i/3)))
		}
	}
	return fmt.Sprintf("%+v\nwithout hooks:\n%+v", got, want)
}
