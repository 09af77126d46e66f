package accesses

import (
	"go/ast"
	"go/types"
	"strings"
	"testing"

	"github.com/atomrace/atomrace/atomicity/access"
)

const accessors = `package p

import (
	"sync"
	"sync/atomic"
)

type store struct {
	mu     sync.Mutex
	m      map[string]*entry
	n      int
	closed atomic.Bool
}

type entry struct {
	key  string
	next *entry
}

func (s *store) has(k string) bool             { return s.m[k] != nil }
func (s *store) find(k string) (*entry, bool)  { e, ok := s.m[k]; return e, ok }
func (s *store) put(k string, e *entry)        { s.m[k] = e }
func (s *store) drop(k string)                 { delete(s.m, k) }
func (s *store) isClosed() bool                { return s.closed.Load() }
func (s *store) over() bool                    { return s.isClosed() || s.n < 0 }
func (e *entry) follower() *entry              { return e.next }

func (s *store) count()                        { s.n++ }
func (s *store) size() int                     { s.mu.Lock(); defer s.mu.Unlock(); return s.n }
func (s *store) twice(k string) bool           { return s.m[k] == s.m[k+k] }
func (s *store) Has(k string) bool             { return s.m[k] != nil }
func (s *store) stop()                         { s.closed.Store(true) }
func (s *store) keyLocked(k string) bool       { return s.m[k] != nil }
func (s *store) self() *store                  { return s }

func (s *store) use(k, l string) bool {
	if s.over() || !s.has(k) {
		s.put(k, &entry{key: k})
		return false
	}
	e, ok := s.find(l)
	if ok {
		s.drop(e.follower().key)
	}
	s.count()
	defer s.put(l, nil)
	return s.size() == 0 || s.twice(k) || s.Has(k) || s.keyLocked(k) || s.self() == nil
}

func (s *store) end() {
	s.stop()
	go s.drop("")
}
`

// TestAccessors shows which functions are put in the place of their calls, what becomes of the others, and that each access
// lies on the line of its call.
func TestAccessors(t *testing.T) {
	fset, file, pkg, info := typed(t, accessors)
	before := formatted(t, fset, file)
	files, known, copied := inPlace([]*ast.File{file}, info)
	if after := formatted(t, fset, file); after != before {
		t.Errorf("the source has changed:\n%s", after)
	}
	declared, called := map[string]bool{}, map[string]bool{}
	for _, d := range files[0].Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok {
			continue
		}
		declared[fn.Name.Name] = true
		ast.Inspect(fn.Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id := calledIn(call); id != "" {
					called[id] = true
				}
			}
			return true
		})
	}
	for name, left := range map[string]bool{
		"has": false, "find": false, "isClosed": false, "over": false, "follower": false, // in the place of all their calls
		"put": true, "drop": true, // deferred, or started
		"count": true, "size": true, "twice": true, "Has": true, "stop": true, "keyLocked": true, "self": true,
	} {
		if declared[name] != left {
			t.Errorf("%s is left: %t", name, declared[name])
		}
		if called[name] != left {
			t.Errorf("%s is called: %t", name, called[name])
		}
	}
	source := access.Enumerate(fset, []*ast.File{file}, pkg, info)
	made := access.Enumerate(fset, files, pkg, known)
	copied.numberAs(made, source)
	p := &Package{Package: made, copied: copied}
	var lines []string
	for _, fn := range made.Functions {
		if fn.Name != "(*store).use" {
			continue
		}
		for _, a := range fn.Accesses {
			if call, at := p.Put(a.Expr); call != nil {
				if got, want := fset.Position(a.Pos()).Line, fset.Position(call.Pos()).Line; got != want {
					t.Errorf("%s is at line %d, and its call at %d", types.ExprString(a.Expr), got, want)
				}
				if a.Ordinal != 0 {
					t.Errorf("%s has the ordinal %d: the function has no such access", types.ExprString(a.Expr), a.Ordinal)
				}
				lines = append(lines, types.ExprString(a.Expr)+" of "+types.ExprString(call.Fun)+" at "+fset.Position(at).String()[len("p.go:"):])
			}
		}
	}
	for _, want := range []string{"s.closed.Load() of ", "s.m[k] of s.has", "s.m[k] of s.put", "s.m[l] of s.find", "delete(s.m, e.next.key) of s.drop", "e.next of "} {
		if !strings.Contains(strings.Join(lines, "\n"), want) {
			t.Errorf("no %s in\n%s", want, strings.Join(lines, "\n"))
		}
	}
}

// calledIn is the name of the method that is called, or empty.
func calledIn(call *ast.CallExpr) string {
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return ""
}
