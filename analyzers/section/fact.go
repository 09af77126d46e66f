package section

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
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// Effects is the Analyzer that tells importers which variables the functions of
// a package read for their callers and write. Its result is for Analyzer alone.
var Effects = &analysis.Analyzer{
	Name:             "effects",
	Doc:              docs.Extract(doc, "effects"),
	URL:              docs.URL("section"),
	Requires:         []*analysis.Analyzer{accesses.Analyzer, locks.Analyzer, shared.Analyzer},
	FactTypes:        []analysis.Fact{new(Fact)},
	Run:              guard.Run(findEffects),
	RunDespiteErrors: true,
	ResultType:       reflect.TypeFor[*search](),
}

// Fact is what Effects tells; see package facts for its form and size.
type Fact struct{ Data []byte }

// AFact marks the type as a fact.
func (*Fact) AFact() {}

func (f *Fact) String() string { return "effects" }

func findEffects(pass *analysis.Pass) (any, error) {
	s := &search{
		pass:   pass,
		pkg:    pass.ResultOf[accesses.Analyzer].(*accesses.Package),
		locks:  pass.ResultOf[locks.Analyzer].(*locks.Result),
		shared: pass.ResultOf[shared.Analyzer].(*shared.Result),
		states: map[*accesses.Body]*bodyState{},
		traced: map[*access.Function]*values{},
		known:  map[*types.Func][]effect{},

		mutations:  map[*types.Func]mutation{},
		growths:    map[*types.Func]growth{},
		computed:   map[*types.Func][]*occurrence{},
		recompute:  map[*types.Func][]recompute{},
		writerRule: map[access.Var]string{},
		strandedOn: map[access.Var]bool{},
	}
	for _, f := range pass.AllPackageFacts() {
		if fact, ok := f.Fact.(*Fact); ok && f.Package != pass.Pkg {
			s.imports.Add(f.Package, fact.Data)
		}
	}
	if len(pass.Files) == 0 || pass.Pkg.Name() == "main" || locks.ImplementsSync(pass.Pkg.Path()) {
		return s, nil
	}
	var entries []facts.Entry
	for _, b := range s.pkg.Bodies { // in this order: what is found out on the way is kept
		if fn := b.Func; fn != nil && fn.Exported() {
			if e, useful := s.export(fn); useful {
				entries = append(entries, e)
			}
		}
	}
	entries = append(entries, s.losing()...)
	if data := facts.Fit(entries); data != nil {
		pass.ExportPackageFact(&Fact{data})
	}
	return s, nil
}

// Bits of what the fact says of one effect.
const (
	isWrite = 1 << iota
	isContents
	isPointer
	isPromoted
	isResult
	hasKey   // a constant or a field, as text
	allOfMap // every key
	hasKeyParam
	bits = iota
)

// export gives the effects of a function their portable form. Effects that the
// importer could not tell from one another are left out. Those under a lock,
// and operations that are synchronised themselves, matter most.
func (s *search) export(fn *types.Func) (e facts.Entry, useful bool) {
	var w facts.Writer
	rank := 1
	w.Int(int(s.mutates(fn)))
	empty := len(w.Data)
	for _, e := range s.effects(fn) {
		pl, ok := facts.PlaceOf(fn, e.place)
		if !ok || e.presence || s.variableAt(e.place) != e.Var.Obj {
			continue
		}
		flags := 0
		keyParam, keyPart := s.keyOf(fn, e)
		set := func(flag int, on bool) {
			if on {
				flags |= flag
			}
		}
		set(isWrite, e.Mode == atomicity.Write)
		set(isContents, e.Var.Contents)
		set(isPointer, e.Pointer)
		set(isPromoted, e.Promoted)
		set(isResult, e.result)
		switch {
		case e.key == allKeys:
			flags |= allOfMap
		case keyParam != nil:
			flags |= hasKeyParam
		case e.key != "":
			if e.Key == nil || s.pkg.Info.Types[e.Key].Value == nil {
				continue // a key that only the function knows
			}
			flags |= hasKey
		}
		w.Int(int(e.Kind)<<bits | flags)
		pl.Write(&w)
		w.String(e.Method)
		switch {
		case flags&hasKey != 0:
			w.String(e.key)
		case flags&hasKeyParam != 0:
			w.Int(facts.IndexOf(fn, keyParam))
			w.String(keyPart)
		}
		w.Int(len(e.params))
		for _, v := range e.params {
			w.Int(facts.IndexOf(fn, v))
		}
		var held []locks.Op
		var places []facts.Place
		for _, l := range e.held.Places() {
			if pl, ok := facts.PlaceOf(fn, l); ok && e.held[l] > locks.Possible {
				held, places = append(held, locks.Op{Mode: e.held[l]}), append(places, pl)
			}
		}
		w.Int(len(held))
		for i, h := range held {
			w.Int(int(h.Mode))
			places[i].Write(&w)
		}
		w.Int(s.pass.Fset.PositionFor(e.Pos(), false).Line)
		if len(held) > 0 || e.Kind == access.Atomic || e.Kind == access.SyncMap {
			rank = 0
		}
	}
	return facts.Entry{Key: facts.Key(fn), Rank: rank, Data: w.Data}, len(w.Data) > empty || s.mutates(fn) != 0
}

// imported are the effects of a function of another package.
func (s *search) imported(fn *types.Func) []effect {
	if fn.Pkg() == nil {
		return nil
	}
	r, ok := s.imports.Entry(fn.Pkg(), facts.Key(fn))
	if !ok {
		return nil
	}
	var list []effect
	r.Int() // see mutates
	for len(r.Data) > 0 {
		if e, ok := s.restore(fn, r); ok {
			list = append(list, e)
		}
	}
	return list
}

// restore reads one effect.
func (s *search) restore(fn *types.Func, r *facts.Reader) (effect, bool) {
	g := s.locks.Globals()
	n := r.Int()
	flags := n & (1<<bits - 1)
	a := &access.Access{Mode: atomicity.Read, Kind: access.Kind(n >> bits), Pointer: flags&isPointer != 0, Promoted: flags&isPromoted != 0}
	if flags&isWrite != 0 {
		a.Mode = atomicity.Write
	}
	o := &occurrence{Access: a, place: g.Restore(fn, facts.ReadPlace(r)), held: locks.Set{}}
	e := effect{occurrence: o, result: flags&isResult != 0}
	a.Method = r.String()
	switch {
	case flags&allOfMap != 0:
		o.key = allKeys
	case flags&hasKey != 0:
		o.key = r.String()
	case flags&hasKeyParam != 0:
		e.keyParam, e.keyPart = facts.At(fn, r.Int()), r.String()
	}
	for range r.Count() {
		if v := facts.At(fn, r.Int()); v != nil {
			e.params = append(e.params, v)
		}
	}
	for range r.Count() {
		m := locks.Mode(r.Int())
		if l := g.Restore(fn, facts.ReadPlace(r)); l.Valid() {
			o.held[l] = m
		}
	}
	o.at = lineIn(s.pass.Fset, fn, r.Int())
	if !o.place.Valid() {
		return effect{}, false
	}
	a.Var = access.Var{Obj: s.variableAt(o.place), Contents: flags&isContents != 0}
	a.Base, _ = o.place.Root.(*types.Var)
	a.Cell = &ast.Ident{NamePos: fn.Pos(), Name: o.place.String()}
	a.Expr = a.Cell
	return e, a.Var.Obj != nil && int(a.Kind) <= int(access.SyncMap)
}

// variableAt is the field or package-level variable at the end of the place, or the receiver
// that is a map itself, or a number, as that of an atomic that somebody has made; nil if there
// is none.
func (s *search) variableAt(pl accesses.Place) *types.Var {
	if v := s.locks.Globals().Variable(pl); v != nil {
		return v
	}
	v, ok := pl.Root.(*types.Var)
	if !ok || pl.Path != "" || accesses.TypeName(v.Type()) == nil {
		return nil
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Map:
		return v
	case *types.Pointer:
		if b, ok := t.Elem().Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 {
			return v
		}
	}
	return nil
}

// lineIn is the start of a line in the file that declares fn, or fn's own place.
func lineIn(fset *token.FileSet, fn *types.Func, line int) token.Pos {
	f := fset.File(fn.Pos())
	if f == nil || line < 1 || line > f.LineCount() {
		return fn.Pos()
	}
	return f.LineStart(line)
}
