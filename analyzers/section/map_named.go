package section

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// naming are the names of methods that tell by what an object is known.
var naming = pattern.New(`(ID|Id|UID|UUID|Key|Name|Hash|Fingerprint|Digest|Addr|Address|String|Path|Topic|Subject|URL|URI|Token)$`)

// partOf splits x.ID and x.Name() into x and the rest; what is neither has no rest.
func partOf(e ast.Expr) (x ast.Expr, part string) {
	e, called := ast.Unparen(e), ""
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 0 {
		e, called = ast.Unparen(call.Fun), "()"
	}
	sel, ok := e.(*ast.SelectorExpr)
	if !ok || called != "" && (!naming.MatchString(sel.Sel.Name) || drawing.MatchString(sel.Sel.Name)) {
		return e, ""
	}
	return ast.Unparen(sel.X), "." + sel.Sel.Name + called
}

// named looks through a local that is the name of a part of another variable, as
// id := x.ID is: what belongs to x goes by either. It also looks through one that is
// another name of a parameter which never changes.
func (v *values) named(e ast.Expr) ast.Expr {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return e
	}
	list := v.assigns[v.pkg.Info.ObjectOf(id)]
	if len(list) != 1 {
		return e
	}
	x, part := partOf(list[0].value)
	if of, ok := x.(*ast.Ident); ok {
		obj, isVar := v.pkg.Info.ObjectOf(of).(*types.Var)
		if isVar && (part != "" || !accesses.IsGlobal(obj) && len(v.assigns[obj]) == 0) {
			return list[0].value
		}
	}
	return e
}

// keyText is what the key is called, wherever it is used.
func (v *values) keyText(e ast.Expr) string { return types.ExprString(v.named(e)) }
