package analyzers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInterpreter shows that a loop of hundreds of cases, each of which moves a local on to the
// next instruction, as generated interpreters have, takes no time that grows with their powers:
// the analysis of this one did not end.
func TestInterpreter(t *testing.T) {
	var cases strings.Builder
	for i := range 400 {
		fmt.Fprintf(&cases, "\t\tcase %d:\n\t\t\tp := at(base, code.Idx)\n\t\t\tif p == 0 {\n\t\t\t\tcode = code.End\n\t\t\t\tbreak\n\t\t\t}\n\t\t\tcode = code.Next\n\t\t\tm.steps[code.Idx] = p\n", i)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/interpreter\n\ngo 1.26\n",
		"vm.go": `package interpreter

import "sync"

type Code struct {
	Op, Idx   int
	Next, End *Code
}

type Machine struct {
	mu    sync.Mutex
	steps map[int]int
	runs  int
}

func at(base, idx int) int { return base + idx }

func (m *Machine) Run(code *Code, base int) {
	m.mu.Lock()
	n := m.runs
	m.mu.Unlock()
	for code != nil {
		switch code.Op {
` + cases.String() + `		}
	}
	m.mu.Lock()
	m.runs = n + 1
	m.mu.Unlock()
}
`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	candidates, _ := check(t, dir)
	for _, c := range candidates {
		if c.Name == "Machine.runs" && c.Category == "unlock-relock" && c.Sure {
			return
		}
	}
	t.Error("the sequence around the loop is not found")
}
