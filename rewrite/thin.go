package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"hash/fnv"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
)

// A function with hooks is there twice, with Options.Thin: as it was written, for the
// activations that heal's budget leaves unwatched, and with its hooks. Which one an
// activation runs is decided as it begins, so that all windows and sections it opens it
// closes (heal knows of those that may end in another activation, see apart.go). What Spec
// heals is watched always: a function with such hooks stays single, and so do the main
// loop of a goroutine (mainloop.go) and a function with a section that is apart and a range
// over a function (apart.go).
//
//	switch heal.Told(5) {
//	case watchAndCount:
//		heal.Activated(5)
//	case restAndCount:
//		heal.Activated(5)
//		fallthrough
//	case rest:
//		the body as it was written
//	}
//	the body with hooks
//
// Any such function may have to count its activations: heal decides by groups of functions,
// here the fifth, which do.

// What heal tells a group.
const rest, watchAndCount, restAndCount = 0, 1, 2

// groups is among how many groups of functions heal chooses those whose activations are
// counted.
const groups = 32

// short is how many hooks a function must have, unless it has a loop, for a call not to
// matter where it counts.
const short = 6

// tellOuter says what the literal f, complete by now, means for the function around it:
// what stays within an activation goes the way of that.
func (p *pass) tellOuter(f *function, hooked bool) {
	if len(p.functions) == 0 {
		return
	}
	outer := p.fn()
	outer.once = outer.once || f.once
	if lit, ok := f.node.(*ast.FuncLit); ok && f.stay[lit] {
		outer.light += f.light
		outer.full += f.full
		if f.frame {
			outer.full++ // for a healing hold there is a frame without a hook
		}
		outer.nested = outer.nested || f.nested
		return
	}
	outer.nested = outer.nested || f.nested || f.light > 0 || f.full > 0 || hooked
}

// thinned puts the body as it was written ahead of the hooked one, if there is something
// to gain.
func (p *pass) thinned(f *function, body *dst.BlockStmt) {
	sections := f.full > 0 || f.frame
	if !p.plan.thin || f.light == 0 && !sections || f.nested || f.once {
		return
	}
	if lit, ok := f.node.(*ast.FuncLit); ok && f.stay[lit] && len(p.functions) > 0 {
		return // as the function around it
	}
	if fn, ok := f.node.(*ast.FuncDecl); ok && strings.HasPrefix(fn.Name.Name, "Example") {
		return // what an example prints stands in a comment of its body: go vet wants it once
	}
	loops, waits := p.loops(f)
	if waits {
		return
	}
	source := bodyOf(f.node)
	if source == nil || !p.standsInBlock(f.node, source) {
		return
	}
	plain := p.unhookedBody(source)
	if plain == nil {
		return
	}
	p.keepParameters(f.node, plain)
	if typeOf(f.node).Results == nil && !p.neverEnds(source) {
		plain.List = append(plain.List, &dst.ReturnStmt{})
	}
	p.oneEnd(f.node, body, plain)
	choice := p.choice(plain, sections, f.light+f.full < short && !loops)
	p.attribute(choice, f.node)
	body.List = append([]dst.Stmt{choice}, body.List...)
	p.hooks.Thinned++
}

// choice runs plain if that is what the functions of a group are told, and counts. At rest
// that is one comparison; what counts stands apart, so that nothing has to be kept for a
// call ahead of it.
func (p *pass) choice(plain *dst.BlockStmt, sections, inline bool) *dst.SwitchStmt {
	group := p.plan.nextGroup()
	told := "Told"
	if sections {
		told = "ToldAll"
	}
	count := func() dst.Stmt {
		if !inline {
			return &dst.ExprStmt{X: p.heal("Activated", number(group))}
		}
		over := &dst.ExprStmt{X: p.heal("BatchOver", number(group))}
		return &dst.IfStmt{Cond: p.heal("Tick", number(group)), Body: &dst.BlockStmt{List: []dst.Stmt{over}}}
	}
	clause := func(told int, body ...dst.Stmt) dst.Stmt {
		return &dst.CaseClause{List: []dst.Expr{number(told)}, Body: body}
	}
	return &dst.SwitchStmt{Tag: p.heal(told, number(group)), Body: &dst.BlockStmt{List: []dst.Stmt{
		clause(watchAndCount, count()),
		clause(restAndCount, count(), &dst.BranchStmt{Tok: token.FALLTHROUGH}),
		clause(rest, plain.List...),
	}}}
}

// nextGroup is the group of the next function of the package. Packages begin with different
// ones, and a small package has each function in a group of its own.
func (p *plan) nextGroup() int {
	if p.thinned == 0 {
		h := fnv.New32a()
		h.Write([]byte(p.pkg.PkgPath))
		p.thinned = int(h.Sum32() % groups)
	}
	p.thinned++
	return p.thinned % groups
}

// neverEnds says whether the end of the body is surely not reached, so that go vet would
// complain about a statement there.
func (p *pass) neverEnds(body *ast.BlockStmt) bool {
	if !endsTerminating(body.List) {
		return false
	}
	builtin := true // what isTerminating takes for panic
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == "panic" {
			_, is := p.info.Uses[id].(*types.Builtin)
			builtin = builtin && is
		}
		return builtin
	})
	return builtin
}

// unhookedBody is the body as it was written. Its labels have names of their own.
func (p *pass) unhookedBody(source *ast.BlockStmt) *dst.BlockStmt {
	if p.pristine == nil {
		p.pristine = decorator.NewDecorator(p.plan.pkg.Fset)
		if _, err := p.pristine.DecorateFile(p.file); err != nil {
			return nil
		}
	}
	body, ok := p.pristine.Dst.Nodes[source].(*dst.BlockStmt)
	if !ok {
		return nil
	}
	dst.Inspect(body, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.LabeledStmt:
			if n.Label.Name != "_" {
				n.Label.Name = labelPrefix + n.Label.Name
			}
		case *dst.BranchStmt:
			if n.Label != nil {
				n.Label.Name = labelPrefix + n.Label.Name
			}
		}
		if source, ok := p.pristine.Ast.Nodes[n]; ok {
			p.dec.Ast.Nodes[n] = source
		}
		return true
	})
	return body
}

func typeOf(fn ast.Node) *ast.FuncType {
	if fn, ok := fn.(*ast.FuncDecl); ok {
		return fn.Type
	}
	return fn.(*ast.FuncLit).Type
}

func receiverOf(fn ast.Node) *ast.FieldList {
	if fn, ok := fn.(*ast.FuncDecl); ok {
		return fn.Recv
	}
	return nil
}
