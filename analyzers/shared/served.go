package shared

import (
	"go/ast"
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// served are the methods that a server of remote calls runs in a goroutine for each request: those
// of the objects that the package registers with net/rpc, or for a service of gRPC.
//
//	server.RegisterName("Control", &control{server: s})
//	pb.RegisterControlServer(server, &control{server: s})
func (r *Result) served() map[*accesses.Body]bool {
	if r.remote != nil {
		return r.remote
	}
	r.remote = map[*accesses.Body]bool{}
	registered := map[*types.TypeName][]*types.Interface{} // with the services; nil is net/rpc
	inTurn := map[*types.TypeName]bool{}
	for _, b := range r.pkg.Bodies {
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || len(call.Args) == 0 {
					continue
				}
				service, is := registers(r.locks.Callee(call))
				tn := accesses.TypeName(r.pkg.Info.TypeOf(call.Args[len(call.Args)-1]))
				switch {
				case !is || tn == nil:
				case service == nil && r.servesInTurn(b, call):
					inTurn[tn] = true
				default:
					registered[tn] = append(registered[tn], service)
				}
			}
		}
	}
	for tn := range inTurn {
		if registered[tn] == nil && onlyAnswers(tn) {
			r.forOne[tn] = true
			delete(r.concurrent, tn)
		}
	}
	for _, b := range r.pkg.Bodies {
		fn := b.Func
		if fn == nil || !fn.Exported() || fn.Signature().Recv() == nil || !answers(fn.Signature()) {
			continue
		}
		for _, service := range registered[accesses.TypeName(fn.Signature().Recv().Type())] {
			if service == nil && answersRPC(fn.Signature()) || service != nil && hasMethod(service, fn.Name()) {
				r.remote[b] = true
			}
		}
	}
	r.unimplemented()
	r.givenToServers()
	return r.remote
}

// unimplemented adds the methods of types that embed what protoc generates for the methods which a server
// lacks: whoever registers them, the others are served.
//
//	type control struct { pb.UnimplementedControlServer; … }
func (r *Result) unimplemented() {
	for _, b := range r.pkg.Bodies {
		if b.Func == nil || !b.Func.Exported() || b.Func.Signature().Recv() == nil {
			continue
		}
		tn := accesses.TypeName(b.Func.Signature().Recv().Type())
		if tn == nil || standIns.MatchString(tn.Name()) || r.forTests(b) {
			continue
		}
		s, ok := tn.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range s.Fields() {
			lacking := accesses.TypeName(f.Type())
			if !f.Embedded() || lacking == nil || !lackingNames.MatchString(lacking.Name()) {
				continue
			}
			if obj, _, _ := types.LookupFieldOrMethod(lacking.Type(), true, r.pkg.Types, b.Func.Name()); obj != nil {
				r.remote[b] = true
			}
		}
	}
}

var lackingNames = pattern.New(`^Unimplemented\w+(Server|Handler)$`)

// registers says whether the function gives a server the object whose methods it serves, and what
// these are for gRPC.
func registers(fn *types.Func) (service *types.Interface, is bool) {
	if fn == nil {
		return nil, false
	}
	if fn.Pkg() != nil && fn.Pkg().Path() == "net/rpc" {
		return nil, fn.Name() == "Register" || fn.Name() == "RegisterName"
	}
	if fn.Signature().Recv() != nil || fn.Signature().Params().Len() != 2 || !serviceNames.MatchString(fn.Name()) {
		return nil, false
	}
	service, is = fn.Signature().Params().At(1).Type().Underlying().(*types.Interface)
	return service, is
}

func hasMethod(service *types.Interface, name string) bool {
	for m := range service.Methods() {
		if m.Name() == name {
			return true
		}
	}
	return false
}

// servesInTurn says whether the call registers something with a server of net/rpc that the body has
// made, and of which it only serves one request after the other itself.
func (r *Result) servesInTurn(b *accesses.Body, call *ast.CallExpr) bool {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	id := identOf(ast.Unparen(sel.X))
	if id == nil {
		return false
	}
	server, ok := r.pkg.Info.Uses[id].(*types.Var)
	if !ok || accesses.IsGlobal(server) || server.Pos() < b.Block.Pos() || b.Block.End() < server.Pos() {
		return false
	}
	turns := false
	other := false
	ast.PreorderStack(b.Block, nil, func(n ast.Node, stack []ast.Node) bool {
		if id, ok := n.(*ast.Ident); !ok || r.pkg.Info.Uses[id] != types.Object(server) {
			return true
		}
		for _, n := range stack {
			switch n.(type) {
			case *ast.FuncLit, *ast.GoStmt:
				other = true
			}
		}
		of, ok := stack[len(stack)-1].(*ast.SelectorExpr)
		switch {
		case ok && of.Sel.Name == "ServeRequest":
			turns = true
		case !ok || of.Sel.Name != "Register" && of.Sel.Name != "RegisterName":
			other = true
		}
		return true
	})
	return turns && !other
}

var serviceNames = pattern.New(`^Register\w+Server$`)

// answers says whether a method has the signature of those that are served:
// func(args A, reply *R) error, or func(context.Context, *A) (*R, error).
func answers(sig *types.Signature) bool {
	params, results := sig.Params(), sig.Results()
	if params.Len() != 2 || !isPointer(params.At(1).Type()) || results.Len() == 0 || results.Len() > 2 {
		return false
	}
	return types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type())
}

// answersRPC says whether net/rpc serves a method with the signature: the types of what it takes are
// exported, or need not be.
func answersRPC(sig *types.Signature) bool {
	if sig.Results().Len() != 1 {
		return false
	}
	for v := range sig.Params().Variables() {
		if tn := accesses.TypeName(v.Type()); tn != nil && tn.Pkg() != nil && !tn.Exported() {
			return false
		}
	}
	return true
}

// onlyAnswers says whether all exported methods of the type are such as net/rpc serves: nobody else
// has reason to call them.
func onlyAnswers(tn *types.TypeName) bool {
	named, ok := tn.Type().(*types.Named)
	if !ok {
		return false
	}
	for m := range named.Methods() {
		if m.Exported() && !(answers(m.Signature()) && answersRPC(m.Signature())) {
			return false
		}
	}
	return true
}
