package main

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const right = `package right

import (
	"slices"
	"sync"
	"sync/atomic"
)

type store struct {
	mu     sync.RWMutex
	names  map[string]int
	closed bool
	done   chan struct{}
	once   sync.Once
	begun  atomic.Bool
	cache  sync.Map
	count  atomic.Int64
	moved  *sync.Cond
	list   []string
	out    chan int
}

func (s *store) Put(name string, n int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.names[name]; ok {
		return false
	}
	s.names[name] = n
	return true
}

func (s *store) Close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	s.mu.Unlock()
	s.once.Do(func() {
		close(s.done)
	})
}

func (s *store) Begin() bool {
	if !s.begun.CompareAndSwap(false, true) {
		return false
	}
	return true
}

func (s *store) Cached(name string) any {
	v, loaded := s.cache.LoadOrStore(name, len(name))
	_ = loaded
	return v
}

func (s *store) Len() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	s.count.Add(1)
	return len(s.names)
}

func (s *store) Await() {
	s.mu.Lock()
	for len(s.list) == 0 {
		s.moved.Wait()
	}
	s.mu.Unlock()
}

func (s *store) Names() []string {
	s.mu.RLock()
	list := slices.Clone(s.list)
	s.mu.RUnlock()
	return list
}

func (s *store) All() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Clone(s.list)
}

func (s *store) Number(name string) int {
	s.mu.RLock()
	n, ok := s.names[name]
	s.mu.RUnlock()
	if ok {
		return n
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if n, ok := s.names[name]; ok {
		return n
	}
	s.names[name] = len(s.names)
	return s.names[name]
}

func (s *store) Send(n int) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return false
	}
	s.out <- n
	return true
}

// Nothing here can be broken: what is tested is not what is changed, or somebody releases the lock in between.
func (s *store) Reset(name string) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	delete(s.names, name)
	s.mu.Unlock()
}
`

// Every break leaves a program that compiles, the lines where they were, and the file is put back.
func TestSeeds(t *testing.T) {
	file := filepath.Join(t.TempDir(), "right.go")
	if err := os.WriteFile(file, []byte(right), 0o644); err != nil {
		t.Fatal(err)
	}
	seeds, err := seedsOf(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range seeds {
		got = append(got, s.fn+" "+s.kind)
	}
	want := []string{
		"Put unlock-relock", "Put test-before-lock", "Put rlock-upgrade", "Put no-lock", "Put read-lock",
		"Close unlock-relock", "Close look-then-close", "Begin load-then-store", "Cached sync-map",
		"Len no-lock", "Len released-early", "Len load-then-add", "Await waited-once",
		"All no-lock", "All not-copied", "Number unlock-relock", "Number test-before-lock", "Number rlock-upgrade", "Number no-second-look",
		"Send no-lock", "Send released-before-send",
	}
	if !slices.Equal(got, want) {
		t.Errorf("breaks %q, want %q", got, want)
	}
	for _, s := range seeds {
		undo, err := plant([]*seed{s}, nil)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(text) == right || strings.Count(string(text), "\n") != strings.Count(right, "\n") && s.kind != "look-then-close" {
			t.Errorf("%s %s: nothing is broken, or lines have moved:\n%s", s.fn, s.kind, text)
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, file, text, 0)
		if err != nil {
			t.Errorf("%s %s: %v", s.fn, s.kind, err)
			continue
		}
		conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
		if _, err := conf.Check("right", fset, []*ast.File{f}, nil); err != nil {
			t.Errorf("%s %s: %v\n%s", s.fn, s.kind, err, text)
		}
		if err := undo(); err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(file); string(text) != right {
			t.Errorf("%s %s: the file was not put back", s.fn, s.kind)
		}
	}
	if n := len(batches(seeds)); n != len(seeds) {
		t.Errorf("%d batches for %d breaks of one type", n, len(seeds))
	}
}
