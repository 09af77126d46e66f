package callers_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/atomrace/atomrace/analyzers/callers"
	"github.com/atomrace/atomrace/analyzers/shared"
)

var module = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.26\n",
	"store/store.go": `package store

type Store struct{ n int }

func (s *Store) Add()         { s.n++ }
func (s *Store) Close() error { return nil }
func (s *Store) Reset()       { s.n = 0 }
func (s *Store) Sync()        {}
func (s *Store) Len() int     { return s.n }
`,
	"main.go": `package main

import (
	"io"
	"os/signal"
	"sync"

	"example.com/m/store"
)

type lener interface{ Len() int }

type app struct {
	mu   sync.Mutex
	s    *store.Store
	last io.Closer
}

func main() {
	a := &app{s: new(store.Store)}
	a.last = a.s
	for range 2 {
		go a.add()
	}
	var l lener = a.s
	println(l.Len())
	signal.Ignore()
	run(a.s.Sync)
}

func init() {
	each(nil)
	each([]*store.Store{new(store.Store)})
}

func each(all []*store.Store) {
	own := new(store.Store)
	own.Reset()
	var wg sync.WaitGroup
	for _, s := range all {
		wg.Go(func() { s.Reset() })
	}
	wg.Wait()
	run(func() { own.Len() })
	own.Reset()
}

func (a *app) add() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.s.Add()
}

func run(f func()) { go f() }
`,
}

func TestCalls(t *testing.T) {
	dir := t.TempDir()
	for name, text := range module {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax | packages.NeedModule, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod")}, ".")
	if err != nil || len(pkgs) != 1 || len(pkgs[0].Errors) > 0 {
		t.Fatal(pkgs, err)
	}
	graph, err := checker.Analyze([]*analysis.Analyzer{callers.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	found := graph.Roots[0].Diagnostics
	if len(found) != 1 {
		t.Fatal(found, graph.Roots[0].Err)
	}
	var calls shared.Calls
	if err := json.Unmarshal([]byte(found[0].Message), &calls); err != nil {
		t.Fatal(err)
	}
	const of = "(*example.com/m/store.Store)."
	if want := []string{of + "Close"}; !reflect.DeepEqual(calls.Anyhow, want) { // as an io.Closer
		t.Errorf("anyhow %q, want %q", calls.Anyhow, want)
	}
	if want := map[string][]string{"example.com/m.lener.Len": {of + "Len"}}; !reflect.DeepEqual(calls.Given, want) {
		t.Errorf("given %q, want %q", calls.Given, want)
	}
	byName := map[string]shared.Caller{}
	for _, b := range calls.Bodies {
		byName[b.Name] = b
	}
	main, add := byName["example.com/m.main"], byName["(*example.com/m.app).add"]
	if !main.Main || main.Any || add.Main || !add.Any {
		t.Errorf("main %+v, add %+v: main begins with one, the goroutines of a loop with the other", main, add)
	}
	if !main.Starts || add.Starts {
		t.Errorf("main %+v, add %+v: main starts goroutines", main, add)
	}
	var resets []shared.Call
	for _, b := range calls.Bodies {
		for _, call := range b.Calls {
			if call.Func == of+"Reset" {
				resets = append(resets, call)
			}
		}
	}
	if want := []shared.Call{{Func: of + "Reset", Fresh: 1}, {Func: of + "Reset"}, {Func: of + "Reset", Each: true}}; !reflect.DeepEqual(resets, want) {
		t.Errorf("calls of Reset %+v, want %+v: of what it has made, of what a goroutine has as well, and of the element of each", resets, want)
	}
	wantOf := map[string]shared.Call{
		shared.OfInterface + "example.com/m.lener.Len": {Method: "Len() int"},
		of + "Sync": {Go: true, Loop: true}, // nobody looks how often
		of + "Add":  {Locks: []string{"example.com/m.app.mu"}},
	}
	for _, call := range append(main.Calls, add.Calls...) {
		if call.Func == "" {
			if !call.Go || !call.Loop {
				t.Errorf("%+v: the goroutines are started in a loop", call)
			}
			continue
		}
		want, ok := wantOf[call.Func]
		delete(wantOf, call.Func)
		if want.Func = call.Func; !ok || !reflect.DeepEqual(call, want) {
			t.Errorf("%+v, want %+v", call, want)
		}
	}
	if len(wantOf) > 0 {
		t.Errorf("nobody calls %v", wantOf)
	}
}
