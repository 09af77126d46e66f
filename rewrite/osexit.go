package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// hookExits has os.Exit end the program as main does: os.Exit(heal.ExitCode(c)), and
// where it is not called at once, as in defer os.Exit(c) and var exit = os.Exit,
// heal.ExitFunc(os.Exit), since what c becomes is not known until then.
func (p *pass) hookExits() {
	called := map[dst.Expr]bool{}
	dstutil.Apply(p.root, func(c *dstutil.Cursor) bool {
		call, ok := c.Node().(*dst.CallExpr)
		if !ok || len(call.Args) != 1 || p.detached[call] != "" {
			return true
		}
		if fun := dstutil.Unparen(call.Fun); p.isExit(fun) {
			called[fun] = true
			call.Args[0] = p.heal("ExitCode", call.Args[0])
			p.changed = true
		}
		return true
	}, func(c *dstutil.Cursor) bool {
		e, ok := c.Node().(dst.Expr)
		if !ok || called[e] || !p.isExit(e) {
			return true
		}
		if _, selected := c.Parent().(*dst.SelectorExpr); !selected {
			p.replace(c, e, p.heal("ExitFunc", e))
			p.changed = true
		}
		return true
	})
}

// isExit says whether e names os.Exit.
func (p *pass) isExit(e dst.Expr) bool {
	var name *ast.Ident
	switch source := p.dec.Ast.Nodes[e].(type) {
	case *ast.SelectorExpr:
		name = source.Sel
	case *ast.Ident:
		name = source
	default:
		return false
	}
	f, ok := p.info.Uses[name].(*types.Func)
	return ok && f.FullName() == "os.Exit"
}
