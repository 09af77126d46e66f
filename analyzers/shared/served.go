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
	registered := map[*types.TypeName]bool{}
	for _, b := range r.pkg.Bodies {
		for _, events := range b.Events {
			for _, ev := range events {
				call, ok := ev.Node.(*ast.CallExpr)
				if !ok || ev.Kind != accesses.OnCall || len(call.Args) == 0 {
					continue
				}
				if fn := r.locks.Callee(call); fn != nil && registers(fn) {
					if tn := accesses.TypeName(r.pkg.Info.TypeOf(call.Args[len(call.Args)-1])); tn != nil {
						registered[tn] = true
					}
				}
			}
		}
	}
	for _, b := range r.pkg.Bodies {
		if fn := b.Func; fn != nil && fn.Exported() && fn.Signature().Recv() != nil && registered[accesses.TypeName(fn.Signature().Recv().Type())] && answers(fn.Signature()) {
			r.remote[b] = true
		}
	}
	return r.remote
}

// registers says whether the function gives a server the object whose methods it serves.
func registers(fn *types.Func) bool {
	if fn.Pkg() != nil && fn.Pkg().Path() == "net/rpc" {
		return fn.Name() == "Register" || fn.Name() == "RegisterName"
	}
	return fn.Signature().Recv() == nil && fn.Signature().Params().Len() == 2 && service.MatchString(fn.Name())
}

var service = pattern.New(`^Register\w+Server$`)

// answers says whether a method has the signature of those that are served:
// func(args A, reply *R) error, or func(context.Context, *A) (*R, error).
func answers(sig *types.Signature) bool {
	params, results := sig.Params(), sig.Results()
	if params.Len() != 2 || !isPointer(params.At(1).Type()) || results.Len() == 0 || results.Len() > 2 {
		return false
	}
	return types.Identical(results.At(results.Len()-1).Type(), types.Universe.Lookup("error").Type())
}
