package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
)

var updateOps = map[token.Token]token.Token{
	token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB, token.MUL_ASSIGN: token.MUL,
	token.QUO_ASSIGN: token.QUO, token.REM_ASSIGN: token.REM, token.AND_ASSIGN: token.AND,
	token.OR_ASSIGN: token.OR, token.XOR_ASSIGN: token.XOR, token.SHL_ASSIGN: token.SHL,
	token.SHR_ASSIGN: token.SHR, token.AND_NOT_ASSIGN: token.AND_NOT,
}

// assignOps are the operations x op= y by their op.
var assignOps = func() map[token.Token]token.Token {
	ops := map[token.Token]token.Token{}
	for assign, op := range updateOps {
		ops[op] = assign
	}
	return ops
}()

// update hooks x op= operand and x++ (operand nil): a hooked read, the
// computation, a hooked write. The operand's calls come before the read, as
// they do without hooks.
func (p *pass) update(x dst.Expr, op token.Token, operand dst.Expr) []dst.Stmt {
	source := p.expr(x)
	read := p.hook(source, atomicity.Read, writeKinds...)
	write := p.hook(source, atomicity.Write, writeKinds...)
	if read == nil && write == nil && (operand == nil || !p.readsBefore([]dst.Expr{x}, []dst.Expr{operand})) {
		return nil
	}
	some := write
	if some == nil {
		some = read
	}
	var seq []dst.Stmt
	t, ok := p.newTarget(x, some, false, &seq)
	if !ok {
		return nil
	}
	if operand == nil {
		operand = number(1)
	} else if from := p.expr(operand); from != nil && !tvConst(p.info, from) && (isEffectful(operand) || !p.isTrivial(from)) {
		if p.isUntypedShift(from) {
			if isEffectful(operand) {
				typed, ok := p.typeExpr(p.info.TypeOf(from), from.Pos())
				if !ok {
					p.unhooked(some, "the type of the operand cannot be named here")
					return nil
				}
				operand = p.intoTemp(call(typed, operand), &seq)
			}
		} else {
			operand = p.intoTemp(operand, &seq)
		}
	}
	if _, isBinary := dstutil.Unparen(operand).(*dst.BinaryExpr); isBinary {
		operand = &dst.ParenExpr{X: operand}
	}
	t.hook = some
	p.locate(&t, &seq)
	t.hook = write
	if some == nil {
		whole := &dst.AssignStmt{Lhs: []dst.Expr{t.cell}, Tok: assignOps[op], Rhs: []dst.Expr{operand}}
		return []dst.Stmt{p.block(append(seq, whole), nil)}
	}
	if p.inOneWindow(read, write, op, source) {
		return []dst.Stmt{p.block(append(seq, p.updateAtOnce(t, op, operand)...), nil)}
	}
	if p.isSection(read, write, op, source) && t.m == nil && p.isSimple(operand) {
		return []dst.Stmt{p.block(append(seq, p.updateSection(t, read, op, operand)), nil)}
	}
	return []dst.Stmt{p.block(append(seq, p.updateInTwo(t, read, op, operand)...), nil)}
}

// updateInTwo is x op= operand as two accesses: a hooked read and a hooked write.
func (p *pass) updateInTwo(t target, read *hook, op token.Token, operand dst.Expr) []dst.Stmt {
	value := p.temp(tempPrefix)
	sum := define(value, &dst.BinaryExpr{X: p.loadTarget(t, read), Op: op, Y: operand})
	return append([]dst.Stmt{sum}, p.store(t, ident(value))...)
}

// inOneWindow says whether the read and the write of x op= y may share the
// window of the write: both are watched for races alone, and the operation can
// neither panic, which would leave the window open, nor call anything.
func (p *pass) inOneWindow(read, write *hook, op token.Token, x ast.Expr) bool {
	if p.plan.control {
		return false // another goroutine may come in between
	}
	return write != nil && !write.full && (read == nil || !read.full) && p.isHarmless(op, x)
}

// isHarmless says whether the operation on x can neither panic nor call anything.
func (p *pass) isHarmless(op token.Token, x ast.Expr) bool {
	switch op {
	case token.QUO, token.REM, token.SHL, token.SHR:
		return false
	}
	t, ok := p.info.TypeOf(x).Underlying().(*types.Basic)
	return ok && t.Info()&types.IsNumeric != 0
}

// updateAtOnce is x op= y between the light hooks.
func (p *pass) updateAtOnce(t target, op token.Token, operand dst.Expr) []dst.Stmt {
	write := &dst.AssignStmt{Lhs: []dst.Expr{t.cell}, Tok: assignOps[op], Rhs: []dst.Expr{operand}}
	if t.m != nil {
		return p.around(t, write)
	}
	return p.marked(t.hook, p.pointer(t.at), p.sizeof(again(t.cell)), write)
}
