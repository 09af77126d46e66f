package section

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/pattern"
)

// logging are the names of functions that write a line for people.
var logging = pattern.New(`(?i)log|print|debug|info|warn|fatal|trace`)

// logLibraries are the import paths of packages that do nothing but to write such lines, loggers
// those of a module's own and the names of their types, and levels the functions of these that do.
var (
	logLibraries = pattern.New(`(^|/)(zap|zapcore|zerolog|zerolog/log|logrus|klog|glog|logr|hclog|seelog|log15|apex/log)(/v\d+|\.v\d+)?$`)
	loggers      = pattern.New(`(?i)(^|/|[a-z])(log|logs|logger|logging)(/v\d+)?$`)
	levels       = pattern.New(`^(?i:trace|debug|info|notice|warn|warning|error|print|verbose|log)(?i:f|ln|w|s|ctx|context|depth)*$`)
	ending       = pattern.New(`(?i)fatal|panic|exit`)
)

// writesLog says whether all that the function does is to write a line of a log: to do it twice
// is to say it twice.
func writesLog(fn *types.Func) bool {
	if ending.MatchString(fn.Name()) {
		return false
	}
	if logLibraries.MatchString(fn.Pkg().Path()) {
		return true
	}
	if !levels.MatchString(fn.Name()) {
		return false
	}
	if loggers.MatchString(fn.Pkg().Path()) {
		return true
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	tn := accesses.TypeName(recv.Type())
	return tn != nil && loggers.MatchString(tn.Name())
}

// logged says whether the value read goes into a line of a log and nowhere else: one of
// an earlier moment does no harm there.
func (s *search) logged(o *occurrence) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		stmt, ok := n.(*ast.ExprStmt)
		if !ok || stmt.Pos() > o.Pos() || stmt.End() < o.End() {
			return !found
		}
		call, ok := ast.Unparen(stmt.X).(*ast.CallExpr)
		if !ok || !logging.MatchString(types.ExprString(call.Fun)) {
			return !found
		}
		found = slices.ContainsFunc(call.Args, func(arg ast.Expr) bool {
			return ast.Unparen(arg) == o.Expr
		})
		return !found
	})
	return found
}

// cameOut says whether o belongs to a struct that a call of this package gave the function
// by value, where the callee puts another one into its place: what was taken out is nobody
// else's.
func (s *search) cameOut(o *occurrence) bool {
	root := o.place.Root
	if root == nil || len(s.values.assigns[root]) != 1 {
		return false
	}
	call, ok := ast.Unparen(s.values.assigns[root][0].value).(*ast.CallExpr)
	if _, isStruct := root.Type().Underlying().(*types.Struct); !ok || !isStruct {
		return false
	}
	b := s.pkg.ByFunc[s.locks.Callee(call)]
	return b != nil && slices.ContainsFunc(s.states[b].order, func(w *occurrence) bool {
		return w.Mode == atomicity.Write && w.via == nil && types.Identical(w.Var.Obj.Type(), root.Type())
	})
}
