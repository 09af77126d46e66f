package locks

import (
	"go/ast"
	"go/types"
	"reflect"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
)

// Analyzer computes the *Result of a package.
var Analyzer = &analysis.Analyzer{
	Name:             "locks",
	Doc:              docs.Extract(doc, "locks"),
	URL:              docs.URL("locks"),
	Requires:         []*analysis.Analyzer{accesses.Analyzer},
	FactTypes:        []analysis.Fact{new(Fact)},
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
}

// Result is the result of Analyzer. It is read-only once computed.
type Result struct {
	pkg       *accesses.Package
	summaries map[*types.Func][]Op
	entry     map[*accesses.Body]Set
	in        map[*accesses.Body][]Set // at the start of each block
	called    map[*ast.Ident]bool      // identifiers in call position
	literals  map[types.Object]*ast.FuncLit
	namedLits map[types.Object]*ast.FuncLit // see named
	ops       map[*ast.CallExpr][]Op        // as the summaries stand
	assumes   map[*ast.FuncDecl]bool        // see assumesLock
	only      map[*types.Func]*types.Func   // see findOnly
	sole      map[*types.TypeName]*types.TypeName
	callees   map[*ast.CallExpr]*types.Func // see findCallees

	chanLocks map[*types.Var]*channelLock
	spinLocks map[*types.Var]bool
	inArm     map[ast.Node]*ast.SelectStmt // sends and receives that a select chooses from
	lastArms  map[*ast.CommClause]bool     // of selects without a default

	spawned  map[*types.Func][]int       // parameters run as goroutines, see facts.IndexOf
	under    map[*types.Func]map[int]Set // of other packages: what they hold when they call a parameter
	imports  facts.Imports
	imported map[*types.Func]bool
	globals  facts.Globals
}

// Entry is what is held when the body starts.
func (r *Result) Entry(b *accesses.Body) Set { return r.entry[b] }

// Walk calls visit for each event of b that can be reached, with the locks held
// before it.
func (r *Result) Walk(b *accesses.Body, visit func(block, index int, ev accesses.Event, held Set)) {
	in := r.in[b]
	for _, block := range b.CFG.Blocks {
		held := in[block.Index]
		if held == nil {
			continue
		}
		for i, ev := range b.Events[block.Index] {
			visit(int(block.Index), i, ev, held)
			held = r.after(held, ev)
		}
	}
}

// Ops is what the event does to locks.
func (r *Result) Ops(ev accesses.Event) []Op {
	switch ev.Kind {
	case accesses.OnSend, accesses.OnReceive:
		if op, ok := r.channelOp(ev.Node); ok && (op.Kind == Release || r.inArm[ev.Node] == nil) {
			return []Op{op}
		}
		return nil
	case accesses.OnCall:
	default:
		return nil
	}
	call := ev.Node.(*ast.CallExpr)
	ops, ok := r.ops[call]
	if !ok {
		ops = r.effects(call)
		r.ops[call] = ops
	}
	return ops
}

func (r *Result) effects(call *ast.CallExpr) []Op {
	if op, ok := r.direct(call); ok {
		return []Op{op}
	}
	if op, ok := r.spinOp(call); ok {
		return []Op{op}
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		return r.literal(r.pkg.ByNode[lit])
	}
	fn := r.Callee(call)
	if fn == nil {
		return nil
	}
	if lock := r.waitedWith(call, fn); lock.Valid() {
		return []Op{{Kind: Drop, Lock: lock, Mode: Exclusive}}
	}
	return r.translate(call, fn, r.Summary(fn))
}

// waitedWith is the lock that call gives up while it waits for a sync.Cond, if it does.
func (r *Result) waitedWith(call *ast.CallExpr, fn *types.Func) accesses.Place {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || fn.FullName() != "(*sync.Cond).Wait" {
		return accesses.Place{}
	}
	cond := r.pkg.PlaceOf(sel.X)
	if selection := r.pkg.Info.Selections[sel]; cond.Valid() && selection != nil {
		cond.Path += accesses.FieldPath(selection) // an embedded one
	}
	return r.pkg.CondLock(cond)
}

// Callee is the function of this or another package that call names, generic
// functions as their origin; nil for calls through values. Of a method of an interface it
// is the one method of the package that the call can reach, if there is only one.
func (r *Result) Callee(call *ast.CallExpr) *types.Func {
	if fn, ok := r.callees[call]; ok {
		return fn
	}
	return r.calleeOf(call)
}

// findCallees looks for the callees of all calls, which are asked for again and again.
func (r *Result) findCallees() {
	r.callees = map[*ast.CallExpr]*types.Func{}
	for _, file := range r.pkg.Files {
		ast.Inspect(file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				r.callees[call] = r.calleeOf(call)
			}
			return true
		})
	}
}

func (r *Result) calleeOf(call *ast.CallExpr) *types.Func {
	fn, _ := typeutil.Callee(r.pkg.Info, call).(*types.Func)
	if fn == nil {
		return nil
	}
	if one := r.only[fn]; one != nil {
		return one
	}
	return fn.Origin()
}

// translate puts a callee's effects in terms of the caller.
func (r *Result) translate(call *ast.CallExpr, fn *types.Func, effects []Op) []Op {
	var ops []Op
	for _, op := range effects {
		if pl := r.ToCaller(call, fn, op.Lock); pl.Valid() {
			if cond, ok := strings.CutSuffix(pl.Path, ".L"); ok && pl.Root != nil {
				pl = r.pkg.CondLock(accesses.Place{Root: pl.Root, Path: cond})
			}
			op.Lock = pl
			ops = append(ops, op)
		}
	}
	return ops
}

// ToCaller is the place in the caller of what the callee knows as pl.
func (r *Result) ToCaller(call *ast.CallExpr, fn *types.Func, pl accesses.Place) accesses.Place {
	if pl.Root == nil || accesses.IsGlobal(pl.Root) {
		return pl
	}
	arg := argument(r.pkg.Info, call, fn, pl.Root)
	if arg == nil {
		return accesses.Place{}
	}
	base := r.pkg.PlaceOf(arg.expr)
	if !base.Valid() {
		return base
	}
	return accesses.Place{Root: base.Root, Path: base.Path + arg.promoted + r.indexed(call, fn, pl.Path)}
}

// indexed is the path with the arguments of the call in the places of the parameters
// that are its indexes: ".shards[i]" of a callee is ".shards[n]" where n is passed.
func (r *Result) indexed(call *ast.CallExpr, fn *types.Func, path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	for v := range fn.Signature().Params().Variables() {
		if arg := argument(r.pkg.Info, call, fn, v); arg != nil && v.Name() != "" {
			path = strings.ReplaceAll(path, "["+v.Name()+"]", "[\x00"+types.ExprString(arg.expr)+"]")
			path = strings.ReplaceAll(path, "("+v.Name()+")]", "(\x00"+types.ExprString(arg.expr)+")]")
		}
	}
	return strings.ReplaceAll(path, "\x00", "")
}

// ToCallee is the place in the callee of what the caller knows as pl.
func (r *Result) ToCallee(call *ast.CallExpr, fn *types.Func, pl accesses.Place) accesses.Place {
	if pl.Root == nil || accesses.IsGlobal(pl.Root) {
		return pl
	}
	sig := fn.Signature()
	for _, v := range parameters(sig) {
		arg := argument(r.pkg.Info, call, fn, v)
		if arg == nil {
			continue
		}
		base := r.pkg.PlaceOf(arg.expr)
		path := base.Path + arg.promoted
		if base.Root == pl.Root && strings.HasPrefix(pl.Path, path) {
			return accesses.Place{Root: v, Path: pl.Path[len(path):]}
		}
	}
	// A lock that the callee cannot name still keeps others out.
	return accesses.Place{Path: ClassOf(pl)}
}

func parameters(sig *types.Signature) []*types.Var {
	var list []*types.Var
	if sig.Recv() != nil {
		list = append(list, sig.Recv())
	}
	for v := range sig.Params().Variables() {
		list = append(list, v)
	}
	return list
}

type arg struct {
	expr     ast.Expr
	promoted string // the embedded fields between expr and the receiver
}

// argument is what call passes for the receiver or parameter v of fn.
func argument(info *types.Info, call *ast.CallExpr, fn *types.Func, v types.Object) *arg {
	sig := fn.Signature()
	if v == types.Object(sig.Recv()) {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		selection := info.Selections[sel]
		if selection == nil || selection.Kind() != types.MethodVal {
			return nil
		}
		return &arg{sel.X, accesses.FieldPath(selection)}
	}
	for i := range sig.Params().Len() {
		if v == types.Object(sig.Params().At(i)) && i < len(call.Args) && !(sig.Variadic() && i == sig.Params().Len()-1) {
			return &arg{call.Args[i], ""}
		}
	}
	return nil
}

// Argument is the expression that call passes for the receiver or parameter v
// of fn, or nil.
func (r *Result) Argument(call *ast.CallExpr, fn *types.Func, v types.Object) ast.Expr {
	if a := argument(r.pkg.Info, call, fn, v); a != nil {
		return a.expr
	}
	return nil
}

// assumesLock says whether name or comment of the function say that its caller
// holds a lock or otherwise keeps others out.
func (r *Result) assumesLock(d *ast.FuncDecl) bool {
	assumes, ok := r.assumes[d]
	if !ok {
		assumes = accesses.SaysLocked(d)
		r.assumes[d] = assumes
	}
	return assumes
}
