package rewrite

import (
	"flag"
	"path/filepath"
	"strconv"
	"testing"
)

// FuzzMeaning rewrites generated programs, with everything watched and with
// hooks for races, and compares what they print with what they print without
// hooks.
func FuzzMeaning(f *testing.F) {
	for seed := range uint64(2) {
		f.Add(seed)
	}
	cache := f.TempDir()
	f.Fuzz(func(t *testing.T, seed uint64) { sameOutput(t, cache, []uint64{seed}) })
}

var seeds = flag.Uint64("seeds", 5, "number of programs that TestGenerated makes")

// TestGenerated is the deterministic form of FuzzMeaning, short unless asked
// for more with -seeds: it builds all programs at once.
func TestGenerated(t *testing.T) {
	var list []uint64
	for i := range *seeds {
		list = append(list, 10+i)
	}
	sameOutput(t, t.TempDir(), list)
}

func sameOutput(t *testing.T, cache string, seeds []uint64) {
	b := bench{dir: t.TempDir()}
	write(t, filepath.Join(b.dir, "go.mod"), "module golden\n\ngo 1.26\n")
	for _, seed := range seeds {
		name := "p" + strconv.FormatUint(seed, 10)
		b.programs = append(b.programs, name)
		write(t, filepath.Join(b.dir, name, "main.go"), program(seed))
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
			if len(want.stdout) < 200 {
				t.Errorf("%s prints too little to compare: %q", p, want.stdout)
			}
			if got := run(t, filepath.Join(hooked, p)); got != want {
				t.Errorf("%s, %s: %+v\nwithout hooks:\n%+v\nof\n%s", p, name, got, want, program(seeds[i]))
			}
		}
	}
}
