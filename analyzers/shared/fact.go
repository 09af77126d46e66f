package shared

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/internal/facts"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Fact is what other packages know of a package: how it guards its variables, which
// of its types are made for concurrent use by their comments, and which functions send
// the functions that they are given to a loop that runs them. See package facts for its
// form and size.
type Fact struct{ Data []byte }

// AFact marks the type as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string { return "shared" }

// tally is how another package treats its variable, in numbers of functions.
type tally struct {
	guarded, unguarded, guardedWrites, writes, cleared, bodies int

	under map[string]int // by class of lock
}

// maxClasses bounds the classes of locks in a tally.
const maxClasses = 3

func (r *Result) exportFacts(pass *analysis.Pass) {
	if len(pass.Files) == 0 || pass.Pkg.Name() == "main" {
		return
	}
	own := pass.Pkg.Path() + "."
	entries := r.postedEntries()
	for tn := range r.concurrent {
		if tn.Exported() && !holdsLock(tn.Type(), 0) {
			entries = append(entries, facts.Entry{Key: "type " + tn.Name()})
		}
	}
	for v, u := range r.uses {
		name := r.pkg.Name(v)
		if v.Obj.Pkg() != pass.Pkg || len(u.Locks) == 0 || len(u.Writes) == 0 || strings.HasPrefix(name, "struct.") || !v.Obj.IsField() && !accesses.IsGlobal(v.Obj) {
			continue
		}
		var w facts.Writer
		for _, m := range []map[*accesses.Body]bool{u.Guarded, u.Unguarded, u.GuardedWrite, u.Writes, u.Cleared, u.bodies} {
			w.Int(len(m))
		}
		classes := slices.Sorted(maps.Keys(u.under))
		for _, class := range classes[:min(len(classes), maxClasses)] {
			w.String(strings.ReplaceAll(class, own, "\x00"))
			w.Int(len(u.under[class]))
		}
		rank := 1
		if v.Obj.Exported() {
			rank = 0
		}
		entries = append(entries, facts.Entry{Key: name, Rank: rank, Data: w.Data})
	}
	if data := facts.Fit(entries); data != nil {
		pass.ExportPackageFact(&Fact{data})
	}
}

func (r *Result) importFacts(pass *analysis.Pass) {
	for _, f := range pass.AllPackageFacts() {
		if fact, ok := f.Fact.(*Fact); ok && f.Package != pass.Pkg {
			r.imports.Add(f.Package, fact.Data)
		}
	}
}

// elsewhere adds to the uses of a variable of another package what that does
// with it, if it guards it.
func (r *Result) elsewhere(v access.Var) *Use {
	u := r.uses[v]
	pkg := v.Obj.Pkg()
	if r.merged[v] {
		return u
	}
	r.merged[v] = true
	name := strings.TrimPrefix(r.pkg.Name(v), pkg.Path()+".")
	reader, ok := r.imports.Entry(pkg, name)
	if !ok {
		return u
	}
	if u == nil {
		u = newUse()
		r.uses[v] = u
	}
	t := &u.elsewhere
	for _, n := range []*int{&t.guarded, &t.unguarded, &t.guardedWrites, &t.writes, &t.cleared, &t.bodies} {
		*n = reader.Int()
	}
	t.under = map[string]int{}
	for len(reader.Data) > 0 {
		class := strings.ReplaceAll(reader.String(), "\x00", pkg.Path()+".")
		t.under[class] = reader.Int()
		u.Locks[class] += t.under[class]
	}
	return u
}

// saysConcurrent says whether the comment of a type of another package says that
// it is made for concurrent use.
func (r *Result) saysConcurrent(tn *types.TypeName) bool {
	if tn.Pkg() == nil {
		return false
	}
	_, ok := r.imports.Entry(tn.Pkg(), "type "+tn.Name())
	return ok
}
