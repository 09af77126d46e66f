//go:build !atomrace_off

package heal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A violation of a section with a doubt is told of and counted, and fails no test; doubt_path
// has a line for each distinct one.
func TestDoubt(t *testing.T) {
	const why = "to do it twice is to do it once"
	for _, test := range []struct {
		doubt string
		fails bool
	}{{why, false}, {"", true}} {
		file := filepath.Join(t.TempDir(), "doubts")
		p := newProgram(t)
		s := p.section("S")
		s.Doubt = test.doubt
		entry, end, other := p.at(Read, s), p.at(Write, End{Section: s, Allow: Read}), p.at(Write)
		a := actors(t, 2)
		w := new(watched)
		var before, after Statistics
		text := logged(t, "log_format=json exitcode=66 doubt_path="+file, func() {
			before = Stats()
			Watch(w)
			for range 3 {
				violate(a, entry, end, other, new(int))
			}
			after = Stats()
			w.cleanup()
		})
		if fails := len(w.failed) > 0; fails != test.fails {
			t.Errorf("doubt %q: failed = %v", test.doubt, fails)
		}
		if n, grave := after.Violations-before.Violations, after.grave()-before.grave(); n != 3 || (grave == 3) != test.fails || (grave == 0) == test.fails {
			t.Errorf("doubt %q: %d violations, %d of them grave", test.doubt, n, grave)
		}
		level := `"level":"INFO"`
		if test.fails {
			level = `"level":"WARN"`
		}
		if !strings.Contains(text, level) || strings.Contains(text, `"doubt":"`+why+`"`) == test.fails {
			t.Errorf("doubt %q:\n%s", test.doubt, text)
		}
		lines, _ := os.ReadFile(file)
		want := ""
		if !test.fails {
			want = "atomicity violation on Pool.free: section S, pool.go:1 to pool.go:2, broken by write at pool.go:3 (" + why + ")\n"
		}
		if string(lines) != want {
			t.Errorf("doubt %q: doubt_path has %q, want %q", test.doubt, lines, want)
		}
	}
}

// Where the file cannot be written, that is said once.
func TestDoubtPathIsADirectory(t *testing.T) {
	doubtsLost.Store(false)
	p := newProgram(t)
	s, r := p.section("S"), p.section("R")
	s.Doubt, r.Doubt = "it is done twice", "it is done twice"
	entry, end, other := p.at(Read, s, r), p.at(Write, End{Section: s, Allow: Read}, End{Section: r, Allow: Read}), p.at(Write)
	a := actors(t, 2)
	text := logged(t, "doubt_path="+t.TempDir(), func() { violate(a, entry, end, other, new(int)) })
	if strings.Count(text, "doubt_path: ") != 1 || strings.Count(text, "perhaps without harm") != 2 {
		t.Error(text)
	}
}
