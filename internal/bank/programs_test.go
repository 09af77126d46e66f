package bank

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// root is the root of the repository, seen from this package.
const root = "../.."

func programs(t *testing.T) []Program {
	t.Helper()
	all, err := List(root)
	if err != nil {
		t.Fatal(err)
	}
	// Those in detect are looked at in cmd/detect.
	return slices.DeleteFunc(all, func(p Program) bool { return p.Kind == Detect })
}

// build builds the program for the length of the test.
func build(t *testing.T, p Program, builder string) (binary string) {
	t.Helper()
	b, err := ParseBuilder(builder)
	if err != nil {
		t.Fatal(err)
	}
	binary = filepath.Join(t.TempDir(), p.Name)
	if err := b(t.Context(), p, binary); err != nil {
		t.Fatal(err)
	}
	return binary
}

// Every program builds and keeps to the protocol of the oracle; the right ones
// are always right.
func TestProgramsKeepTheProtocol(t *testing.T) {
	for _, p := range programs(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			got := measure(t, p, build(t, p, "plain"), 10)
			if got.Outcomes[OK]+got.Outcomes[Wrong] != got.Runs {
				t.Errorf("outcomes %v: %s\n%s", got.Outcomes, got.First[Crash].Detail, got.First[Crash].Stderr)
			}
			if p.Kind == Success && got.Outcomes[Wrong] > 0 {
				t.Errorf("not right: %s", got.First[Wrong].Detail)
			}
		})
	}
}

// The race detector finds nothing in the right programs, nor in the broken ones
// that lock every access: these are the ones atomrace is for.
func TestRaceDetectorIsSilent(t *testing.T) {
	for _, p := range programs(t) {
		if p.Racy() {
			continue
		}
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			got := measure(t, p, build(t, p, "race"), 4)
			if got.Raced > 0 {
				t.Errorf("%d of %d runs raced", got.Raced, got.Runs)
			}
			if got.Outcomes[OK]+got.Outcomes[Wrong] != got.Runs {
				t.Errorf("outcomes %v: %s\n%s", got.Outcomes, got.First[Crash].Detail, got.First[Crash].Stderr)
			}
		})
	}
}

// The names that Racy knows are programs.
func TestSilentProgramsExist(t *testing.T) {
	for kind, names := range map[Kind][]string{Fail: silentUnderRace, Detect: racy} {
		for _, name := range names {
			if _, err := os.Stat(filepath.Join(root, programsDir, string(kind), name, "main.go")); err != nil {
				t.Error(err)
			}
		}
	}
}
