package section_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers/section"
)

// TestLongFunction analyzes a function of forty critical sections and one of four times as many:
// that takes sixteen times as much work where each is compared with each, and 64 times where a third
// factor has come in, as it had before what was asked of a body was kept (lately.go). Work is told
// by what is allocated, which does not depend on what else the machine does.
func TestLongFunction(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{"go.mod": "module long\n\ngo 1.24\n"}
	for name, n := range map[string]int{"first": 1, "forty": 40, "more": 160} {
		files[name+"/long.go"] = longFunction(n)
	}
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// What the first imports is analyzed with it, and known when the others come.
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: dir}, "long/first", "long/forty", "long/more")
	if err != nil || packages.PrintErrors(pkgs) > 0 {
		t.Fatal(err)
	}
	allocated := map[string]uint64{}
	total := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.TotalAlloc
	}
	before := &analysis.Analyzer{Name: "before", Doc: "look at what is allocated", Run: func(pass *analysis.Pass) (any, error) {
		allocated[pass.Pkg.Path()] = total()
		return nil, nil
	}}
	after := &analysis.Analyzer{Name: "after", Doc: "look again", Requires: []*analysis.Analyzer{before, section.Analyzer}, Run: func(pass *analysis.Pass) (any, error) {
		allocated[pass.Pkg.Path()] = total() - allocated[pass.Pkg.Path()]
		return nil, nil
	}}
	if _, err := checker.Analyze([]*analysis.Analyzer{after}, pkgs, &checker.Options{Sequential: true}); err != nil {
		t.Fatal(err)
	}
	forty, more := allocated["long/forty"], allocated["long/more"]
	t.Logf("40 critical sections: %d bytes allocated, 160: %d", forty, more)
	if forty == 0 || more > 16*forty {
		t.Errorf("160 critical sections take %d times as much work as 40", more/forty)
	}
}

// longFunction is a package with a function of n critical sections over twenty fields and a map.
func longFunction(n int) string {
	var src strings.Builder
	src.WriteString("package long\n\nimport \"sync\"\n\ntype S struct {\n\tmu sync.Mutex\n\tm map[string]int\n")
	for i := range 20 {
		fmt.Fprintf(&src, "\tf%d int\n", i)
	}
	src.WriteString("}\n\nfunc (s *S) Get(k string) int { s.mu.Lock(); defer s.mu.Unlock(); return s.m[k] }\n\nfunc (s *S) Long(k string, x int) {\n")
	for i := range n {
		fmt.Fprintf(&src, "\ts.mu.Lock()\n\tif s.f%d == x+%d {\n\t\ts.f%d++\n\t\ts.m[k] = s.f%d\n\t}\n\ts.mu.Unlock()\n", i%20, i, (i+1)%20, i%20)
	}
	src.WriteString("}\n")
	return src.String()
}
