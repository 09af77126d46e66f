package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// sharing decides which accesses -races hooks. It starts from all that package
// access enumerates and leaves out what cannot race or would be the program's
// innermost loops:
//
//   - sync/atomic and sync.Map operations, which never race;
//   - variables that nothing in the package writes after initialisation,
//     unless other packages can write them;
//   - locals that no function literal captures and writes or sees written
//     while it could run at the same time;
//   - elements of slices and arrays that are locals or parameters, except those
//     that guardedAliases finds.
//
// A variable left out is a race that is not seen, never a false alarm.
type sharing struct {
	rewritten func(pkgPath string) bool // other packages that get hooks as well
	written   map[access.Var]bool
	literals  map[*types.Var]bool // captured by a literal that may run concurrently
	aliases   map[*types.Var]access.Var
}

func newSharing(p *access.Package, found map[*access.Function][]bulk, rewritten func(string) bool) *sharing {
	s := &sharing{rewritten: rewritten, written: map[access.Var]bool{}, literals: map[*types.Var]bool{}, aliases: map[*types.Var]access.Var{}}
	for _, fn := range p.Functions {
		for _, a := range fn.Accesses {
			if a.Mode == atomicity.Write && !isInitialisation(a) {
				s.written[a.Var] = true
			}
		}
		for _, b := range found[fn] {
			if b.write != nil && !isInitialisation(b.write) {
				s.written[b.write.Var] = true
			}
		}
	}
	for _, fn := range p.Functions {
		maps.Copy(s.literals, concurrentCaptures(p.Info, fn.Node))
		guardedAliases(p, fn, s.aliases)
	}
	return s
}

// isInitialisation says whether the access runs before the program's other
// goroutines can see the variable: in init, or in an initialiser.
func isInitialisation(a *access.Access) bool {
	if a.Scope == nil {
		return true
	}
	d, ok := a.Scope.(*ast.FuncDecl)
	return ok && d.Recv == nil && d.Name.Name == "init"
}

func isLocal(v *types.Var) bool {
	return !v.IsField() && v.Pkg() != nil && v.Parent() != v.Pkg().Scope()
}

// shared says whether -races hooks the access.
func (s *sharing) shared(a *access.Access) bool {
	switch a.Kind {
	case access.Atomic, access.SyncMap:
		return false
	}
	v := a.Var.Obj
	if isInitialisation(a) {
		return false
	}
	if !isLocal(v) {
		return s.written[a.Var] || token.IsExported(v.Name()) && v.Pkg() != nil && s.rewritten(v.Pkg().Path())
	}
	if of, ok := s.aliases[v]; ok && a.Var.Contents && (s.written[of] || s.written[a.Var]) {
		return true
	}
	if a.Var.Contents && a.Kind == access.Element {
		return s.literals[v] && s.written[a.Var]
	}
	if a.Var.Contents {
		return s.written[a.Var]
	}
	return s.literals[v] && s.written[a.Var]
}
