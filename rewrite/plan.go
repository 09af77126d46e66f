package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"golang.org/x/tools/go/packages"
)

// plan says what to do in one package; the passes over its files carry it out.
type plan struct {
	pkg      *packages.Package
	accesses *access.Package
	watched  watched
	hooks    map[site]*hook
	bulk     map[ast.Node]bulkHooks
	sections []*section
	own      *tables // referred to by ordinary files
	test     *tables // referred to by _test.go files alone
	stale    []Stale
	notes    []Note
	// changing holds the locals that a function literal shares and something
	// assigns to.
	changing  map[*types.Var]bool
	lasting   lasting
	testMain  *ast.File         // gets a TestMain, see testmain.go
	repeated  map[ast.Expr]bool // reads for which an earlier hook does
	display   func(file string) string
	embedded  map[string]bool                  // files that go:embed names
	functions map[*types.Func]*access.Function // by declaration, made when first needed
	placed    []placedHold
	// timeless: what is said about sections holds no lines.
	timeless bool
	// control: the package is rewritten for the scheduler.
	control bool
	// thin: functions are there without hooks too, see thin.go; but not these declarations.
	thin    bool
	once    map[ast.Node]bool
	thinned int // their number, from some number on
}

// site finds the hook of an access from its syntax. The kind tells the read of
// a map variable in a range clause from the read of its entries.
type site struct {
	expr ast.Expr
	mode atomicity.AccessSet
	kind access.Kind
}

// A hook is one access to be surrounded by beforeAccess and afterAccess.
type hook struct {
	access *access.Access
	full   bool // of a watched variable, so with a frame; else for races or the scheduler alone
	table  *tables
	index  int // of the location in the table
	name   string
	sets   []setHook
}

// A section is a section of the spec that was found in the code.
type section struct {
	spec  *atomicity.Section
	fn    *access.Function
	entry *access.Access
	ends  []*access.Access
	table *tables
	index int
}

// watched holds the variables of the spec. A package may have sections of a
// variable that another declares; the name there begins with the other's path.
type watched struct {
	own       map[string]map[string]*atomicity.Variable // by package path and name in that package
	qualified map[string]*atomicity.Variable            // by the same name, for those of other packages
	healing   map[string]healing                        // by the name with the path of its package
	sets      map[[2]string][]*set                      // by package path and name of a member
}

// healing is what the active sections of a variable, in whatever packages, say of it.
type healing struct {
	strongest atomicity.Healing
	possible  bool // for one of them healing is not off
	unread    bool // one of them is broken by reads, too
}

func newWatched(spec *atomicity.Spec) watched {
	w := watched{map[string]map[string]*atomicity.Variable{}, map[string]*atomicity.Variable{}, map[string]healing{}, map[[2]string][]*set{}}
	if spec == nil {
		return w
	}
	for _, p := range spec.Packages {
		w.own[p.Path] = map[string]*atomicity.Variable{}
		for _, v := range p.Variables {
			if len(v.Sections) == 0 || len(activeSections(v)) > 0 {
				w.own[p.Path][v.Name] = v
				if w.qualified[v.Name] == nil {
					w.qualified[v.Name] = v
				}
			}
			w.heal(v.Name, v) // if it is another package's
			w.heal(p.Path+"."+v.Name, v)
		}
		w.addSets(p)
	}
	return w
}

// heal notes what the sections of v alone say of the variable.
func (w watched) heal(name string, v *atomicity.Variable) {
	h := w.healing[name]
	for _, s := range activeSections(v) {
		if len(s.With) == 0 {
			h.strongest = stronger(h.strongest, s.Heal)
			h.possible = h.possible || s.Heal != atomicity.HealOff
			for _, e := range s.Ends {
				h.unread = h.unread || !e.Allow.Has(atomicity.Read)
			}
		}
	}
	w.healing[name] = h
}

// find looks for the variable that the package pkgPath declares under that
// name, wherever the spec has sections of it.
func (w watched) find(pkgPath, name string) *atomicity.Variable {
	if v := w.own[pkgPath][name]; v != nil {
		return v
	}
	return w.qualified[pkgPath+"."+name]
}

func activeSections(v *atomicity.Variable) []*atomicity.Section {
	var active []*atomicity.Section
	for _, s := range v.Sections {
		if s.Active() {
			active = append(active, s)
		}
	}
	return active
}

// newPlan decides which accesses of the package get which hooks.
func newPlan(pkg *packages.Package, w watched, o Options, rewritten func(string) bool, display func(string) string) *plan {
	noTrue := pkg.Types.Scope().Lookup("true") != nil
	p := &plan{
		pkg:      pkg,
		accesses: access.Enumerate(pkg.Fset, pkg.Syntax, pkg.Types, pkg.TypesInfo),
		watched:  w,
		hooks:    map[site]*hook{},
		bulk:     map[ast.Node]bulkHooks{},
		changing: map[*types.Var]bool{},
		once:     map[ast.Node]bool{},
		lasting:  newLasting(pkg),
		own:      &tables{noTrue: noTrue},
		test:     &tables{suffix: "_t", noTrue: noTrue},
		display:  display,
		control:  o.Control,
		thin:     o.Thin && !o.Control && !o.Readable,
	}
	shared := func(*access.Access) bool { return false }
	found := map[*access.Function][]bulk{}
	if o.Races {
		for _, fn := range p.accesses.Functions {
			found[fn] = bulks(pkg.TypesInfo, fn)
		}
		shared = newSharing(p.accesses, found, rewritten).shared
		if p.control {
			shared = orAtomic(shared)
		} else {
			p.findRepeated(shared)
		}
	}
	for _, inTests := range []bool{false, true} {
		for _, fn := range p.accesses.Functions {
			if p.isTest(fn.Node.Pos()) != inTests || isUninstrumentable(fn.Decl, fn.File) {
				continue
			}
			for _, a := range fn.Accesses {
				if a.Scope != nil && a.Expr != nil {
					p.addHook(a, shared)
				}
			}
			p.addBulk(found[fn], shared)
		}
	}
	for _, fn := range p.accesses.Functions {
		for _, a := range fn.Accesses {
			if a.Mode == atomicity.Write && a.Kind == access.Cell && !a.Var.Contents && isLocal(a.Var.Obj) {
				p.changing[a.Var.Obj] = true
			}
		}
	}
	p.addSections(o.Tests)
	p.leaveOpen()
	return p
}

func (p *plan) isTest(pos token.Pos) bool {
	return strings.HasSuffix(p.file(pos), "_test.go")
}

func (p *plan) file(pos token.Pos) string {
	return p.pkg.Fset.PositionFor(pos, false).Filename
}

// isFinal says whether there is nothing to watch for at the access.
func (p *plan) isFinal(a *access.Access) bool {
	if isZeroSize(p.pkg.TypesInfo.TypeOf(a.Cell)) {
		return true
	}
	v := localMemory(p.pkg.TypesInfo, a.Cell)
	return v != nil && !p.lasting[v] && (a.Kind == access.Cell || a.Kind == access.Element)
}

// findRepeated fills p.repeated.
func (p *plan) findRepeated(shared func(*access.Access) bool) {
	p.repeated = map[ast.Expr]bool{}
	silent := silentFunctions(p.pkg.TypesInfo, p.accesses.Functions)
	for _, fn := range p.accesses.Functions {
		light := map[site]bool{}
		for _, a := range fn.Accesses {
			if a.Kind != access.Cell && a.Kind != access.Element || a.Scope == nil || p.isFinal(a) || !shared(a) {
				continue
			}
			if p.watched.find(p.variable(a.Var)) == nil && !precedesCall(p.pkg.TypesInfo, a) {
				light[site{expr: a.Expr, mode: a.Mode}] = true
			}
		}
		if fn.Decl != nil && len(light) > 1 {
			maps.Copy(p.repeated, repeatedReads(p.pkg.TypesInfo, fn.Decl.Body,
				func(e ast.Expr, mode atomicity.AccessSet) bool { return light[site{expr: e, mode: mode}] }, silent))
		}
	}
}

func (p *plan) addHook(a *access.Access, shared func(*access.Access) bool) {
	if p.isFinal(a) {
		return
	}
	pkgPath, name := p.variable(a.Var)
	v := p.watched.find(pkgPath, name)
	if v == nil && (!shared(a) || a.Mode == atomicity.Read && p.repeated[a.Expr]) {
		return
	}
	if v == nil && precedesCall(p.pkg.TypesInfo, a) {
		p.noteOpen(a)
		return
	}
	p.hooks[site{a.Expr, a.Mode, a.Kind}] = p.newHook(a, v)
}

// newHook enters the access in the tables. v is its variable if it is watched,
// else nil.
func (p *plan) newHook(a *access.Access, v *atomicity.Variable) *hook {
	pkgPath, name := p.variable(a.Var)
	t := p.own
	if p.isTest(a.Pos()) {
		t = p.test
	}
	position := p.pkg.Fset.PositionFor(a.Pos(), false)
	h := &hook{access: a, full: v != nil && !p.control, table: t, name: name}
	at := location{
		variable: p.tableVariable(pkgPath, name, a, t),
		mode:     hookMode(a),
		full:     h.full,
		race:     a.Kind != access.Atomic && a.Kind != access.SyncMap && a.Kind != access.Call,
		call:     a.Kind == access.Call,
		file:     p.display(position.Filename),
		line:     position.Line,
		column:   position.Column,
		ordinal:  a.Ordinal,
		function: a.Func.Name,
		code:     a.Code(),
	}
	h.index = t.addLocation(at)
	if h.full {
		p.addSets(h, pkgPath, name, at)
	}
	return h
}

// variable splits the access's variable into the path of its package and its
// name there, as the spec has them.
func (p *plan) variable(v access.Var) (pkgPath, name string) {
	name = p.accesses.Name(v)
	pkg := v.Obj.Pkg()
	if pkg == nil {
		return "", name
	}
	if pkg.Path() != p.pkg.PkgPath {
		name = strings.TrimPrefix(name, pkg.Path()+".")
	}
	return pkg.Path(), name
}

// tableVariable is the variable's entry in the tables, made when it is new.
func (p *plan) tableVariable(pkgPath, name string, a *access.Access, t *tables) ref {
	for _, have := range []*tables{p.own, t} {
		if i, ok := have.findVariable(pkgPath, name); ok {
			have.variables[i].addKind(p.pkg.TypesInfo, a)
			return ref{have, i}
		}
	}
	entry := variable{pkg: pkgPath, name: name, typ: p.typeOf(a)}
	entry.addKind(p.pkg.TypesInfo, a)
	if p.watched.find(pkgPath, name) != nil {
		entry.policy = p.watched.healing[pkgPath+"."+name].strongest
		p.guard(&entry, a)
	}
	return ref{t, t.addVariable(entry)}
}

func (p *plan) typeOf(a *access.Access) string {
	t := a.Var.Obj.Type()
	return types.TypeString(t, types.RelativeTo(p.pkg.Types))
}

// hookMode is the mode as heal wants it: operations that read and write at
// once have both bits.
func hookMode(a *access.Access) atomicity.AccessSet {
	if a.Mode == atomicity.Write && (a.Kind == access.Atomic || a.Kind == access.SyncMap) &&
		!strings.HasPrefix(a.Method, "Store") && a.Method != "Delete" && a.Method != "Clear" {
		return atomicity.ReadWrite
	}
	return a.Mode
}

func isZeroSize(t types.Type) bool {
	if t == nil {
		return true
	}
	s, ok := t.Underlying().(*types.Struct)
	return ok && s.NumFields() == 0
}

// baseName is the file's name for reports that must not hold paths of this
// machine.
func baseName(pkgPath, file string) string {
	return pkgPath + "/" + filepath.Base(file)
}

// hooked says whether there is anything to hook.
func (p *plan) hooked() bool { return p.control || len(p.hooks) > 0 || len(p.bulk) > 0 }
