package analyzers_test

import (
	"os"
	"path/filepath"
	"testing"
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
