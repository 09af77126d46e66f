package rewrite

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestCoverage builds the golden programs for coverage, with every variable
// watched and without hooks, and compares the profiles: every block has the
// same place, the same number of statements and the same count.
func TestCoverage(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the golden programs twice more; TestCoverProfile compares one")
	}
	b := newBench(t).inOne(t)
	r := b.rewrite(t, Options{Spec: b.everything(t), Races: true})
	injection, err := r.Install(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	native := b.build(t, "native", nil, "-cover", "-covermode=atomic")
	hooked := b.build(t, "hooked", injection, "-cover", "-covermode=atomic")
	for _, name := range b.programs {
		want := profile(t, b.command(native, name))
		if got := profile(t, b.command(hooked, name)); got != want {
			t.Errorf("%s: the profiles differ:\n%s\nwithout hooks:\n%s", name, got, want)
		}
	}
}

// profile runs a program and returns its coverage profile.
func profile(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	dir := t.TempDir()
	cmd.Env = append(os.Environ(), "GOCOVERDIR="+dir, "ATOMRACE=summary=0 log_path="+filepath.Join(dir, "log"))
	_ = cmd.Run() // its outcome is compared elsewhere
	out := filepath.Join(dir, "profile")
	if text, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+dir, "-o="+out).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCoverProfile compares the profiles of go test, in a module with source
// that gofmt would write otherwise.
func TestCoverProfile(t *testing.T) {
	dir := module(t, "tested")
	_, injection := inject(t, dir, Options{Races: true, Tests: true})
	var profiles []string
	for _, i := range []*Injection{nil, injection} {
		file := filepath.Join(dir, "profile")
		if out, err := goRun(dir, i, "test", "-coverpkg=./...", "-coverprofile="+file, "./..."); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// Which package's tests end first is open, and so is the order.
		lines := strings.Split(string(text), "\n")
		slices.Sort(lines)
		profiles = append(profiles, strings.Join(lines, "\n"))
	}
	if profiles[0] != profiles[1] || !strings.Contains(profiles[0], "store.go") {
		t.Errorf("without hooks:\n%s\nwith:\n%s", profiles[0], profiles[1])
	}
}
