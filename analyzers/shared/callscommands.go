package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// findCommands finds what a program runs first, in its main goroutine, when its command line says so:
//
//	cmd := &cobra.Command{Use: "serve", RunE: func(cmd *cobra.Command, args []string) error { … }}
//	app.Action = serve
func (c *caller) findCommands() {
	c.commands, c.commandLits = map[*types.Func]bool{}, map[*ast.FuncLit]bool{}
	note := func(field *ast.Ident, of types.Type, e ast.Expr) {
		tn := accesses.TypeName(of)
		if tn == nil || tn.Name() != "Command" && tn.Name() != "App" || !commandFields.MatchString(field.Name) {
			return
		}
		if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
			c.commandLits[lit] = true
		} else if fn := c.funcValue(e, c.named); fn != nil {
			c.commands[fn] = true
		}
	}
	for _, file := range c.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if pair, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := pair.Key.(*ast.Ident); ok {
							note(key, c.pkg.Info.TypeOf(n), pair.Value)
						}
					}
				}
			case *ast.AssignStmt:
				for i, e := range n.Lhs {
					if sel, ok := e.(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
						note(sel.Sel, c.pkg.Info.TypeOf(sel.X), n.Rhs[i])
					}
				}
			}
			return true
		})
	}
}

var commandFields = pattern.New(`^((Persistent)?(Pre|Post)?RunE?|Action|Before|After|Exec)$`)
