package locks

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/internal/facts"
)

// Fact is what other packages know of a package: which locks its functions take
// and release, which of the functions that they are given they run in goroutines, and
// which with locks held. See package facts for its form and size.
type Fact struct{ Data []byte }

// AFact marks the type as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string { return "locks" }

// maxOps bounds what the fact says of one function.
const maxOps = 8

// importFacts makes what is known of imported packages available.
func (r *Result) importFacts(pass *analysis.Pass) {
	for _, f := range pass.AllPackageFacts() {
		if fact, ok := f.Fact.(*Fact); ok && f.Package != pass.Pkg {
			r.imports.Add(f.Package, fact.Data)
		}
	}
}

// exportFacts tells the importers about the exported functions.
func (r *Result) exportFacts(pass *analysis.Pass) {
	if len(pass.Files) == 0 || ImplementsSync(pass.Pkg.Path()) || pass.Pkg.Name() == "main" {
		return // the locks of package sync are known by their names
	}
	var entries []facts.Entry
	for _, b := range r.pkg.Bodies { // in this order: what is found out on the way is kept
		fn := b.Func
		if fn == nil || !fn.Exported() {
			continue
		}
		var list []Op
		var places []facts.Place
		rank := 1
		for _, op := range r.summaries[fn] {
			if pl, ok := facts.PlaceOf(fn, op.Lock); ok && len(list) < maxOps {
				list, places = append(list, op), append(places, pl)
				if op.Kind != Drop {
					rank = 0
				}
			}
		}
		spawned, under := r.spawned[fn], r.argumentsUnder(fn)
		if len(list)+len(spawned)+len(under) == 0 {
			continue
		}
		var w facts.Writer
		w.Int(len(list))
		for i, op := range list {
			try := 0
			if op.Try {
				try = 1
			}
			w.Int(try<<4 | int(op.Kind)<<2 | int(op.Mode))
			places[i].Write(&w)
		}
		w.Int(len(spawned))
		for _, i := range spawned {
			w.Int(i)
		}
		for _, u := range under {
			u.write(&w, fn)
			rank = 0
		}
		entries = append(entries, facts.Entry{Key: facts.Key(fn), Rank: rank, Data: w.Data})
	}
	if data := facts.Fit(entries); data != nil {
		pass.ExportPackageFact(&Fact{data})
	}
}

// known fills in what the fact of its package says about the function.
func (r *Result) known(fn *types.Func) {
	if r.imported[fn] || fn.Pkg() == nil || r.pkg.ByFunc[fn] != nil {
		return
	}
	r.imported[fn] = true
	reader, ok := r.imports.Entry(fn.Pkg(), facts.Key(fn))
	if !ok {
		return
	}
	for range reader.Count() {
		n := reader.Int()
		op := Op{Kind: OpKind(n >> 2 & 3), Mode: Mode(n & 3), Try: n>>4 != 0}
		op.Lock = r.globals.Restore(fn, facts.ReadPlace(reader))
		if op.Lock.Valid() {
			r.summaries[fn] = append(r.summaries[fn], op)
		}
	}
	for range reader.Count() {
		r.spawned[fn] = append(r.spawned[fn], reader.Int())
	}
	for len(reader.Data) > 0 {
		i, held := r.readUnder(fn, reader)
		if r.under[fn] == nil {
			r.under[fn] = map[int]Set{}
		}
		r.under[fn][i] = held
	}
}

// An argumentUnder says which locks a function holds whenever it calls the function that
// it is given as its argument i.
type argumentUnder struct {
	i    int
	held Set
}

func (r *Result) argumentsUnder(fn *types.Func) []argumentUnder {
	var list []argumentUnder
	for i := range fn.Signature().Params().Len() {
		if held, ok := r.CallsArgument(fn, i); ok && held.Any() {
			list = append(list, argumentUnder{i, held})
		}
	}
	return list
}

func (u argumentUnder) write(w *facts.Writer, fn *types.Func) {
	var modes []Mode
	var places []facts.Place
	for _, l := range u.held.Places() {
		if pl, ok := facts.PlaceOf(fn, l); ok && u.held[l] > Possible && len(modes) < maxOps {
			modes, places = append(modes, u.held[l]), append(places, pl)
		}
	}
	w.Int(u.i)
	w.Int(len(modes))
	for i, m := range modes {
		w.Int(int(m))
		places[i].Write(w)
	}
}

// readUnder reads what argumentUnder has written. Where no lock of it has a name here, it
// is one that only the function can name.
func (r *Result) readUnder(fn *types.Func, reader *facts.Reader) (i int, held Set) {
	i, held = reader.Int(), Set{}
	for range reader.Count() {
		m := Mode(reader.Int())
		if l := r.globals.Restore(fn, facts.ReadPlace(reader)); l.Valid() {
			held[l] = m
		}
	}
	if len(held) == 0 {
		held[Caller] = Exclusive
	}
	return i, held
}

// Summary is what a call of the function does to locks, in terms of its
// receiver, its parameters and package-level variables.
func (r *Result) Summary(fn *types.Func) []Op {
	r.known(fn)
	return r.summaries[fn]
}

// Globals finds the package-level variables that facts speak of.
func (r *Result) Globals() *facts.Globals { return &r.globals }

// wraps says whether the type of the method has locks behind its own: whether each of
// its methods that are called like an operation on a lock does just that to another one.
// A lock that checks for deadlocks gives the one behind it back in Unlock, but may hand
// its Lock to a function, so that only one of the two has a summary.
func (r *Result) wraps(fn *types.Func, kind OpKind) bool {
	does := func(fn *types.Func, kind OpKind) bool {
		return slices.ContainsFunc(r.Summary(fn), func(op Op) bool { return op.Kind == kind })
	}
	if !does(fn, kind) {
		return false
	}
	for name, kind := range lockMethods {
		obj, _, _ := types.LookupFieldOrMethod(fn.Signature().Recv().Type(), true, fn.Pkg(), name)
		if other, ok := obj.(*types.Func); ok && !does(other.Origin(), kind) {
			return false
		}
	}
	return true
}

// lockMethods are the methods that every lock has, and those of a lock for readers.
var lockMethods = map[string]OpKind{"Lock": Acquire, "Unlock": Release, "RLock": Acquire, "RUnlock": Release}
