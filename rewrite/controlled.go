package rewrite

import (
	"fmt"
	"strings"

	"go/ast"
	"go/token"
	"go/types"
	"go/version"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// The third mode, for the scheduler (papers/000 section 2): what makes goroutines,
// passes values between them or waits becomes a call of package sched, and before
// each access to a shared variable stands a point at which another goroutine may
// take its turn. One Go file here for each construct: controlledgo.go,
// controlledselect.go, controlledrange.go; package sync, the clock and package
// testing are dealt with in stdpatch.go and controlledtest.go.
//
// The accesses are found and taken apart as for Options.Races. What differs is
// that every atomic operation is a point too, that no read is left out because
// another stands before it, and that x++ has two points. The sections of
// Options.Spec are entered and ended by the accesses themselves, whose locations
// name them; a function that enters one has a frame, which is left on every way out.

// sched is a call of the scheduler.
func (p *pass) sched(name string, args ...dst.Expr) *dst.CallExpr {
	p.usesHeal, p.changed = true, true
	return call(selector(schedName, name), args...)
}

// method is a call of a method of x.
func method(x dst.Expr, name string, args ...dst.Expr) *dst.CallExpr {
	return call(&dst.SelectorExpr{X: x, Sel: ident(name)}, args...)
}

// controlExpr replaces receive operations, close, and what waits or yields in
// the standard library without a body of its own; nil leaves e as it is.
func (p *pass) controlExpr(c *dstutil.Cursor, e dst.Expr, source ast.Expr) dst.Expr {
	switch e := e.(type) {
	case *dst.UnaryExpr:
		if e.Op != token.ARROW || p.inComm[e] {
			return nil
		}
		if _, two := p.info.TypeOf(source).(*types.Tuple); two {
			return p.sched("ReceiveOK", e.X)
		}
		return p.sched("Receive", e.X)
	case *dst.CallExpr:
		if p.isBuiltin(source.(*ast.CallExpr).Fun, "close") {
			return p.sched("Close", e.Args...)
		}
	case *dst.SelectorExpr:
		return p.controlName(source.(*ast.SelectorExpr).Sel, source)
	case *dst.Ident:
		if c.Name() != "Sel" {
			return p.controlName(source.(*ast.Ident), source)
		}
	}
	return nil
}

// controlledNames are functions that are replaced wherever they are named.
var controlledNames = map[string]string{
	"time.Sleep":      "SleepFor",
	"runtime.Gosched": "Gosched",
}

func (p *pass) controlName(id *ast.Ident, e ast.Expr) dst.Expr {
	f, ok := p.info.Uses[id].(*types.Func)
	if !ok || controlledNames[f.FullName()] == "" {
		return nil
	}
	p.usesHeal, p.changed = true, true
	// The import stays in use.
	p.kept = append(p.kept, types.ExprString(e))
	return selector(schedName, controlledNames[f.FullName()])
}

func (p *pass) isBuiltin(fun ast.Expr, name string) bool {
	id, ok := ast.Unparen(fun).(*ast.Ident)
	if !ok {
		return false
	}
	b, ok := p.info.Uses[id].(*types.Builtin)
	return ok && b.Name() == name
}

// controlSend replaces a send statement.
func (p *pass) controlSend(c *dstutil.Cursor, s *dst.SendStmt) {
	send := &dst.ExprStmt{X: method(p.sched("To", s.Chan), "Send", s.Value)}
	p.attribute(send, p.ast(s))
	p.attribute(send.X, p.ast(s))
	moveDecorations(s, []dst.Stmt{send})
	c.Replace(send)
}

// enterComm marks the receive operation of a select case: the case is one
// operation together with the others.
func (p *pass) enterComm(n *dst.CommClause) {
	if e := receiveOf(n.Comm); e != nil {
		p.inComm[e] = true
	}
}

// receiveOf is the receive operation of a communication, nil for a send.
func receiveOf(s dst.Stmt) *dst.UnaryExpr {
	var e dst.Expr
	switch s := s.(type) {
	case *dst.ExprStmt:
		e = s.X
	case *dst.AssignStmt:
		e = s.Rhs[0]
	default:
		return nil
	}
	u, _ := dstutil.Unparen(e).(*dst.UnaryExpr)
	return u
}

// controlCommaOk says whether s assigns the second result of a receive
// operation, which is an untyped bool, to a variable that is no plain bool: the
// scheduler's is one.
func (p *pass) controlCommaOk(s *dst.AssignStmt) bool {
	if !p.plan.control || len(s.Lhs) != 2 || len(s.Rhs) != 1 || isBlank(s.Lhs[1]) {
		return false
	}
	e, ok := ast.Unparen(p.sourceOf(s.Rhs[0])).(*ast.UnaryExpr)
	return ok && e.Op == token.ARROW && !isPlainBool(p.typeOf(s.Lhs[1]))
}

func (p *pass) sourceOf(e dst.Expr) ast.Expr {
	if source := p.expr(e); source != nil {
		return source
	}
	return &ast.BadExpr{}
}

// controlRedefinition is v, ok := <-c where ok is declared already and no plain
// bool; such a statement must stay one, with its scope.
func (p *pass) controlRedefinition(s *dst.AssignStmt) []dst.Stmt {
	name := p.temp(tempPrefix)
	ok := s.Lhs[1]
	s.Lhs[1] = ident(name)
	return []dst.Stmt{s, assign(ok, &dst.BinaryExpr{X: ident(name), Op: token.EQL, Y: p.truth()})}
}

// runtimeName is the name that the emitted code imports the runtime by.
func (p *plan) runtimeName() string {
	if p.control {
		return schedName
	}
	return healName
}

// orAtomic is shared, and all operations of sync/atomic besides: they never race
// but their order matters.
func orAtomic(shared func(*access.Access) bool) func(*access.Access) bool {
	return func(a *access.Access) bool {
		return a.Kind == access.Atomic && !isInitialisation(a) || shared(a)
	}
}

// controlSource is the Go text of the tables of sections and locations. pkg is the
// path of the package that the sections are of.
func (t *tables) controlSource(pkg string) string {
	var b strings.Builder
	if len(t.sections) > 0 {
		fmt.Fprintf(&b, "var _ar_sections%s = [...]%s.Section{\n", t.suffix, schedName)
		for _, s := range t.sections {
			fmt.Fprintf(&b, "\t{Package: %q, ID: %q, Variable: %q, Allow: %d%s},\n", pkg, s.id, s.variable.of().qualified(), s.tolerated, s.setSource())
		}
		b.WriteString("}\n\n")
	}
	fmt.Fprintf(&b, "var _ar_locs%s = [...]%s.Location{\n", t.suffix, schedName)
	for i := range t.locations {
		l := &t.locations[i]
		v := l.variable.of()
		fmt.Fprintf(&b, "\t{File: %q, Line: %d, Column: %d, Func: %q, Variable: %q, ID: %q",
			l.file, l.line, l.column, l.function, v.qualified(), l.id(v))
		if l.mode == atomicity.ReadWrite {
			b.WriteString(", Update: " + t.truth())
		}
		l.writeSections(&b, schedName)
		b.WriteString("},\n")
	}
	b.WriteString("}\n")
	return b.String()
}

// setSource is what the scheduler must know of the other variables of a set.
func (s *sectionEntry) setSource() string {
	if len(s.members) == 0 {
		return ""
	}
	list := make([]string, len(s.members))
	for i, m := range s.members {
		list[i] = fmt.Sprintf("{Variable: %q}", m.name)
		if m.size != "" {
			list[i] = fmt.Sprintf("{Variable: %q, Offset: %s, Size: %s}", m.name, m.offset, m.size)
		}
	}
	text := ", Members: []" + schedName + ".Member{" + strings.Join(list, ", ") + "}"
	if s.offset != "" {
		text = ", Offset: " + s.offset + text
	}
	return text
}

func (v *variable) qualified() string { return v.pkg + "." + v.name }

// controlledStd are the standard packages that start goroutines and wait for
// them at the request of the program, and so are rewritten with it.
var controlledStd = []string{
	"context", "crypto/tls", "database/sql", "internal/singleflight", "net", "net/http", "net/http/httptest",
	"net/http/httputil", "net/rpc", "net/textproto", "testing",
}

// id names the location by what stays when lines are added above it: function,
// variable, mode, and the number among such accesses in that function.
func (l *location) id(v *variable) string {
	mode := "read"
	if l.mode&atomicity.Write != 0 {
		mode = "write"
	}
	return fmt.Sprintf("%s/%s/%s#%d", l.function, v.qualified(), mode, l.ordinal)
}

// boolean is an untyped constant.
func (p *pass) boolean(b bool) dst.Expr {
	if b {
		return p.truth()
	}
	return &dst.UnaryExpr{Op: token.NOT, X: p.truth()}
}

// controlBulk has the points before copy and clear of a slice.
func (p *pass) controlBulk(e *dst.CallExpr, source ast.Expr, h bulkHooks) dst.Expr {
	var writes, reads dst.Expr = ident("nil"), ident("nil")
	if h.write != nil {
		writes = p.use(h.write)[0]
	}
	switch {
	case len(e.Args) == 1:
		return p.heal("ClearSlice", writes, e.Args[0])
	case !isSlice(p.info.TypeOf(source.(*ast.CallExpr).Args[1])):
		return p.heal("CopyString", writes, e.Args[0], e.Args[1])
	}
	if h.read != nil {
		reads = p.use(h.read)[0]
	}
	return p.heal("CopySlice", writes, reads, e.Args[0], e.Args[1])
}

// controlElement reads the element of a range loop in its body, so that the point
// comes before: there the loop's variable is the same one as in the clause, from
// the language version on in which each round has its own.
func (p *pass) controlElement(s *dst.RangeStmt, source *ast.RangeStmt, element dst.Expr) {
	v := p.info.FileVersions[p.file]
	if !version.IsValid(v) || version.Compare(v, "go1.22") < 0 {
		return
	}
	read := &dst.AssignStmt{Lhs: []dst.Expr{s.Value}, Tok: s.Tok, Rhs: []dst.Expr{again(element)}}
	p.attribute(read, source)
	read.Decs.Before, read.Decs.After = dst.NewLine, dst.NewLine
	s.Value = nil
	inner := &dst.BlockStmt{List: s.Body.List} // may declare a variable of that name
	inner.Decs.Before, inner.Decs.After = dst.NewLine, dst.NewLine
	s.Body.List = []dst.Stmt{read, inner}
}
