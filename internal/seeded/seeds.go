package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// seed is a break that can be made.
type seed struct {
	kind        string
	file        string
	owner, fn   string // the type of the receiver, and the function
	variable    string // that is tested and acted upon
	first, last int    // lines of the test and the act
	edits       []edit
}

// edit replaces the bytes from..to of a file.
type edit struct {
	from, to int
	text     string
}

// seedsOf are the breaks that can be made in the module's files.
func seedsOf(dir string) ([]*seed, error) {
	var list []*seed
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := e.Name()
		if e.IsDir() {
			if path != dir && (name == "testdata" || name == "vendor" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || hasMod(path)) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil || ast.IsGenerated(f) {
			return nil // the go command says so, if it matters
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Body != nil && fn.Recv != nil && len(fn.Recv.List[0].Names) == 1 {
				m := &method{fset: fset, path: path, fn: fn, receiver: fn.Recv.List[0].Names[0].Name}
				list = append(list, m.seeds()...)
			}
		}
		return nil
	})
	return list, err
}

func hasMod(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// method is a method that is looked through for what can be broken.
type method struct {
	fset     *token.FileSet
	path     string
	fn       *ast.FuncDecl
	receiver string
}

func (m *method) at(p token.Pos) int   { return m.fset.Position(p).Offset }
func (m *method) line(p token.Pos) int { return m.fset.Position(p).Line }

// seed is one of a kind, from the test to the act.
func (m *method) seed(kind, variable string, test, act ast.Node, edits ...edit) *seed {
	owner := types.ExprString(m.fn.Recv.List[0].Type)
	owner, _, _ = strings.Cut(strings.TrimPrefix(owner, "*"), "[")
	return &seed{kind: kind, file: m.path, owner: owner, fn: m.fn.Name.Name, variable: variable,
		first: m.line(test.Pos()), last: m.line(act.End()), edits: edits}
}

// seeds are the breaks of the method.
func (m *method) seeds() []*seed {
	var list []*seed
	stmts := m.fn.Body.List
	for i, st := range stmts {
		mu := m.locked(st)
		if mu == "" {
			continue
		}
		deferred := i+1 < len(stmts) && m.unlocks(stmts[i+1], mu)
		list = append(list, m.sections(stmts, i, mu, deferred)...)
	}
	return slices.Concat(list, m.atomics(), m.guards(), m.patterns())
}

// locked is the lock of the receiver, as "s.mu", that the statement takes for writing.
func (m *method) locked(st ast.Stmt) string {
	x, ok := st.(*ast.ExprStmt)
	if !ok {
		return ""
	}
	return m.lockOf(x.X, "Lock")
}

func (m *method) lockOf(e ast.Expr, name string) string {
	call, ok := e.(*ast.CallExpr)
	if !ok || len(call.Args) != 0 {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != name {
		return ""
	}
	mu := types.ExprString(sel.X)
	if mu != m.receiver && !strings.HasPrefix(mu, m.receiver+".") {
		return ""
	}
	return mu
}

// unlocks says whether the statement is a deferred release of the lock.
func (m *method) unlocks(st ast.Stmt, mu string) bool {
	d, ok := st.(*ast.DeferStmt)
	return ok && m.lockOf(d.Call, "Unlock") == mu
}

// sections are the breaks of the section that begins with statement i.
func (m *method) sections(stmts []ast.Stmt, i int, mu string, deferred bool) []*seed {
	var list []*seed
	from := i + 1
	if deferred {
		from++
	}
	for j := from; j < len(stmts); j++ {
		if m.releases(stmts[j], mu) {
			break
		}
		test, ok := stmts[j].(*ast.IfStmt)
		if !ok || test.Else != nil {
			continue
		}
		asked := m.askedBy(stmts[from:j], test)
		if len(asked) == 0 {
			continue
		}
		if act, v := m.changes(test.Body.List, asked); act != nil {
			at := m.at(test.Body.Lbrace) + 1
			list = append(list, m.seed("unlock-relock", v, test, act, edit{at, at, " " + mu + ".Unlock(); " + mu + ".Lock(); "}))
			continue
		}
		if !ends(test.Body) {
			continue
		}
		for k := j + 1; k < len(stmts) && !m.releases(stmts[k], mu); k++ {
			act, v := m.changes(stmts[k:k+1], asked)
			if act == nil {
				continue
			}
			at := m.at(test.End())
			list = append(list, m.seed("unlock-relock", v, test, act, edit{at, at, "; " + mu + ".Unlock(); " + mu + ".Lock()"}))
			if deferred && j == from {
				list = append(list,
					m.seed("test-before-lock", v, test, act,
						edit{m.at(stmts[i].Pos()), m.at(stmts[i].End()), ""}, edit{m.at(stmts[i+1].Pos()), m.at(stmts[i+1].End()), ""},
						edit{at, at, "; " + mu + ".Lock(); defer " + mu + ".Unlock()"}))
				if s := m.upgrade(stmts, i, test, act, mu, v); s != nil {
					list = append(list, s)
				}
			}
			break
		}
	}
	return list
}

// upgrade is the break that tests under the lock for reading.
func (m *method) upgrade(stmts []ast.Stmt, i int, test *ast.IfStmt, act ast.Stmt, mu, v string) *seed {
	edits := []edit{
		{m.at(stmts[i].Pos()), m.at(stmts[i].End()), mu + ".RLock()"},
		{m.at(stmts[i+1].Pos()), m.at(stmts[i+1].End()), ""},
		{m.at(test.End()), m.at(test.End()), "; " + mu + ".RUnlock(); " + mu + ".Lock(); defer " + mu + ".Unlock()"},
	}
	ok := true
	ast.Inspect(test.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			for _, r := range n.Results {
				ok = ok && !mentions(r, m.receiver)
			}
			edits = append(edits, edit{m.at(n.Pos()), m.at(n.Pos()), mu + ".RUnlock(); "})
		}
		return true
	})
	if !ok {
		return nil
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.from - b.from })
	return m.seed("rlock-upgrade", v, test, act, edits...)
}

// releases says whether the statement, or one in it, releases the lock on the way that goes on.
func (m *method) releases(st ast.Stmt, mu string) bool {
	found := false
	ast.Inspect(st, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		case *ast.IfStmt:
			if ends(n.Body) && n.Else == nil {
				return false
			}
		case *ast.ExprStmt:
			found = found || m.lockOf(n.X, "Unlock") == mu || m.lockOf(n.X, "Lock") == mu
		case *ast.ReturnStmt:
			found = found || st == ast.Stmt(n)
		}
		return !found
	})
	return found
}

// askedBy are the fields of the receiver that the test is about: those in its condition, and those that a
// variable there comes from which is defined directly before.
func (m *method) askedBy(before []ast.Stmt, test *ast.IfStmt) []string {
	var list []string
	add := func(n ast.Node) {
		if n == nil {
			return
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				id, ok := call.Fun.(*ast.Ident)
				return ok && (id.Name == "len" || id.Name == "cap") // what others are given is not asked
			}
			if sel, ok := n.(*ast.SelectorExpr); ok {
				if name := types.ExprString(sel.X); name == m.receiver {
					list = append(list, m.receiver+"."+sel.Sel.Name)
				}
			}
			return true
		})
	}
	add(test.Cond)
	if test.Init != nil {
		add(test.Init)
	}
	if len(before) > 0 {
		if set, ok := before[len(before)-1].(*ast.AssignStmt); ok && set.Tok == token.DEFINE {
			for _, lhs := range set.Lhs {
				if id, ok := lhs.(*ast.Ident); ok && id.Name != "_" && mentions(test.Cond, id.Name) {
					add(set)
					break
				}
			}
		}
	}
	return list
}

// changes is the first statement in the list that stores in one of the fields, with the field.
func (m *method) changes(stmts []ast.Stmt, fields []string) (act ast.Stmt, field string) {
	root := func(e ast.Expr) string {
		for {
			switch x := e.(type) {
			case *ast.IndexExpr:
				e = x.X
			case *ast.SelectorExpr:
				if types.ExprString(x.X) == m.receiver {
					return types.ExprString(x)
				}
				return ""
			default:
				return ""
			}
		}
	}
	for _, st := range stmts {
		ast.Inspect(st, func(n ast.Node) bool {
			if act != nil {
				return false
			}
			var to []ast.Expr
			switch n := n.(type) {
			case *ast.FuncLit, *ast.GoStmt, *ast.DeferStmt:
				return false
			case *ast.AssignStmt:
				to = n.Lhs
			case *ast.IncDecStmt:
				to = []ast.Expr{n.X}
			case *ast.ExprStmt:
				if call, ok := n.X.(*ast.CallExpr); ok && len(call.Args) > 0 {
					if id, ok := call.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "close") {
						to = call.Args[:1]
					}
				}
			}
			for _, e := range to {
				if v := root(e); v != "" && slices.Contains(fields, v) {
					act, field = n.(ast.Stmt), v
				}
			}
			return true
		})
	}
	return act, field
}

// ends says whether the block ends in a return.
func ends(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return ok
}

// mentions says whether the node names the variable.
func mentions(n ast.Node, name string) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && id.Name == name
		return !found
	})
	return found
}
