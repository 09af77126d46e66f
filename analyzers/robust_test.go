package analyzers_test

import (
	"go/parser"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers"
)

// TestTypeErrors shows that packages which do not type-check are analysed as
// far as they make sense.
func TestTypeErrors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/broken\n\ngo 1.26\n",
		"a.go": `package broken

import (
	"sync"
	"sync/atomic"

	"example.com/missing"
)

type T struct {
	mu sync.Mutex
	n  int
	m  missing.Map
}

func (t *T) Inc() {
	t.mu.Lock()
	n := t.n
	t.mu.Unlock()
	t.mu.Lock()
	t.n = n + 1
	t.mu.Unlock()
}

func (t *Unknown) Lost() { t.x++; t.m[undefined] = f(t.m[undefined]) }

func (t *T) Lost() { t.m.Store(t.m.Load(t.none)); go t.gone(); undefined.Do(func() { t.n++ }); _ = x + }

type V struct {
	mu   sync.Mutex
	v    atomic.Uint64
	data atomic.Value
}

func (v *V) Set(d any) {
	v.v.Add(undefined)
	v.v.Store(unknown(d))
	v.data.Store(d)
}

func (v *V) Get() (any, bool) {
	if v.v.Load() == undefined.Last {
		return nil, false
	}
	return v.data.Load(), true
}

func (t *T) Loops() {
	for _, x := range undefined.All {
		go func() { x.Use(t) }()
	}
	for _, x := range undefined.All {
		go t.one(x)
	}
	select {
	case <-undefined.Done:
		close(undefined.Done)
	}
	t.m = missing.Map{}
}

func (t *T) one(x undefined) { t.n++ }
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	candidates, _ := check(t, dir)
	for _, c := range candidates {
		if c.Name == "T.n" && c.Category == "unlock-relock" && c.Sure {
			return
		}
	}
	t.Error("the sequence in T.Inc is not found")
}

// TestBrokenNames breaks the subjects in one way after the other, each of them in many places,
// so that types are missing wherever an analyzer may ask for one: no analyzer fails.
func TestBrokenNames(t *testing.T) {
	loaded := loadOriginals(t)
	for _, way := range [][2]string{
		{`if `, `if undefined && `},
		{`range `, `range undefined.`},
		{` = `, ` = undefined + `},
		{`:= `, `:= undefined().`},
		{`\*([A-Z])`, `*Un$1`},
		{`\b(sync|atomic)\.`, `un$1.`},
		{`\bmap\[string\]`, `map[undefined]`},
		{`\bdelete\(`, `delete(1, `},
		{`&([a-z])`, `&un$1`},
		{`(?m)^func [a-zA-Z]\w*\(`, `func same(`},
	} {
		t.Run(way[1], func(t *testing.T) {
			pattern := regexp.MustCompile(way[0])
			var broken []*packages.Package
			for i, o := range loaded.originals {
				if i%2 > 0 { // they are many
					continue
				}
				text, err := os.ReadFile(loaded.file(o.id))
				if err != nil {
					t.Fatal(err)
				}
				file, err := parser.ParseFile(loaded.fset, loaded.file(o.id), pattern.ReplaceAll(text, []byte(way[1])), parser.ParseComments|parser.SkipObjectResolution)
				if file == nil {
					t.Fatal(err)
				}
				if pkg, err := loaded.typed(o.id, file); err != nil {
					broken = append(broken, pkg)
				}
			}
			if len(broken) == 0 {
				t.Fatal("nothing is broken")
			}
			graph, err := checker.Analyze(analyzers.All(), broken, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, act := range graph.Roots {
				if act.Err != nil {
					t.Error(act.Package.ID, act.Err)
				}
			}
		})
	}
}

// TestStandardLibrary runs over large packages of real code, none of which may
// make an analyzer fail, and shows that the result does not vary.
func TestStandardLibrary(t *testing.T) {
	for _, pkg := range []string{"net/http", "go/types", "database/sql"} {
		t.Run(pkg, func(t *testing.T) {
			var first []string
			for range 2 {
				candidates, _ := check(t, filepath.Join(goroot(t), "src", filepath.FromSlash(pkg)))
				var ids []string
				for _, c := range candidates {
					if c.Section != nil {
						ids = append(ids, c.Section.ID+" "+c.Category+" "+c.Doubt)
					}
				}
				if len(ids) == 0 {
					t.Fatal("no candidates: was the package analysed?")
				}
				if first != nil && !slices.Equal(first, ids) {
					t.Error("two runs differ")
				}
				first = ids
			}
		})
	}
}

// goroot is where the go command keeps the standard library.
func goroot(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOROOT: %v", err)
	}
	return strings.TrimSpace(string(out))
}
