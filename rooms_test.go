package atomrace

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/atomrace/atomrace"

// pluginRegister is how golangci-lint finds a module plugin: one small file.
// Only analyzers/golangci imports it, and no program of ours links that.
const pluginRegister = "github.com/golangci/plugin-module-register"

// rooms is the import policy of this repository. Each folder may import, beside
// the standard library and itself, only what is listed: folders of this module
// and prefixes of other modules. It is a statement of policy: change it only
// together with the reasons for it.
var rooms = map[string][]string{
	// Linked into production programs: no dependency, ever.
	"heal": {},
	// Compiled into the programs that it schedules, which may hold heal as well or not.
	"sched": {},
	// The vocabulary of all rooms. internal/pattern is regexp, compiled when it is
	// needed: every start of the command would pay for it otherwise. internal/dirlock keeps
	// two processes from saving a file at a time, as those of the rewriter's journal.
	"atomicity":        {"internal/pattern", "internal/dirlock", "gopkg.in/yaml.v3"},
	"atomicity/access": {"atomicity"},
	// Analyzers know sections, not how they are instrumented.
	"analyzers": {"atomicity", "internal/pattern", "golang.org/x/tools", pluginRegister},
	// The rewriter names heal in the text it emits and never links it.
	"rewrite": {"atomicity", "golang.org/x/tools", "github.com/dave/dst"},
}

// TestRooms checks the policy on what the packages import directly, and that
// nothing but the standard library is linked with heal.
func TestRooms(t *testing.T) {
	for room, allowed := range rooms {
		for _, line := range goList(t, "-f", `{{.ImportPath}}:{{range .Imports}} {{.}}{{end}}`, "./"+room+"/...") {
			pkg, imports, _ := strings.Cut(line, ":")
			for _, path := range strings.Fields(imports) {
				if !permitted(room, allowed, path) {
					t.Errorf("%s imports %s, which %s may not", pkg, path, room)
				}
			}
		}
	}
	for _, path := range goList(t, "-deps", "./cmd/...", "./analyzers") {
		if within(path, pluginRegister) {
			t.Errorf("the command is linked with %s, which is for golangci-lint alone", path)
		}
	}
	for _, path := range goList(t, "-deps", "./heal/...") {
		if !standard(path) && !within(path, module+"/heal") {
			t.Errorf("heal is linked with %s; it may only use the standard library", path)
		}
	}
}

func permitted(room string, allowed []string, path string) bool {
	if standard(path) || within(path, module+"/"+room) {
		return true
	}
	for _, a := range allowed {
		if within(path, a) || within(path, module+"/"+a) {
			return true
		}
	}
	return false
}

// standard says whether the path is of the standard library: its first element
// has no dot.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

func within(path, root string) bool {
	return path == root || strings.HasPrefix(path, root+"/")
}

func goList(t *testing.T, args ...string) []string {
	t.Helper()
	out, err := exec.Command("go", append([]string{"list"}, args...)...).Output()
	if err != nil {
		t.Fatalf("go list %s: %v", strings.Join(args, " "), err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}
