package access

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/atomrace/atomrace/atomicity"
)

// walker visits one declaration in the order of evaluation.
type walker struct {
	info     *types.Info
	fn       *Function
	captured map[*types.Var]bool
	ordinals map[Var]int
	stmt     ast.Stmt
	scope    ast.Node
}

func (w *walker) emit(a *Access) *Access {
	if a.Var.Obj == nil || a.Var.Obj.Name() == "_" {
		return nil
	}
	w.ordinals[a.Var]++
	a.Ordinal = w.ordinals[a.Var]
	a.Func, a.Stmt, a.Scope = w.fn, w.stmt, w.scope
	if a.Cell != nil {
		a.Base = w.root(a.Cell)
	}
	w.fn.Accesses = append(w.fn.Accesses, a)
	return a
}

func (w *walker) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.FuncDecl:
		w.scope = n
		w.block(n.Body)
	case *ast.ValueSpec:
		w.exprs(n.Values)
	}
}

func (w *walker) block(b *ast.BlockStmt) {
	if b != nil {
		w.stmts(b.List)
	}
}

func (w *walker) stmts(list []ast.Stmt) {
	for _, s := range list {
		w.statement(s)
	}
}

// statement visits s with s as the innermost statement, and restores the
// enclosing one afterwards.
func (w *walker) statement(s ast.Stmt) {
	if s == nil {
		return
	}
	outer := w.stmt
	w.stmt = s
	defer func() { w.stmt = outer }()

	switch s := s.(type) {
	case *ast.AssignStmt:
		w.assign(s)
	case *ast.IncDecStmt:
		w.place(s.X)
		w.update(s.X, nil)
	case *ast.BlockStmt:
		w.block(s)
	case *ast.CaseClause:
		w.exprs(s.List)
		w.stmts(s.Body)
	case *ast.CommClause:
		w.statement(s.Comm)
		w.stmts(s.Body)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok {
					w.exprs(v.Values)
				}
			}
		}
	case *ast.DeferStmt:
		w.expr(s.Call)
	case *ast.ExprStmt:
		w.expr(s.X)
	case *ast.ForStmt:
		w.statement(s.Init)
		w.expr(s.Cond)
		w.block(s.Body)
		w.statement(s.Post)
	case *ast.GoStmt:
		w.expr(s.Call)
	case *ast.IfStmt:
		w.statement(s.Init)
		w.expr(s.Cond)
		w.block(s.Body)
		w.statement(s.Else)
	case *ast.LabeledStmt:
		w.statement(s.Stmt)
	case *ast.RangeStmt:
		w.rangeStmt(s)
	case *ast.ReturnStmt:
		w.exprs(s.Results)
	case *ast.SelectStmt:
		w.block(s.Body)
	case *ast.SendStmt:
		w.expr(s.Chan)
		w.expr(s.Value)
	case *ast.SwitchStmt:
		w.statement(s.Init)
		w.expr(s.Tag)
		w.block(s.Body)
	case *ast.TypeSwitchStmt:
		w.statement(s.Init)
		w.statement(s.Assign)
		w.block(s.Body)
	}
}

func (w *walker) assign(s *ast.AssignStmt) {
	switch s.Tok {
	case token.ASSIGN, token.DEFINE:
		for _, l := range s.Lhs {
			w.place(l)
		}
		w.exprs(s.Rhs)
		for _, l := range s.Lhs {
			w.write(l)
		}
	default: // x op= y
		if len(s.Lhs) == 1 && len(s.Rhs) == 1 {
			w.place(s.Lhs[0])
			w.update(s.Lhs[0], s.Rhs[0])
		}
	}
}

// update visits the read, the operand and the write of x op= operand or x++.
func (w *walker) update(x, operand ast.Expr) {
	read := w.read(x)
	w.expr(operand)
	write := w.write(x)
	if read != nil && write != nil {
		read.Update, write.Update = write, read
	}
}

func (w *walker) rangeStmt(s *ast.RangeStmt) {
	if s.Value != nil || !w.unevaluated(s.X) {
		w.expr(s.X)
	}
	if w.isMap(s.X) {
		w.whole(s.X, s.X, atomicity.Read, "range")
	}
	if s.Tok == token.ASSIGN {
		for _, l := range []ast.Expr{s.Key, s.Value} {
			if l != nil {
				w.place(l)
				w.write(l)
			}
		}
	}
	w.block(s.Body)
}

// read emits the read of the memory that e denotes, whose operands have been
// visited.
func (w *walker) read(e ast.Expr) *Access { return w.touch(e, atomicity.Read) }

// write emits the write to the left-hand side e, whose operands have been
// visited. Defining a new variable is no write: nobody else can have it yet.
func (w *walker) write(e ast.Expr) *Access {
	if id, ok := ast.Unparen(e).(*ast.Ident); ok && w.info.Defs[id] != nil {
		return nil
	}
	return w.touch(e, atomicity.Write)
}

func (w *walker) touch(e ast.Expr, mode atomicity.AccessSet) *Access {
	e = ast.Unparen(e)
	v, kind, ok := w.variable(e)
	if !ok || w.isSyncObject(e) {
		return nil
	}
	a := &Access{Var: v, Mode: mode, Kind: kind, Expr: e, Cell: e}
	if kind == MapElement {
		x := e.(*ast.IndexExpr)
		a.Cell, a.Key = ast.Unparen(x.X), x.Index
	}
	return w.emit(a)
}

// whole emits an access to all entries of the map m.
func (w *walker) whole(expr, m ast.Expr, mode atomicity.AccessSet, method string) {
	m = ast.Unparen(m)
	w.emit(&Access{Var: w.contents(m), Mode: mode, Kind: MapWhole, Expr: expr, Cell: m, Method: method})
}
