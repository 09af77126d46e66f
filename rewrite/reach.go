package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/atomicity/access"
)

// reach collects what a piece of code may wait for, with the functions of the
// package that it calls.
type reach struct {
	*assurance
	own     map[string]bool         // instances whose healing lock is held
	exempt  map[*access.Access]bool // accesses to such an instance, whatever their expression
	visited map[string]bool
	depth   int
	lost    bool // anything has been found
	found   []edge
}

// maxCalls bounds how deep calls are followed.
const maxCalls = 20

func (a *assurance) newReach() *reach {
	return &reach{assurance: a, own: map[string]bool{}, exempt: map[*access.Access]bool{}, visited: map[string]bool{}}
}

// mapping says what the receiver of a called function is to the caller: the
// expression text, which begins with the variable base.
type mapping struct {
	receiver, base *types.Var
	text           string
}

func (r *reach) unknown(pos token.Pos, format string, args ...any) {
	r.found = append(r.found, edge{anything{}, fmt.Sprintf(format, args...) + r.position(pos)})
	r.lost = true
}

// between walks what stands between two positions of the body.
func (r *reach) between(body *ast.BlockStmt, from, to token.Pos) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch {
		case n == nil || n.End() <= from || n.Pos() >= to:
			return false
		case n.Pos() >= from && n.End() <= to:
			r.walk(n, mapping{})
			return false
		}
		return true
	})
}

// walk collects what n may wait for.
func (r *reach) walk(n ast.Node, m mapping) {
	ast.Inspect(n, func(n ast.Node) bool {
		if r.lost {
			return false // worse it cannot get
		}
		if e, ok := n.(ast.Expr); ok {
			r.accesses(e, m)
		}
		switch n := n.(type) {
		case *ast.GoStmt:
			for _, e := range n.Call.Args {
				r.walk(e, m)
			}
			return false // runs on its own
		case *ast.SendStmt:
			r.unknown(n.Pos(), "sends to a channel")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				r.unknown(n.Pos(), "receives from a channel")
			}
		case *ast.SelectStmt:
			return r.choice(n, m)
		case *ast.ForStmt:
			r.loop(n)
		case *ast.RangeStmt:
			r.ranges(n)
		case *ast.CallExpr:
			return r.call(n, m)
		}
		return true
	})
}

// choice is a select statement: it waits, unless it has a default.
func (r *reach) choice(s *ast.SelectStmt, m mapping) (descend bool) {
	waits := true
	for _, c := range s.Body.List {
		waits = waits && c.(*ast.CommClause).Comm != nil
	}
	if waits {
		r.unknown(s.Pos(), "waits in a select")
		return true
	}
	for _, c := range s.Body.List {
		for _, stmt := range c.(*ast.CommClause).Body {
			r.walk(stmt, m)
		}
	}
	return false
}

// loop is a for statement. One whose end does not depend on the function's own
// variables alone may go round until others act.
func (r *reach) loop(s *ast.ForStmt) {
	if s.Cond == nil {
		r.unknown(s.Pos(), "loops without a condition")
		return
	}
	ast.Inspect(s.Cond, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if !r.isBuiltin(n) && !r.isConversion(n) {
				r.unknown(n.Pos(), "loops on the result of a call")
				return false
			}
		case *ast.Ident:
			if v, ok := r.pass.info.Uses[n].(*types.Var); ok && !isLocal(v) {
				r.unknown(n.Pos(), "loops on %s", n.Name)
				return false
			}
		}
		return true
	})
}

func (r *reach) ranges(s *ast.RangeStmt) {
	t := r.pass.info.TypeOf(s.X)
	if t == nil {
		r.unknown(s.Pos(), "ranges over what is not known")
		return
	}
	switch t.Underlying().(type) {
	case *types.Chan:
		r.unknown(s.Pos(), "ranges over a channel")
	case *types.Signature, *types.Interface:
		r.unknown(s.Pos(), "ranges over a function")
	}
}

func (r *reach) isBuiltin(c *ast.CallExpr) bool {
	id, ok := ast.Unparen(c.Fun).(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = r.pass.info.Uses[id].(*types.Builtin)
	return ok
}

func (r *reach) isConversion(c *ast.CallExpr) bool {
	return r.pass.info.Types[c.Fun].IsType()
}

// call collects what a call waits for; its operands are walked by who calls, unless
// it returns false.
func (r *reach) call(c *ast.CallExpr, m mapping) (descend bool) {
	if r.isBuiltin(c) || r.isConversion(c) {
		return true
	}
	if _, ok := ast.Unparen(c.Fun).(*ast.FuncLit); ok {
		return true // its body is walked in place, as are those of literals among the arguments
	}
	f := r.callee(c)
	if f == nil {
		r.unknown(c.Pos(), "calls a function value")
		return true
	}
	if recv := f.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
		r.unknown(c.Pos(), "calls %s of an interface", f.Name())
		return true
	}
	if r.synchronises(c, f) {
		return true
	}
	fn := r.plan.declaration(f)
	switch {
	case fn != nil && fn.Decl.Body != nil:
		r.follow(c, f, fn.Decl.Body, m)
	case formatsPlainly(f, c, r.pass.info):
	case !isHarmless(f):
		r.unknown(c.Pos(), "calls %s", f.FullName())
	default:
		r.callbacks(c, f)
	}
	return true
}

// callbacks complains about arguments that are functions: a literal is walked in
// place, of others nothing is known.
func (r *reach) callbacks(c *ast.CallExpr, f *types.Func) {
	for _, e := range c.Args {
		t := r.pass.info.TypeOf(e)
		if t == nil {
			continue
		}
		if _, isFunc := t.Underlying().(*types.Signature); !isFunc {
			continue
		}
		if _, ok := ast.Unparen(e).(*ast.FuncLit); !ok {
			r.unknown(e.Pos(), "hands %s a function", f.FullName())
		}
	}
}

// synchronises deals with the calls of packages sync and sync/atomic.
func (r *reach) synchronises(c *ast.CallExpr, f *types.Func) bool {
	if f.Pkg() == nil {
		return false
	}
	switch f.Pkg().Path() {
	case "sync/atomic":
		return true
	case "sync":
	default:
		return false
	}
	name := strings.TrimPrefix(f.FullName(), "(*sync.")
	switch name {
	case "Mutex).Lock", "RWMutex).Lock", "RWMutex).RLock":
		if m := r.lockOf(c); m != nil {
			r.found = append(r.found, edge{m, "takes " + types.ExprString(c.Fun.(*ast.SelectorExpr).X) + r.position(c.Pos())})
			return true
		}
		r.unknown(c.Pos(), "takes a lock that cannot be told")
	case "Mutex).Unlock", "RWMutex).Unlock", "RWMutex).RUnlock", "Mutex).TryLock", "RWMutex).TryLock", "RWMutex).TryRLock",
		"WaitGroup).Add", "WaitGroup).Done", "WaitGroup).Go", "Cond).Signal", "Cond).Broadcast", "Pool).Put",
		"Map).Load", "Map).Store", "Map).LoadOrStore", "Map).LoadAndDelete", "Map).Delete", "Map).Swap",
		"Map).CompareAndSwap", "Map).CompareAndDelete", "Map).Clear":
	default:
		r.unknown(c.Pos(), "calls %s", f.FullName())
	}
	return true
}

// follow collects what a function of the package waits for.
func (r *reach) follow(c *ast.CallExpr, f *types.Func, body *ast.BlockStmt, m mapping) {
	var inner mapping
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && f.Signature().Recv() != nil {
		if base, text := r.expression(sel.X, m); base != nil {
			inner = mapping{f.Signature().Recv(), base, text}
		}
	}
	key := fmt.Sprintf("%p %p %s", f, inner.base, inner.text)
	if r.visited[key] {
		return
	}
	r.visited[key] = true
	if r.depth == maxCalls {
		r.unknown(c.Pos(), "calls too deep to follow")
		return
	}
	r.depth++
	r.walk(body, inner)
	r.depth--
}

// accesses collects the healing locks that the access at e, if it is one, waits for.
func (r *reach) accesses(e ast.Expr, m mapping) {
	for _, x := range r.at[e] {
		h := r.plan.hookOf(x)
		if h == nil || !h.full || r.exempt[x] {
			continue
		}
		if name := r.instance(x, m); name != "" && r.own[name] {
			continue
		}
		r.found = append(r.found, edge{r.lock(x.Var), "accesses " + h.name + r.position(x.Pos())})
	}
}

// instance names the instance of the access within one piece of code, with the
// functions that it calls; empty if it cannot be told from others.
func (a *assurance) instance(x *access.Access, m mapping) string {
	if x.Pointer || x.Promoted {
		return ""
	}
	if x.Kind == access.Call { // its Cell is the method's
		fun, ok := ast.Unparen(x.Expr.(*ast.CallExpr).Fun).(*ast.SelectorExpr)
		if !ok {
			return ""
		}
		base, text := a.expression(fun.X, m)
		if base == nil {
			return ""
		}
		text += "." + x.Var.Obj.Name()
		if x.Key != nil && isNamed(x.Var.Obj.Type(), "sync", "Map") {
			key := a.key(x.Key, m)
			if key == "" {
				return ""
			}
			text += key
		}
		return instanceName(x.Var, base, text)
	}
	base, text := a.expression(x.Cell, m)
	if base == nil {
		return ""
	}
	if x.Kind == access.SyncMap {
		if x.Key == nil {
			return ""
		}
		key := a.key(x.Key, m)
		if key == "" {
			return ""
		}
		text += key
	}
	return a.lockInstance(x.Var, base, text)
}

// key names the key of a sync.Map's entry in terms of the outermost function, empty if
// it cannot be told from others.
func (a *assurance) key(e ast.Expr, m mapping) string {
	if _, key := a.expression(e, m); key != "" {
		return "[" + key + "]"
	}
	if lit, ok := ast.Unparen(e).(*ast.BasicLit); ok {
		return "[" + lit.Value + "]"
	}
	return ""
}

func instanceName(v access.Var, base *types.Var, text string) string {
	return fmt.Sprintf("%p %v %p %s", v.Obj, v.Contents, base, text)
}

// expression is e in terms of the outermost function: the variable it begins with,
// and its text. There is none for what is computed, or begins with another variable
// of a called function than its receiver.
func (a *assurance) expression(e ast.Expr, m mapping) (base *types.Var, text string) {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, _ := a.pass.info.ObjectOf(e).(*types.Var)
		switch {
		case v == nil:
		case m.receiver != nil && v == m.receiver:
			return m.base, m.text
		case m.receiver == nil || !isLocal(v):
			return v, e.Name
		}
	case *ast.StarExpr:
		return a.expression(e.X, m)
	case *ast.IndexExpr:
		base, text = a.expression(e.X, m)
		if base == nil || m.receiver != nil {
			return nil, ""
		}
		switch i := ast.Unparen(e.Index).(type) {
		case *ast.Ident:
			return base, text + "[" + i.Name + "]"
		case *ast.BasicLit:
			return base, text + "[" + i.Value + "]"
		}
	case *ast.SelectorExpr:
		if a.pass.info.Selections[e] == nil { // another package's variable
			v, _ := a.pass.info.Uses[e.Sel].(*types.Var)
			return v, e.Sel.Name
		}
		if base, text = a.expression(e.X, m); base != nil {
			return base, text + "." + e.Sel.Name
		}
	}
	return nil, ""
}
