package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// The compiler keeps deferred calls cheap (it open-codes them) in functions whose number of
// defer statements times that of return statements is at most 15. A function that is there
// twice has twice as many of both, and one more defer for its frame, so that activations at
// rest would pay for what is deferred in the hooked body alone. Both bodies then share one
// return:
//
//	case rest:
//		... n, err = len(b), nil
//		    goto _ar_end
//	}
//	{
//		the body with hooks
//	}
//	_ar_end:
//		return n, err
//
// Where the body with hooks cannot stand in a block, the other one has one for itself.
//
// What is deferred is called from the line of the return statement if defer is open-coded,
// from that of the closing brace otherwise, and from the latter here.

// openCoded is the product up to which, and maxDefers the number of defer statements up to
// which, the compiler open-codes defer (cmd/compile/internal/ssagen and walk).
const openCoded, maxDefers = 15, 8

// oneEnd gives both bodies of fn, or plain, the one without hooks, a single return, if that
// makes the compiler open-code what it would not otherwise, and does when there are no
// hooks. plain must end in a statement that leaves it, but for functions with results.
func (p *pass) oneEnd(fn ast.Node, hooked, plain *dst.BlockStmt) {
	defers, returns := tallyEnds(plain)
	moreDefers, moreReturns := tallyEnds(hooked)
	all := defers + moreDefers
	if defers > maxDefers || defers*returns > openCoded || all == 0 || all > maxDefers || all*(returns+moreReturns) <= openCoded {
		return
	}
	last := plain
	if !p.redefines(fn) {
		last = hooked
	}
	leaving := p.assignable(fn, plain)
	if last == hooked {
		for r := range p.assignable(fn, hooked) {
			leaving[r] = true
		}
	}
	if len(leaving) == 0 || all*(returns+moreReturns-len(leaving)+1) > openCoded {
		return
	}
	names := p.nameResults(fn)
	for _, body := range []*dst.BlockStmt{plain, hooked} {
		dstutil.Apply(body, func(c *dstutil.Cursor) bool {
			if r, ok := c.Node().(*dst.ReturnStmt); ok && leaving[r] {
				p.replaceReturn(c, r, names)
			}
			return true
		}, nil)
	}
	end := &dst.ReturnStmt{Results: idents(names)}
	p.attribute(end, &ast.EmptyStmt{Semicolon: bodyOf(fn).Rbrace})
	last.List = []dst.Stmt{&dst.BlockStmt{List: last.List}, &dst.LabeledStmt{Label: ident(endLabel), Stmt: end}}
}

// redefines says whether a := of the body assigns to a parameter, which it would not in a
// block of its own.
func (p *pass) redefines(fn ast.Node) (found bool) {
	parameters := p.parametersOf(fn)
	for _, s := range bodyOf(fn).List {
		if define, ok := s.(*ast.AssignStmt); ok && define.Tok == token.DEFINE {
			for _, l := range define.Lhs {
				found = found || parameters[p.used(l)]
			}
		}
	}
	return found
}

// replaceReturn puts what the return statement returns into the results, and goes to the
// end.
func (p *pass) replaceReturn(c *dstutil.Cursor, n *dst.ReturnStmt, names []string) {
	leave := &dst.BranchStmt{Tok: token.GOTO, Label: ident(endLabel)}
	seq := []dst.Stmt{leave}
	if len(n.Results) > 0 {
		seq = []dst.Stmt{&dst.AssignStmt{Lhs: idents(names), Tok: token.ASSIGN, Rhs: n.Results}, leave}
	}
	moveDecorations(n, seq)
	for _, s := range seq {
		p.attribute(s, p.ast(n))
	}
	if c.Index() < 0 {
		block := &dst.BlockStmt{List: seq}
		p.attribute(block, p.ast(n))
		c.Replace(block)
		return
	}
	for _, s := range seq[:len(seq)-1] {
		c.InsertBefore(s)
	}
	c.Replace(leave)
}

// tallyEnds counts the defer and return statements of a body.
func tallyEnds(body *dst.BlockStmt) (defers, returns int) {
	dst.Inspect(body, func(n dst.Node) bool {
		switch n.(type) {
		case *dst.FuncLit:
			return false
		case *dst.DeferStmt:
			defers++
		case *dst.ReturnStmt:
			returns++
		}
		return true
	})
	return defers, returns
}

// assignable are the return statements of the body that the results are seen from by their
// names.
func (p *pass) assignable(fn ast.Node, body *dst.BlockStmt) map[*dst.ReturnStmt]bool {
	found := map[*dst.ReturnStmt]bool{}
	dst.Inspect(body, func(n dst.Node) bool {
		if r, ok := n.(*dst.ReturnStmt); ok && p.canAssign(fn, r) {
			found[r] = true
		}
		_, inner := n.(*dst.FuncLit)
		return !inner
	})
	return found
}

func (p *pass) canAssign(fn ast.Node, n *dst.ReturnStmt) bool {
	source := p.ast(n)
	if len(n.Results) == 0 {
		return true
	}
	if source == nil {
		return false
	}
	scope := p.plan.pkg.Types.Scope().Innermost(source.Pos())
	if scope == nil {
		return false
	}
	for v := range p.resultsOf(fn).Variables() {
		if v.Name() == "" || v.Name() == "_" {
			continue
		}
		if _, seen := scope.LookupParent(v.Name(), source.Pos()); seen != v {
			return false
		}
	}
	return true
}

func (p *pass) resultsOf(fn ast.Node) *types.Tuple {
	if d, ok := fn.(*ast.FuncDecl); ok {
		return p.info.Defs[d.Name].Type().(*types.Signature).Results()
	}
	return p.info.TypeOf(fn.(*ast.FuncLit)).Underlying().(*types.Signature).Results()
}

// nameResults are the names of the results of fn, which has names for all of them then.
func (p *pass) nameResults(fn ast.Node) []string {
	typ := p.dec.Dst.Nodes[typeOf(fn)].(*dst.FuncType)
	if typ.Results == nil {
		return nil
	}
	var names []string
	for _, field := range typ.Results.List {
		if len(field.Names) == 0 {
			field.Names = []*dst.Ident{ident("_")}
		}
		for _, name := range field.Names {
			if name.Name == "_" {
				name.Name = resultPrefix + strconv.Itoa(len(names)+1)
			}
			names = append(names, name.Name)
		}
	}
	return names
}

func idents(names []string) []dst.Expr {
	var list []dst.Expr
	for _, name := range names {
		list = append(list, ident(name))
	}
	return list
}
