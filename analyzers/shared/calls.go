package shared

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
)

// Calls is what a package shows of who calls the functions of the packages of its module: all
// that code of a program does has a beginning in a main or in an init, in a goroutine that
// is started, or where nobody can tell.
type Calls struct {
	Bodies []Caller `json:",omitempty"`
	// Anyhow are functions and methods of the module that something else can call at any time:
	// they are used as values, or what they belong to is given away as an interface of another module.
	Anyhow []string `json:",omitempty"`
	// Given has, by method of an interface of the module, what is called by way of it: methods of
	// what is turned into that interface.
	Given map[string][]string `json:",omitempty"`
	// Asserted are the interfaces of the module that something else turns out to be, see Call.Method.
	Asserted []string `json:",omitempty"`
	// Spans are where the functions are, if all callers of some are known (see [Known]).
	Spans []Span `json:",omitempty"`
}

// A Span is where a function or function literal is, and the numbers of those goroutines that run it of
// which each is started once.
type Span struct {
	File       string
	Begin, End int   // lines
	RunBy      []int `json:",omitempty"`
}

// A Caller is a function or function literal.
type Caller struct {
	// Name is that of a function, see types.Func.FullName; Entry says that other packages can call it.
	Name  string `json:",omitempty"`
	Entry bool   `json:",omitempty"`
	// Method is its name and signature, if it is a method.
	Method string `json:",omitempty"`
	// Main says that main or init begin with it, and Any that goroutines of which there are
	// many do, or that nobody can tell.
	Main, Any bool `json:",omitempty"`
	// Starts says that it starts goroutines, or that what it calls of the package does.
	Starts bool   `json:",omitempty"`
	Calls  []Call `json:",omitempty"`
}

// A Call is a place where a function is called, or a goroutine that calls it is started.
type Call struct {
	// Body is the index of what is called in the package, if Func is empty.
	Body int `json:",omitempty"`
	// Func is the function of another package, or a method of an interface of the module
	// after [OfInterface], whose name and signature are Method.
	Func     string `json:",omitempty"`
	Method   string `json:",omitempty"`
	Go, Loop bool   `json:",omitempty"`
	// Fresh is the number of the local that holds the object, if the caller has made it and nobody else has it, but
	// for goroutines that earlier calls with the number may have started; Each says that each of the goroutines
	// that make the call, of which somebody waits for all, has an object of its own.
	Fresh int  `json:",omitempty"`
	Each  bool `json:",omitempty"`
	// Locks are the classes of the locks held there for writing.
	Locks []string `json:",omitempty"`
}

// OfInterface precedes the name of a method that is called by way of an interface.
const OfInterface = "interface "

// Calls lists the calls of functions of the module, which has the given path, and what comes to them.
func (r *Result) Calls(module string, fset *token.FileSet) *Calls {
	c := &caller{Result: r, module: module, index: map[*accesses.Body]int{}, named: map[*ast.Ident]bool{}, stored: map[*accesses.Body]bool{}, kept: map[string]bool{}, fresh: map[*types.Var]int{}}
	for i, b := range r.pkg.Bodies {
		c.index[b] = i
	}
	c.findCommands()
	all := make([]Caller, len(r.pkg.Bodies))
	for i, b := range r.pkg.Bodies {
		all[i] = c.begins(b)
		all[i].Starts = r.starts(b, map[*accesses.Body]bool{})
		r.locks.Walk(b, func(_, _ int, ev accesses.Event, held locks.Set) {
			all[i].Calls = append(all[i].Calls, c.at(b, ev, held)...)
		})
	}
	for b := range c.stored {
		all[c.index[b]].Any = true
	}
	for fn := range c.commands {
		if c.ofModule(fn.Pkg()) && fn.Pkg() != r.pkg.Types {
			all = append(all, Caller{Main: true, Calls: []Call{{Func: fn.FullName()}}})
		}
	}
	g := &givenAway{c, c.kept, map[string]map[string]bool{}, map[string]bool{}}
	c.usedAsValues(g.anyhow)
	g.find()
	return &Calls{leading(all), slices.Sorted(maps.Keys(g.anyhow)), g.sorted(), slices.Sorted(maps.Keys(g.asserted)), r.spans(fset)}
}

func (r *Result) spans(fset *token.FileSet) (list []Span) {
	if r.known == nil {
		return nil
	}
	for _, b := range r.pkg.Bodies {
		begin, end := fset.Position(b.Node.Pos()), fset.Position(b.Node.End())
		span := Span{File: begin.Filename, Begin: begin.Line, End: end.Line}
		for _, root := range slices.Sorted(maps.Keys(r.of[b])) {
			if k := r.roots[root]; !k.Many && (k.outside || k.Kind == Goroutine) {
				span.RunBy = append(span.RunBy, root)
			}
		}
		list = append(list, span)
	}
	return list
}

type caller struct {
	*Result
	module string
	index  map[*accesses.Body]int
	named  map[*ast.Ident]bool     // functions in the place of arguments
	stored map[*accesses.Body]bool // see mayKeep
	kept   map[string]bool         // likewise, of other packages
	fresh  map[*types.Var]int      // see freshOf

	commands    map[*types.Func]bool // see findCommands
	commandLits map[*ast.FuncLit]bool
}

// begins says what is known of a body but for its calls.
func (c *caller) begins(b *accesses.Body) (of Caller) {
	if fn := b.Func; fn != nil {
		of.Name = fn.FullName()
		of.Entry = c.pkg.Types.Name() != "main" && ast.IsExported(fn.Name())
		if fn.Signature().Recv() != nil {
			of.Method = methodOf(fn)
		}
	}
	for _, id := range c.seeds[b] {
		switch root := c.roots[id]; root.Kind {
		case Sequential:
			of.Main = true
		case Handler:
			of.Any = true
		case Goroutine:
			of.Any = of.Any || root.Many || len(c.spawnedIn[id]) == 0
		case Callback:
			if lit, ok := b.Node.(*ast.FuncLit); ok && c.commandLits[lit] || c.commands[b.Func] {
				of.Main = true
				break
			}
			of.Any = of.Any || b.Func == nil || c.pkg.Types.Name() != "main" || !ast.IsExported(b.Func.Name())
		}
	}
	return of
}

func methodOf(fn *types.Func) string {
	return fn.Name() + strings.TrimPrefix(types.TypeString(fn.Signature(), nil), "func")
}

// at lists the calls of an event.
func (c *caller) at(b *accesses.Body, ev accesses.Event, locked locks.Set) (list []Call) {
	var call *ast.CallExpr
	switch ev.Kind {
	case accesses.OnGo:
		call = ev.Node.(*ast.GoStmt).Call
	case accesses.OnDefer:
		call = ev.Node.(*ast.DeferStmt).Call
	case accesses.OnCall:
		call = ev.Node.(*ast.CallExpr)
	default:
		return nil
	}
	loop := inLoop(b, ev.Node)
	add := func(to *accesses.Body, starts, loop bool) {
		if i, ok := c.index[to]; ok {
			list = append(list, Call{Body: i, Go: starts, Loop: loop})
		}
	}
	fn := c.locks.Callee(call)
	starts := ev.Kind == accesses.OnGo
	var held []string
	if ev.Kind == accesses.OnCall {
		held = classesOf(locked) // when it is executed
	}
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		add(c.pkg.ByNode[lit], starts, loop)
	}
	if ofInterface(fn) {
		if t := c.interfaceOf(call); t != "" {
			list = append(list, Call{Func: OfInterface + t + "." + fn.Name(), Method: methodOf(fn), Go: starts, Loop: loop, Locks: held})
		}
	} else if fn != nil && c.ofModule(fn.Pkg()) && fn.Pkg() != c.pkg.Types {
		to := Call{Func: fn.Origin().FullName(), Go: starts, Loop: loop, Locks: held}
		if ev.Kind == accesses.OnCall && fn.Signature().Recv() != nil {
			to.Fresh, to.Each = c.freshOf(b, call), c.eachOf(b, call)
		}
		list = append(list, to)
	} else {
		for _, callee := range c.callees(call, fn) {
			add(callee, starts, loop)
		}
	}
	for i, a := range call.Args {
		starts, loop := starts, loop
		if !starts && c.locks.Spawns(fn, i) {
			starts = true
			loop = loop || !startsOne(fn)
		}
		var to *accesses.Body
		if lit, ok := ast.Unparen(a).(*ast.FuncLit); ok {
			to = c.pkg.ByNode[lit]
		} else if f := c.funcValue(a, c.named); f != nil {
			if to = c.pkg.ByFunc[f]; to != nil || !c.ofModule(f.Pkg()) {
			} else if !starts && c.mayKeep(fn, i) {
				c.kept[f.FullName()] = true
			} else {
				list = append(list, Call{Func: f.FullName(), Go: starts, Loop: loop})
			}
		}
		if to != nil && !starts && c.mayKeep(fn, i) {
			c.stored[to] = true
		} else {
			add(to, starts, loop)
		}
	}
	return list
}

func ofInterface(fn *types.Func) bool {
	return fn != nil && fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type())
}

// interfaceOf is the name of the interface of the module by way of which the method is called, or "".
func (c *caller) interfaceOf(call *ast.CallExpr) string {
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	t := c.pkg.Info.TypeOf(sel.X)
	if t != nil {
		if p, ok := types.Unalias(t).(*types.Pointer); ok {
			t = p.Elem()
		}
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return "any type" // whatever has the method
		}
		if types.IsInterface(t) {
			return c.interfaceName(t)
		}
	}
	// It is embedded in the struct that has the method.
	if s := c.pkg.Info.Selections[sel]; s != nil {
		if fn, ok := s.Obj().(*types.Func); ok {
			return c.interfaceName(fn.Signature().Recv().Type())
		}
	}
	return ""
}

// interfaceName is the name of an interface of the module, or "".
func (c *caller) interfaceName(t types.Type) string {
	if named, ok := types.Unalias(t).(*types.Named); ok && c.ofModule(named.Obj().Pkg()) {
		return types.TypeString(named.Origin(), nil)
	}
	return ""
}

// classesOf are the locks that are held for writing, whatever the path.
func classesOf(held locks.Set) []string {
	classes := map[string]bool{}
	for l, mode := range held {
		if mode == locks.Exclusive && l.Root != nil && l != locks.Caller && l != locks.Once {
			classes[strings.TrimLeft(locks.ClassOf(l), "*")] = true
		}
	}
	return slices.Sorted(maps.Keys(classes))
}

func (c *caller) ofModule(p *types.Package) bool {
	return p != nil && (p.Path() == c.module || strings.HasPrefix(p.Path(), c.module+"/"))
}

// usedAsValues adds the functions of other packages that stand where they are not called.
func (c *caller) usedAsValues(anyhow map[string]bool) {
	for id, obj := range c.pkg.Info.Uses {
		if fn, ok := obj.(*types.Func); ok && c.ofModule(fn.Pkg()) && !c.named[id] && !c.isCallee(id) {
			anyhow[fn.Origin().FullName()] = true
		}
	}
}

// leading are the callers from which a call leads to another package, or which others can
// call, with the indices put right.
func leading(all []Caller) []Caller {
	leads := make([]bool, len(all))
	for changed := true; changed; {
		changed = false
		for i, of := range all {
			if !leads[i] && slices.ContainsFunc(of.Calls, func(call Call) bool { return call.Func != "" || leads[call.Body] }) {
				leads[i], changed = true, true
			}
		}
	}
	to := make([]int, len(all))
	n := 0
	for i := range all {
		leads[i] = leads[i] || all[i].Entry
		if to[i] = n; leads[i] {
			n++
		}
	}
	var kept []Caller
	for i, of := range all {
		if !leads[i] {
			continue
		}
		of.Calls = slices.DeleteFunc(of.Calls, func(call Call) bool { return call.Func == "" && !leads[call.Body] })
		for j, call := range of.Calls {
			if call.Func == "" {
				of.Calls[j].Body = to[call.Body]
			}
		}
		kept = append(kept, of)
	}
	return kept
}
