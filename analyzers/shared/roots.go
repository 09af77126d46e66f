package shared

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// A Root is where a goroutine comes from.
type Root struct {
	Kind RootKind
	// Many says that several goroutines can start from the root and run at
	// the same time.
	Many bool
	// Name is what diagnostics call the root.
	Name string

	waited  bool                     // before the loop that starts the goroutines comes round
	outside bool                     // other packages call it so, see rootsOfCallers
	common  map[*types.TypeName]bool // see Result.common; nil if not known
	own     map[*types.TypeName]bool // see Result.ownTypes
	each    map[*types.TypeName]bool // see Result.elementTypes
}

// RootKind tells how much is known about a root.
type RootKind uint8

const (
	Sequential RootKind = iota // main, init, tests: one goroutine, which mostly waits for the others
	Callback                   // a function value that goes where we cannot see
	API                        // exported: any number of outside callers
	Goroutine                  // a go statement or a function that starts goroutines
	Handler                    // called by a server, once a request
)

// rootSet is a set of indices into Result.roots.
type rootSet map[int]bool

func (r *Result) newRoot(kind RootKind, many bool, name string) int {
	r.roots = append(r.roots, Root{Kind: kind, Many: many, Name: name})
	return len(r.roots) - 1
}

// handlers are the names of functions that something else calls when it has news,
// and of the functions that they are registered by.
var handlers = pattern.New(`(?i:handle|callback|hook|notify|subscribe|listen)|^[oO]n[A-Z]`)

// findRoots seeds and propagates the roots of all bodies.
func (r *Result) findRoots() {
	defer r.findPhases()
	r.findHandedOut()
	sequential := r.newRoot(Sequential, false, "main")
	callback := r.newRoot(Callback, false, "a callback")
	api := r.newRoot(API, true, "its callers")
	handler := r.newRoot(Handler, true, "requests")
	posted := r.newRoot(Callback, false, "a loop that runs what it is sent")
	isMain := r.pkg.Types.Name() == "main"
	add := func(b *accesses.Body, root int) {
		if b == nil {
			return
		}
		if r.of[b] == nil {
			r.of[b] = rootSet{}
		}
		r.of[b][root] = true
	}
	called := map[*ast.Ident]bool{}
	known := map[string]int{}         // see rootsOfCallers
	ones := map[*types.TypeName]int{} // the caller of each type that is for one goroutine
	for _, b := range r.pkg.Bodies {
		if d, ok := b.Node.(*ast.FuncDecl); ok {
			name, machine := d.Name.Name, r.machineOf(b.Func)
			switch {
			case r.Serves(b):
				add(b, handler)
			case d.Recv == nil && (name == "main" || name == "init" || aroundTests(b.Func)):
				add(b, sequential)
			case r.handedOut[b.Func] && machine == nil:
				add(b, api)
			case len(r.callsOf(b)) > 0 && r.keptInside(ownerOf(b)):
			case ast.IsExported(name) && isMain && machine == nil:
				add(b, callback)
			case len(r.known[b.Func.FullName()]) > 0 && r.pkg.Exported(b.Func) && !r.saysSafe(b.Func):
				roots, _ := r.rootsOfCallers(b.Func, known)
				for _, root := range roots {
					add(b, root)
				}
			case runsOnce(b.Func), r.pkg.Exported(b.Func) && r.isOnlyLoop(b):
				id := r.newRoot(API, false, "its caller")
				r.single[id] = b
				add(b, id)
			case machine != nil, r.pkg.Exported(b.Func) && r.oneCaller(b.Func) != nil:
				tn := cmp.Or(machine, r.oneCaller(b.Func))
				if _, ok := ones[tn]; !ok {
					ones[tn] = r.newRoot(API, false, "its caller")
				}
				add(b, ones[tn])
			case r.pkg.Exported(b.Func):
				roots, ok := r.rootsOfCallers(b.Func, known)
				if !ok {
					roots = []int{api}
				}
				for _, root := range roots {
					add(b, root)
				}
			}
		} else if r.Serves(b) {
			add(b, handler)
		}
	}
	// Spawned code, callbacks, and the edges of the call graph.
	edges := map[*accesses.Body][]*accesses.Body{}
	handed := map[*accesses.Body]bool{} // passed as values, to be run at any time
	var unplaced []*accesses.Body       // literals that stand by themselves
	for _, b := range r.pkg.Bodies {
		placed := map[*ast.FuncLit]bool{}
		spawn := func(e ast.Expr, at ast.Node, call *ast.CallExpr, often bool) {
			many := inLoop(b, at) || often
			from := b
			root := func(b *accesses.Body) {
				if b != nil {
					id := r.newRoot(Goroutine, many, "goroutines started in a loop")
					if !many {
						r.roots[id].Name = "a goroutine"
						r.roots[id].own = r.ownTypes(from, call)
						r.single[id] = b
					} else {
						r.roots[id].common = r.common(from, at, call)
						r.roots[id].each = r.elementTypes(from, at, call)
						if often {
							r.roots[id].common = r.commonOfValue(e)
						}
					}
					r.spawnedIn[id] = append(r.spawnedIn[id], at)
					add(b, id)
				}
			}
			if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
				placed[lit] = true
				root(r.pkg.ByNode[lit])
				r.spawned[r.pkg.ByNode[lit]] = many
				return
			}
			if id, ok := ast.Unparen(e).(*ast.Ident); ok {
				root(r.locks.NamedLit(id))
			}
			if fn := r.funcValue(e, called); fn != nil {
				root(r.pkg.ByFunc[fn])
			}
		}
		for _, events := range b.Events {
			for _, ev := range events {
				var call *ast.CallExpr
				switch ev.Kind {
				case accesses.OnGo:
					call = ev.Node.(*ast.GoStmt).Call
					spawn(call.Fun, ev.Node, call, false)
				case accesses.OnDefer:
					call = ev.Node.(*ast.DeferStmt).Call
				case accesses.OnCall:
					call = ev.Node.(*ast.CallExpr)
				default:
					continue
				}
				fn := r.locks.Callee(call)
				if ev.Kind != accesses.OnGo {
					if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
						placed[lit] = true
						edges[b] = append(edges[b], r.pkg.ByNode[lit])
					}
					edges[b] = append(edges[b], r.callees(call, fn)...)
				}
				for i, a := range call.Args {
					a = r.converted(a)
					if r.locks.Spawns(fn, i) || ev.Kind == accesses.OnGo {
						spawn(a, ev.Node, call, r.spawnsOften(fn, i)) // go statement: the new goroutine calls it
					} else if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok && r.posts(fn, i) {
						placed[lit] = true
						add(r.pkg.ByNode[lit], posted)
					} else if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok {
						placed[lit] = true
						edges[b] = append(edges[b], r.pkg.ByNode[lit])
					} else if f := r.funcValue(a, called); f != nil {
						handed[r.pkg.ByFunc[f]] = true
						if constructs(b) {
							if handlers.MatchString(f.Name()) || fn != nil && handlers.MatchString(fn.Name()) {
								id := r.newRoot(Goroutine, false, "a handler")
								r.single[id] = r.pkg.ByFunc[f]
								add(r.pkg.ByFunc[f], id)
							} else {
								add(r.pkg.ByFunc[f], callback)
							}
						} else {
							edges[b] = append(edges[b], r.pkg.ByFunc[f])
						}
					}
				}
			}
		}
		for _, lit := range b.Lits {
			if !placed[lit.Node.(*ast.FuncLit)] && !r.locks.LocalLit(lit) { // that has edges where it is called
				unplaced = append(unplaced, lit)
			}
		}
	}
	fields := map[*accesses.Body]bool{}   // of what the enclosing function has others work with
	returned := map[*accesses.Body]bool{} // by a method of what several use at once
	for _, lit := range unplaced {
		if len(r.of[lit]) == 0 { // no goroutine begins with it
			add(lit, callback)
			fields[lit], returned[lit] = r.ofForeign(lit), r.isReturned(lit)
		}
	}
	for id, obj := range r.pkg.Info.Uses {
		if fn, ok := obj.(*types.Func); ok && !called[id] && !r.isCallee(id) {
			add(r.pkg.ByFunc[fn.Origin()], callback)
		}
	}
	own := map[*accesses.Body][]int{}
	for b, set := range r.of {
		handed[b] = true
		for root := range set {
			own[b] = append(own[b], root)
		}
	}
	r.seeds = own
	r.findConstructing(edges, handed)
	for changed := true; changed; {
		changed = false
		for _, b := range r.pkg.Bodies {
			for root := range r.of[b.Parent] {
				if k := r.roots[root]; k.Many && (fields[b] && k.Kind != API || returned[b]) && !r.of[b][root] {
					add(b, root)
					changed = true
				}
			}
			for _, callee := range edges[b] {
				if constructs(b) && callee != nil && callee.Func != nil && !handed[callee] && !r.locksPackage(callee) && !r.worksOnPackage(callee) && !(r.looksAndAdds(b) && r.locksReceiver(callee)) {
					continue // nobody else has the object yet
				}
				if callee != nil && callee != b && callee.Func != nil && r.pkg.Exported(callee.Func) && runsOnce(callee.Func) {
					continue // whoever calls it, it is called once for each object
				}
				for root := range r.of[b] {
					if callee != nil && !r.of[callee][root] {
						add(callee, root)
						changed = true
					}
				}
			}
		}
	}
	// A goroutine started by code that itself runs many times runs many times.
	for changed := true; changed; {
		changed = false
		for id := range r.roots {
			if !r.roots[id].Many && r.startedByMany(id) {
				r.roots[id].Many = true
				r.roots[id].Name = "goroutines"
				r.roots[id].each = r.eachOfStarters(id)
				changed = true
			}
			if !r.roots[id].Many && r.roots[id].Kind == Goroutine {
				for _, at := range r.spawnedIn[id] {
					b := r.bodyOf(at)
					if b == nil || r.latched(b, at) {
						continue
					}
					if common, each, ok := r.startsRepeatedly(b, at); ok {
						r.roots[id].Many, r.roots[id].Name = true, "goroutines started in a loop"
						r.roots[id].common, r.roots[id].each, r.roots[id].own = common, each, nil
						changed = true
						break
					}
				}
			}
		}
	}
	for b, list := range own {
		for _, root := range list {
			if k := r.roots[root]; k.Many && (k.Kind == Goroutine || k.Kind == Handler) {
				r.begins[b] = true
			}
		}
	}
}

// aroundTests says whether the function is handed the *testing.M of a program of tests: it runs
// before they begin or after they have ended.
func aroundTests(fn *types.Func) bool {
	for p := range fn.Signature().Params().Variables() {
		if tn := accesses.TypeName(p.Type()); tn != nil && tn.Name() == "M" && tn.Pkg() != nil && tn.Pkg().Path() == "testing" {
			return true
		}
	}
	return false
}

// eachOfStarters are the types of which each of the goroutines that start the root has an object of its own,
// if each is the one that its method is called of; or nil.
func (r *Result) eachOfStarters(id int) map[*types.TypeName]bool {
	var each map[*types.TypeName]bool
	for _, at := range r.spawnedIn[id] {
		b := r.bodyOf(at)
		if b == nil || inLoop(b, at) {
			return nil
		}
		for root := range r.of[b] {
			k := r.roots[root]
			if k.Kind != Goroutine || !k.Many || !k.each[ownerOf(b)] || each != nil && !maps.Equal(each, k.each) {
				return nil
			}
			each = k.each
		}
	}
	return each
}

// startedByMany says whether a goroutine or handler of which there are many
// starts the root, or callers of which there may be many.
func (r *Result) startedByMany(id int) bool {
	for _, at := range r.spawnedIn[id] {
		b := r.bodyOf(at)
		if b == nil || r.latched(b, at) {
			continue
		}
		for root := range r.of[b] {
			if k := r.roots[root]; k.Many && (k.Kind == Goroutine || k.Kind == Handler) {
				return true
			}
		}
		if r.onEachCall(id, at) || r.forEachGiven(id, at) {
			return true
		}
	}
	return false
}

func (r *Result) bodyOf(n ast.Node) *accesses.Body {
	var found *accesses.Body
	for _, b := range r.pkg.Bodies {
		if b.Node.Pos() <= n.Pos() && n.End() <= b.Node.End() && b.Encloses(n.Pos()) {
			found = b // the innermost comes last
		}
	}
	return found
}

// funcValue is the function that e names as a value.
func (r *Result) funcValue(e ast.Expr, named map[*ast.Ident]bool) *types.Func {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	default:
		return nil
	}
	fn, _ := r.pkg.Info.Uses[id].(*types.Func)
	if fn == nil {
		return nil
	}
	named[id] = true
	return fn.Origin()
}
