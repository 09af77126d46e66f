package rewrite

import (
	"go/ast"
	"go/token"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// isSection says whether x op= y is a whole section, which begins with the read and
// ends with the write, and nothing else begins or ends there, so that the runtime's
// Enter and Leave may stand around it. Between them nothing may call or panic.
func (p *pass) isSection(read, write *hook, op token.Token, x ast.Expr) bool {
	if p.plan.control || read == nil || write == nil || !read.full || !write.full || !p.isHarmless(op, x) {
		return false
	}
	from, to := &read.table.locations[read.index], &write.table.locations[write.index]
	if len(from.entry) != 1 || len(from.ends) > 0 || len(from.sets) > 0 || len(to.entry) > 0 || len(to.sets) > 0 {
		return false
	}
	s := from.entry[0]
	for _, e := range to.ends {
		if e.section == s {
			return !s.table.sections[s.index].circular
		}
	}
	return false
}

// isSimple says whether to evaluate the operand is beyond notice: it is a constant, or
// a variable that nobody else has.
func (p *pass) isSimple(operand dst.Expr) bool {
	operand = dstutil.Unparen(operand)
	if source := p.expr(operand); source != nil {
		return p.isTrivial(source)
	}
	switch operand.(type) {
	case *dst.BasicLit, *dst.Ident:
		return true // put there by us
	}
	return false
}

// updateSection is x op= operand as a section of its own: at once if nobody else is
// near, else as two accesses. Those have a frame of their own if nothing else in the
// function needs one.
func (p *pass) updateSection(t target, read *hook, op token.Token, operand dst.Expr) dst.Stmt {
	f := p.fn()
	frame, end := f.frame, f.end
	slow := &dst.BlockStmt{List: p.updateInTwo(t, read, op, operand)}
	f.frame, f.end = frame, end
	f.self = true
	f.updates = append(f.updates, slow)

	word, ok := p.temp(wordPrefix), p.temp(tempPrefix)
	args := []dst.Expr{ident(selfName), p.location(read), p.location(t.hook), p.pointer(again(t.at)), p.sizeof(again(t.cell))}
	enter := &dst.AssignStmt{Lhs: []dst.Expr{ident(word), ident(ok)}, Tok: token.DEFINE, Rhs: []dst.Expr{p.heal("Enter", args...)}}
	update := &dst.AssignStmt{Lhs: []dst.Expr{again(t.cell)}, Tok: assignOps[op], Rhs: []dst.Expr{again(operand)}}
	leave := statement(p.heal("Leave", append([]dst.Expr{ident(word)}, againAll(args)...)...))
	return &dst.IfStmt{Init: enter, Cond: ident(ok), Body: &dst.BlockStmt{List: []dst.Stmt{update, leave}}, Else: slow}
}

// frameUpdates gives the updates of f their frames, if f has none itself.
func (p *pass) frameUpdates(f *function) {
	if f.frame {
		return
	}
	for _, slow := range f.updates {
		slow.List = append([]dst.Stmt{define(frameName, p.heal("Begin"))}, slow.List...)
		slow.List = append(slow.List, statement(call(selector(frameName, "End"))))
	}
}
