package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/docs"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/analyzers/internal/guard"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Analyzer computes the *Result of a package.
var Analyzer = &analysis.Analyzer{
	Name:             "shared",
	Doc:              docs.Extract(doc, "shared"),
	URL:              docs.URL("shared"),
	Requires:         []*analysis.Analyzer{accesses.Analyzer, locks.Analyzer},
	FactTypes:        []analysis.Fact{new(Fact)},
	Run:              guard.Run(run),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*Result](),
}

// Result is the result of Analyzer. It is read-only once computed.
type Result struct {
	pkg   *accesses.Package
	locks *locks.Result

	roots     []Root
	of        map[*accesses.Body]rootSet
	seeds     map[*accesses.Body][]int // the roots that begin with the body itself
	spawned   map[*accesses.Body]bool  // literals run as goroutines; whether in a loop
	single    map[int]*accesses.Body
	spawnedIn map[int][]ast.Node
	phases    map[[2]int]bool // see findPhases
	methods   map[string][]*accesses.Body
	embedded  map[*types.TypeName]bool // see embeds
	begins    map[*accesses.Body]bool  // see Begins
	remote    map[*accesses.Body]bool  // see served
	// constructing are the bodies that only constructors run.
	constructing map[*accesses.Body]bool
	// locking are the bodies of which it is known whether they take locks of the package.
	locking map[*accesses.Body]bool
	// adding are those of which it is known whether they look into what the package has, and add to it.
	adding map[*accesses.Body]bool
	// working are those of which it is known whether they work on objects of the package.
	working map[*accesses.Body]bool

	reach        map[types.Object]Reach
	captured     map[types.Object]Reach // by literals that goroutines run, see taken
	results      map[*types.Func]Reach
	members      map[types.Object]Reach   // see keeps
	listed       bool                     // whether members has grown
	stores       map[*types.Var][]stored  // see findStores
	ownParts     map[*types.Var]bool      // fields that always hold an object which was made for them; see findOwnedState
	ownState     map[*types.TypeName]bool // types whose state is such an object
	fields       map[*types.Var]Reach     // see updateFields
	concurrent   map[*types.TypeName]bool
	documented   map[*types.TypeName]bool // comments say that several goroutines may use it
	implied      map[*types.TypeName]bool // see findImplied
	posted       map[parameter]bool       // see posts
	perRequest   map[*types.TypeName]bool // see findPerRequest
	framed       map[*types.TypeName]bool // see findFramed
	empty        map[*types.TypeName]bool // types of which the package makes objects with no field set
	forOne       map[*types.TypeName]bool // comments say that one goroutine uses it at a time
	driven       map[*types.TypeName]bool // see findDriven
	contracted   map[*types.Func]bool     // see findContracted
	handedOut    map[*types.Func]bool     // see findHandedOut
	simultaneous map[*types.Func]bool     // likewise, of connections
	// drivenFirst is one of these, which stands for the caller of all.
	drivenFirst *types.TypeName

	usedAt    map[types.Object][]token.Pos
	published map[types.Object]token.Pos // first hand-over to a goroutine
	made      map[types.Object]bool      // locals defined as something new
	cells     map[types.Object]Reach     // locals that several goroutines capture

	handed map[types.Object][]handing               // calls by what they give to a parameter
	lent   map[types.Object]bool                    // parameters whose object some caller uses after the call
	mixed  map[types.Object]bool                    // see Mixed
	filled map[types.Object]bool                    // see findFilled
	copies map[*accesses.Body]map[types.Object]span // see findCopies; filled as bodies are asked for

	owners       map[*types.Var]*types.TypeName // the struct that declares a field
	atomicOwners map[*types.TypeName]bool       // see findAtomicOwners

	uses    map[access.Var]*Use
	merged  map[access.Var]bool                    // the facts about it are in uses
	users   map[access.Var]map[*accesses.Body]bool // see untouched
	imports facts.Imports
	known   map[string][]string // see Known

	callSites map[*accesses.Body][]callSite // see callsOf
}

// Use sums up how the package treats one variable.
type Use struct {
	// Writes are the bodies that write it after publication.
	Writes map[*accesses.Body]bool
	// Guarded are the bodies that access it after publication under a lock of
	// the same object or package, Unguarded those that do so under none.
	Guarded, Unguarded map[*accesses.Body]bool
	// Cleared are the bodies that set it to nil.
	Cleared map[*accesses.Body]bool
	// GuardedWrite are the bodies that write it under a lock.
	GuardedWrite map[*accesses.Body]bool
	// Locks counts the classes of those locks.
	Locks map[string]int
	// under has, for each class of locks whatever object it belongs to, the
	// bodies that access the variable with it held; bodies are all of them.
	under  map[string]map[*accesses.Body]bool
	bodies map[*accesses.Body]bool

	elsewhere tally // by the package that declares the variable
}

func newUse() *Use {
	return &Use{
		Writes:       map[*accesses.Body]bool{},
		Guarded:      map[*accesses.Body]bool{},
		Unguarded:    map[*accesses.Body]bool{},
		GuardedWrite: map[*accesses.Body]bool{},
		Cleared:      map[*accesses.Body]bool{},
		Locks:        map[string]int{},
		under:        map[string]map[*accesses.Body]bool{},
		bodies:       map[*accesses.Body]bool{},
	}
}

// Written says whether some function writes the variable after publication.
func (u *Use) Written() bool { return u != nil && len(u.Writes)+u.elsewhere.writes > 0 }

// Clears says whether some function sets it to nil or cuts it short.
func (u *Use) Clears() bool { return u != nil && len(u.Cleared)+u.elsewhere.cleared > 0 }

// GuardedBy says whether the locks of the class guard the variable by majority:
// at least three functions access it with such a lock held, and two of three do.
func (u *Use) GuardedBy(class string) bool {
	n := len(u.under[class]) + u.elsewhere.under[class]
	return n >= 3 && 3*n >= 2*(len(u.bodies)+u.elsewhere.bodies)
}

// MostlyGuarded says whether, leaving b aside, functions access the variable
// under a lock at least twice as often as without one, and one writes it so.
func (u *Use) MostlyGuarded(b *accesses.Body) bool {
	guarded, unguarded, writes := u.othersGuard(b)
	return writes > 0 && guarded >= 2*unguarded
}

// MostlyRead is MostlyGuarded where none need write it.
func (u *Use) MostlyRead(b *accesses.Body) bool {
	guarded, unguarded, _ := u.othersGuard(b)
	return guarded > 0 && guarded >= 2*unguarded
}

// othersGuard counts the functions other than that of b which access the variable under
// a lock and without one, and of the former those that write it so.
func (u *Use) othersGuard(b *accesses.Body) (guarded, unguarded, writes int) {
	guarded, unguarded, writes = u.elsewhere.guarded, u.elsewhere.unguarded, u.elsewhere.guardedWrites
	for g := range u.Guarded {
		if g.Outermost() != b.Outermost() && !u.Unguarded[g] {
			guarded++
			if u.GuardedWrite[g] {
				writes++
			}
		}
	}
	for g := range u.Unguarded {
		if g.Outermost() != b.Outermost() {
			unguarded++
		}
	}
	return guarded, unguarded, writes
}

func run(pass *analysis.Pass) (any, error) {
	r := &Result{
		pkg:          pass.ResultOf[accesses.Analyzer].(*accesses.Package),
		locks:        pass.ResultOf[locks.Analyzer].(*locks.Result),
		of:           map[*accesses.Body]rootSet{},
		spawned:      map[*accesses.Body]bool{},
		single:       map[int]*accesses.Body{},
		spawnedIn:    map[int][]ast.Node{},
		methods:      map[string][]*accesses.Body{},
		constructing: map[*accesses.Body]bool{},
		locking:      map[*accesses.Body]bool{},
		adding:       map[*accesses.Body]bool{},
		working:      map[*accesses.Body]bool{},
		begins:       map[*accesses.Body]bool{},
		reach:        map[types.Object]Reach{},
		captured:     map[types.Object]Reach{},
		results:      map[*types.Func]Reach{},
		members:      map[types.Object]Reach{},
		stores:       map[*types.Var][]stored{},
		fields:       map[*types.Var]Reach{},
		concurrent:   map[*types.TypeName]bool{},
		documented:   map[*types.TypeName]bool{},
		implied:      map[*types.TypeName]bool{},
		forOne:       map[*types.TypeName]bool{},
		driven:       map[*types.TypeName]bool{},
		posted:       map[parameter]bool{},
		perRequest:   map[*types.TypeName]bool{},
		uses:         map[access.Var]*Use{},
		usedAt:       map[types.Object][]token.Pos{},
		published:    map[types.Object]token.Pos{},
		made:         map[types.Object]bool{},
		cells:        map[types.Object]Reach{},
		merged:       map[access.Var]bool{},
		handed:       map[types.Object][]handing{},
		lent:         map[types.Object]bool{},
		mixed:        map[types.Object]bool{},
		filled:       map[types.Object]bool{},
		copies:       map[*accesses.Body]map[types.Object]span{},
	}
	for id, obj := range r.pkg.Info.Uses {
		if v, ok := obj.(*types.Var); ok && !v.IsField() {
			r.usedAt[v] = append(r.usedAt[v], id.Pos())
		}
	}
	r.usedAtTheEnd()
	for _, b := range r.pkg.Bodies {
		if b.Func != nil && b.Func.Signature().Recv() != nil {
			r.methods[b.Func.Name()] = append(r.methods[b.Func.Name()], b)
		}
	}
	if err := r.readKnown(); err != nil {
		return nil, err
	}
	r.importFacts(pass)
	r.findConcurrent()
	r.findOwners()
	r.findStores()
	r.findDriven()
	r.served()
	r.findImplied()
	r.findAtomicOwners()
	r.findPerRequest()
	r.findFramed()
	r.findRoots()
	r.findFilled()
	r.capturedByHandlers()
	r.findReach()
	r.findMixed()
	r.findUses()
	r.exportFacts(pass)
	return r, nil
}

// Use returns what is known about the variable; nil if it is never accessed
// after publication. What the facts say about a variable of another package is
// part of it.
func (r *Result) Use(v access.Var) *Use {
	if v.Obj != nil && v.Obj.Pkg() != nil && v.Obj.Pkg() != r.pkg.Types {
		return r.elsewhere(v)
	}
	return r.uses[v]
}

func (r *Result) findUses() {
	for _, b := range r.pkg.Bodies {
		r.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			a := ev.Access
			if a == nil || r.Reach(b, a) == Private || r.Sequential(b) && !held.Any() {
				return
			}
			u := r.uses[a.Var]
			if u == nil {
				u = newUse()
				r.uses[a.Var] = u
			}
			if a.Mode == atomicity.Write {
				u.Writes[b] = true
				if r.clears(a) {
					u.Cleared[b] = true
				}
			}
			u.bodies[b] = true
			for l, m := range held {
				if m > locks.Possible && l.Root != nil {
					class := locks.ClassOf(l)
					if u.under[class] == nil {
						u.under[class] = map[*accesses.Body]bool{}
					}
					u.under[class][b] = true
				}
			}
			guarded, unknown := false, false
			root := r.pkg.PlaceOf(a.Cell).Root
			for l, m := range held {
				switch {
				case m == locks.Possible || l == locks.Caller || l == locks.Once || l.Root == nil:
					unknown = true
				case l.Root == root || accesses.IsGlobal(l.Root):
					u.Locks[locks.ClassOf(l)]++
					guarded = true
				default:
					unknown = true
				}
			}
			switch {
			case guarded:
				u.Guarded[b] = true
				if a.Mode == atomicity.Write {
					u.GuardedWrite[b] = true
				}
			case !unknown:
				u.Unguarded[b] = true
			}
		})
	}
}

// Sequential says that the body runs in main, init or a test and nowhere
// else.
func (r *Result) Sequential(b *accesses.Body) bool {
	for root := range r.of[b] {
		if r.roots[root].Kind != Sequential {
			return false
		}
	}
	return len(r.of[b]) > 0
}

// Rivals says whether, while b runs, another goroutine can run a body that
// writes the variable, and names the roots of the two. Strong means that
// neither of them is a guess.
func (r *Result) Rivals(b *accesses.Body, v access.Var) (ok, strong bool, evidence string) {
	u := r.uses[v]
	if u == nil {
		return false, false, ""
	}
	return r.RivalsAmong(b, v, u.Writes)
}

// RivalsAmong is Rivals for a variable that the given bodies write.
func (r *Result) RivalsAmong(b *accesses.Body, v access.Var, writers map[*accesses.Body]bool) (ok, strong bool, evidence string) {
	owner := r.owners[v.Obj]
	for w := range writers {
		for x := range r.of[b] {
			for y := range r.of[w] {
				rx, ry := r.roots[x], r.roots[y]
				if x == y && !rx.Many && !r.again(x, b) || rx.Kind == Sequential && ry.Kind == Sequential {
					continue
				}
				if x == y && r.forOne[owner] {
					continue // who uses it sees to that
				}
				if x == y && owner != nil && (rx.common != nil && !rx.common[owner] || rx.own[owner]) {
					continue // each goroutine has an object of its own
				}
				if x == y && rx.waited && rx.each[owner] {
					continue
				}
				if r.ofOneRequest(owner, rx, ry) || r.phases[[2]int{x, y}] || r.ownFrames(owner, x, y) {
					continue
				}
				ok = true
				if x != y && owner != nil && rx.each[owner] && ry.each[owner] {
					continue // each of both has one of its own
				}
				if x == y && (owner != nil && rx.each[owner] || owner == nil && !v.Obj.IsField() && rx.each[ownerOf(b)] && rx.each[ownerOf(w)]) {
					continue // unless the loop comes round while the goroutines still run
				}
				if rx.Kind == Sequential || ry.Kind == Sequential || rx.Kind == Callback || ry.Kind == Callback {
					continue
				}
				strong = true
				if evidence == "" || rx.Name < evidence {
					evidence = rx.Name
				}
			}
		}
	}
	return ok, strong, evidence
}

// again says whether b is itself the method by which objects are set going: it
// may look whether it was called before, but what it calls relies on that.
func (r *Result) again(root int, b *accesses.Body) bool {
	return r.roots[root].Kind == API && r.single[root] == b
}

// Launched says whether the body runs in goroutines or handlers that this
// package knows of, rather than being merely exported.
func (r *Result) Launched(b *accesses.Body) bool {
	for root := range r.of[b] {
		if k := r.roots[root]; (k.Kind == Goroutine || k.Kind == Handler) && k.Many {
			return true
		}
	}
	return false
}

// Spawned says whether some goroutine that this package starts runs the body.
func (r *Result) Spawned(b *accesses.Body) bool {
	for root := range r.of[b] {
		if r.roots[root].Kind == Goroutine {
			return true
		}
	}
	return false
}

// OnlySpawned says whether goroutines that this package starts run the body, and nothing else does.
func (r *Result) OnlySpawned(b *accesses.Body) bool {
	for root := range r.of[b] {
		if r.roots[root].Kind != Goroutine {
			return false
		}
	}
	return len(r.of[b]) > 0
}

// Several says whether a goroutine that this package starts runs the body, and something
// else does as well.
func (r *Result) Several(b *accesses.Body) bool { return len(r.of[b]) > 1 && r.Spawned(b) }

// InLoop says whether a go statement in a loop starts goroutines that run the body.
func (r *Result) InLoop(b *accesses.Body) bool {
	for root := range r.of[b] {
		for _, at := range r.spawnedIn[root] {
			if from := r.bodyOf(at); from != nil && inLoop(from, at) {
				return true
			}
		}
	}
	return false
}

// Single says whether only goroutines that are started once, or once for each object of its type, run the body.
func (r *Result) Single(b *accesses.Body) bool {
	for root := range r.of[b] {
		if k := r.roots[root]; k.Kind != Goroutine || k.Many && !k.each[ownerOf(b)] {
			return false
		}
	}
	return len(r.of[b]) > 0
}

// Begins says whether goroutines or handlers, of which there are many, begin with
// the body.
func (r *Result) Begins(b *accesses.Body) bool { return r.begins[b] }

// Serves says whether the body is a handler, which a server calls for each request.
func (r *Result) Serves(b *accesses.Body) bool {
	return isHandler(b.Type(r.pkg.Info)) || r.served()[b]
}

// Entered says whether outside callers can run the body.
func (r *Result) Entered(b *accesses.Body) bool {
	for root := range r.of[b] {
		if k := r.roots[root].Kind; k == API || k == Handler {
			return true
		}
	}
	return false
}
