package bank

import (
	"os"
	"os/exec"
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

// buildAll builds the programs, those of one kind at once, and says where each is.
func buildAll(t *testing.T, flags ...string) func(Program) string {
	t.Helper()
	dir := t.TempDir()
	for _, kind := range []Kind{Fail, Success} {
		out := filepath.Join(dir, string(kind)) + string(filepath.Separator)
		if err := os.MkdirAll(out, 0o777); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("go", append(append([]string{"build"}, flags...), "-o", out, "./"+programsDir+"/"+string(kind)+"/...")...)
		cmd.Dir = root
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
	}
	return func(p Program) string { return filepath.Join(dir, string(p.Kind), p.Name) }
}

// Every program builds and keeps to the protocol of the oracle; the right ones
// are always right.
func TestProgramsKeepTheProtocol(t *testing.T) {
	binary := buildAll(t)
	for _, p := range programs(t) {
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			got := measure(t, p, binary(p), 10)
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
	if testing.Short() {
		t.Skip("links all programs with the race detector; what it says changes with the programs alone")
	}
	binary := buildAll(t, "-race")
	for _, p := range programs(t) {
		if p.Racy() {
			continue
		}
		t.Run(p.String(), func(t *testing.T) {
			t.Parallel()
			got := measure(t, p, binary(p), 4)
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
