package rewrite

import (
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// FuzzMeaning rewrites generated programs, with everything watched and with
// hooks for races, and compares what they print with what they print without
// hooks. A program is built three times, so it has many functions.
func FuzzMeaning(f *testing.F) {
	f.Add([]byte{1})
	cache := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) { sameOutput(t, cache, [][]byte{data}) })
}

var seeds = flag.Int("seeds", 2, "number of programs that TestGenerated makes")

// TestGenerated is the deterministic form of FuzzMeaning, short unless asked
// for more with -seeds: it builds all programs at once.
func TestGenerated(t *testing.T) {
	var list [][]byte
	for i := range *seeds {
		list = append(list, fmt.Append(nil, "program ", i))
	}
	sameOutput(t, t.TempDir(), list)
}

func sameOutput(t *testing.T, cache string, list [][]byte) {
	b := bench{dir: t.TempDir()}
	write(t, filepath.Join(b.dir, "go.mod"), "module golden\n\ngo 1.26\n")
	for i, data := range list {
		name := "p" + strconv.Itoa(i)
		b.programs = append(b.programs, name)
		write(t, filepath.Join(b.dir, name, "main.go"), program(data))
	}
	native := b.build(t, "native", nil)
	for name, o := range map[string]Options{"watched": {Spec: b.everything(t)}, "races": {Races: true}} {
		injection, err := b.rewrite(t, o).Install(cache)
		if err != nil {
			t.Fatal(err)
		}
		hooked := b.build(t, name, injection)
		for i, p := range b.programs {
			want := run(t, filepath.Join(native, p))
			if want.code != 0 || strings.Count(want.stdout, "\n") != 3*functions {
				t.Errorf("the program of %q does not run to its end: %+v", list[i], want)
			}
			if got := run(t, filepath.Join(hooked, p)); got != want {
				t.Errorf("%s, choices %q: %s", name, list[i], difference(program(list[i]), got, want))
			}
		}
	}
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
