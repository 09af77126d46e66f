package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strconv"

	"github.com/dave/dst"
	"github.com/dave/dst/decorator"
	"github.com/dave/dst/dstutil"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// pass rewrites one file: a single walk, children before parents, so that by
// the time a statement is taken apart the reads in its operands are hooked
// already. What one construct needs is in the file named after it.
type pass struct {
	plan *plan
	file *ast.File
	// pristine is the file once more, for bodies without hooks.
	pristine *decorator.Decorator
	root     *dst.File
	dec      *decorator.Decorator
	info     *types.Info

	// origin gives generated nodes the source they stand for: expressions
	// for their types, statements for their lines.
	origin map[dst.Node]ast.Node
	// place holds expressions that denote memory to be written or whose
	// value is not used; they are not hooked as reads.
	place map[dst.Expr]bool
	// detached holds the calls of go and defer statements.
	detached map[dst.Expr]string
	// inComm holds the receive operations of select cases; kept are functions of
	// the standard library that are not named any more, for the scheduler.
	inComm map[dst.Expr]bool
	kept   []string
	// Statements to put around statements and at the start of bodies:
	// the exits of sections and the healing holds.
	before, after map[dst.Stmt][]dst.Stmt
	start         map[dst.Node][]dst.Stmt
	frames        map[ast.Node]bool // functions in which those use the frame
	holds         map[ast.Node]bool // functions that take healing holds
	once          map[ast.Node]bool // functions that take some for what the spec heals

	// hoisted holds what moved out of a statement's header; the statements
	// in fixed have no room before them: they have a label, or follow else.
	hoisted map[dst.Stmt][]dst.Stmt
	fixed   map[dst.Stmt]bool

	functions   []*function // the stack of functions around the present node
	hooks       Hooks
	notes       []Note
	usesHeal    bool
	usesPtr     bool
	usesTesting bool
	changed     bool

	shadowsTrue bool
	err         error // the package cannot be rewritten
}

// function is the state of one function or function literal.
type function struct {
	node    ast.Node
	frame   bool // has full hooks
	self    bool // has light hooks
	end     bool // opens sections or takes holds
	light   int  // light hooks
	full    int  // others
	once    bool // is in the program once, for what it does is watched always
	nested  bool // has a literal with hooks that may outlast it
	stay    map[*ast.FuncLit]bool
	updates []*dst.BlockStmt // the long ways of updates that are sections
	temps   int
	hasGoto map[string]bool // labels that a goto names
}

func newPass(p *plan, file *ast.File) (*pass, error) {
	dec := decorator.NewDecorator(p.pkg.Fset)
	root, err := dec.DecorateFile(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.file(file.Pos()), err)
	}
	return &pass{
		plan: p, file: file, root: root, dec: dec, info: p.pkg.TypesInfo,
		origin: map[dst.Node]ast.Node{}, place: map[dst.Expr]bool{}, detached: map[dst.Expr]string{}, inComm: map[dst.Expr]bool{},
		before: map[dst.Stmt][]dst.Stmt{}, after: map[dst.Stmt][]dst.Stmt{}, start: map[dst.Node][]dst.Stmt{},
		hoisted: map[dst.Stmt][]dst.Stmt{}, fixed: map[dst.Stmt]bool{}, frames: map[ast.Node]bool{}, holds: map[ast.Node]bool{}, once: map[ast.Node]bool{},
	}, nil
}

// run does the whole file. hooked says whether the program has any hooks; if
// not, its entry points need none either.
func (p *pass) run(o Options, hooked bool) {
	p.shadowsTrue = p.declares("true")
	if p.plan.control {
		p.placeExits()
		dstutil.Apply(p.root, p.enter, p.leave)
		p.controlEntry()
		return
	}
	p.placeExits()
	p.placeHolds()
	dstutil.Apply(p.root, p.enter, p.leave)
	if hooked {
		p.entryPoints(o)
	}
	p.redirectHeal(o)
}

// enter prepares a node before its children are visited.
func (p *pass) enter(c *dstutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *dst.FuncDecl:
		d, _ := p.dec.Ast.Nodes[n].(*ast.FuncDecl)
		if n.Body == nil || isUninstrumentable(d, p.file) {
			return false
		}
		p.push(d)
	case *dst.FuncLit:
		p.push(p.dec.Ast.Nodes[n])
	case *dst.AssignStmt:
		for _, l := range n.Lhs {
			p.place[dstutil.Unparen(l)] = true
		}
	case *dst.IncDecStmt:
		p.place[dstutil.Unparen(n.X)] = true
	case *dst.RangeStmt:
		p.enterRange(n)
	case *dst.CommClause:
		p.enterComm(n)
	case *dst.LabeledStmt:
		p.fixed[n.Stmt] = true
	case *dst.IfStmt:
		p.fixed[n.Else] = true
	case *dst.GoStmt:
		p.detached[n.Call] = "go"
	case *dst.DeferStmt:
		p.detached[n.Call] = "defer"
	case *dst.GenDecl:
		return n.Tok == token.VAR
	}
	return true
}

func (p *pass) push(n ast.Node) {
	f := &function{node: n, hasGoto: gotoTargets(n)}
	if p.plan.thin {
		if _, inner := n.(*ast.FuncLit); inner && len(p.functions) > 0 {
			f.stay = p.fn().stay
		} else {
			f.stay = staying(p.info, n)
		}
	}
	p.functions = append(p.functions, f)
}

// leave rewrites a node after its children.
func (p *pass) leave(c *dstutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *dst.FuncDecl:
		if n.Body != nil {
			if d, _ := p.dec.Ast.Nodes[n].(*ast.FuncDecl); !isUninstrumentable(d, p.file) {
				p.pop(n.Body)
			}
		}
		return true
	case *dst.FuncLit:
		p.pop(n.Body)
		return true
	}
	if len(p.functions) == 0 {
		return true // an initialiser: nothing runs at the same time
	}
	switch n := c.Node().(type) {
	case dst.Expr:
		p.leaveExpr(c, n)
	case *dst.CommClause:
		p.leaveComm(n)
		n.Body = p.prepend(n, n.Body)
	case *dst.CaseClause:
		n.Body = p.prepend(n, n.Body)
	case *dst.SendStmt:
		if p.plan.control && c.Name() != "Comm" {
			p.controlSend(c, n)
		}
	case dst.Stmt:
		if b, ok := n.(*dst.BlockStmt); ok {
			b.List = p.prepend(b, b.List)
		}
		p.leaveStmt(c, n)
	}
	return true
}

func (p *pass) prepend(body dst.Node, list []dst.Stmt) []dst.Stmt {
	if first := p.start[body]; len(first) > 0 {
		return append(first, list...)
	}
	return list
}

// pop completes the function: the frame and the goroutine's identity come
// first in its body.
func (p *pass) pop(body *dst.BlockStmt) {
	f := p.fn()
	p.functions = p.functions[:len(p.functions)-1]
	var first []dst.Stmt
	f.frame = f.frame || p.frames[f.node]
	f.end = f.end || p.holds[f.node]
	f.once = f.once || p.once[f.node] || p.plan.isOnce(f.node)
	p.frameUpdates(f)
	if f.frame {
		first = append(first, define(frameName, p.heal("Begin")))
		if f.end {
			first = append(first, &dst.DeferStmt{Call: call(selector(frameName, "End"))})
		}
	}
	if f.self {
		first = append(first, define(selfName, p.heal("Self")))
	}
	p.tellOuter(f, len(first) > 0)
	if len(first) > 0 {
		p.hooks.Functions++
	}
	for _, s := range first {
		p.attribute(s, f.node)
	}
	body.List = append(first, body.List...)
	p.thinned(f, body)
}

func (p *pass) fn() *function { return p.functions[len(p.functions)-1] }

// ast is the source of a node, original or generated; nil when there is none.
func (p *pass) ast(n dst.Node) ast.Node {
	if a, ok := p.dec.Ast.Nodes[n]; ok {
		return a
	}
	return p.origin[n]
}

func (p *pass) expr(n dst.Expr) ast.Expr {
	e, _ := p.ast(n).(ast.Expr)
	return e
}

// hook finds the hook of the access that the expression makes, if any.
func (p *pass) hook(e ast.Expr, mode atomicity.AccessSet, kinds ...access.Kind) *hook {
	if e == nil {
		return nil
	}
	for _, k := range kinds {
		if h := p.plan.hooks[site{ast.Unparen(e), mode, k}]; h != nil {
			return h
		}
	}
	return nil
}

// use counts a hook and returns its arguments: the frame, or for a light write
// the goroutine's stack, and the location.
func (p *pass) use(h *hook) []dst.Expr {
	p.count(h)
	if !h.full {
		if h.access.Mode&atomicity.Write == 0 || p.plan.control {
			return []dst.Expr{p.location(h)}
		}
		p.fn().self = true
		return []dst.Expr{ident(selfName), p.location(h)}
	}
	p.useFrame(h)
	return []dst.Expr{p.frame(), p.location(h)}
}

// count counts a hook.
func (p *pass) count(h *hook) {
	p.changed = true
	p.usesHeal = true
	if h.full {
		p.hooks.Spec++
		p.fn().full++
		p.fn().once = p.fn().once || h.healed()
	} else {
		p.hooks.Races++
		p.fn().light++
	}
	if p.plan.control && len(h.table.locations[h.index].entry) > 0 {
		p.useFrame(h)
	}
}

// useFrame gives the function a frame for the hook.
func (p *pass) useFrame(h *hook) {
	f := p.fn()
	f.frame = true
	if h.opens() {
		f.end = true
	}
}

func (p *pass) frame() dst.Expr { return address(ident(frameName)) }

func (p *pass) location(h *hook) dst.Expr {
	return address(&dst.IndexExpr{X: ident("_ar_locs" + h.table.suffix), Index: number(h.index)})
}

func (p *pass) temp(prefix string) string {
	f := p.fn()
	f.temps++
	return prefix + strconv.Itoa(f.temps)
}

// heal is a call of the runtime.
func (p *pass) heal(name string, args ...dst.Expr) *dst.CallExpr {
	p.usesHeal = true
	return call(selector(p.plan.runtimeName(), name), args...)
}

func (p *pass) pointer(e dst.Expr) dst.Expr {
	p.usesPtr = true
	return call(selector(unsafeName, "Pointer"), e)
}

func (p *pass) sizeof(e dst.Expr) dst.Expr {
	p.usesPtr = true
	return call(selector(unsafeName, "Sizeof"), e)
}

// attribute says which source a generated node stands for.
func (p *pass) attribute(n dst.Node, source ast.Node) {
	if source != nil {
		p.origin[n] = source
	}
}

func (p *pass) note(pos token.Pos, variable, format string, args ...any) {
	at := p.plan.pkg.Fset.PositionFor(pos, false)
	p.notes = append(p.notes, Note{at.Filename, at.Line, at.Column, variable, "", fmt.Sprintf(format, args...)})
}

func (p *pass) unhooked(h *hook, format string, args ...any) {
	p.note(h.access.Pos(), h.name, format, args...)
	if h.access.Kind != access.Call {
		return
	}
	at := &h.table.locations[h.index]
	for _, s := range at.entry {
		p.passesOver(h, s)
	}
	for _, e := range at.ends {
		p.passesOver(h, e.section)
	}
}

// passesOver says of a section that it cannot be watched from the call.
func (p *pass) passesOver(h *hook, s ref) {
	p.notes = append(p.notes, passedOver(p.plan.pkg.Fset.PositionFor(h.access.Pos(), false), h.name, s.table.sections[s.index].id))
}
