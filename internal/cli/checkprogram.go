package cli

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/shared"
)

// callGraph is that of a module of which all packages are known.
type callGraph struct {
	module   string
	packages map[string]*listedPackage
	calls    map[string]*shared.Calls

	nodes []*callNode
}

type listedPackage struct {
	name    string
	imports []string
	by      []string // who imports it
	program bool     // a command of the module does, directly or not
}

// callNode is a function of the program.
type callNode struct {
	*shared.Caller
	id      int
	path    string
	anyhow  bool
	in, out []*callEdge     // out in the order of the source
	threads map[string]bool // anyThread if nobody can tell
	starts  bool            // goroutines, itself or by what it calls
	once    int             // see runsOnce
}

const anyThread = "*"

// callEdge is where a function is called.
type callEdge struct {
	from, to *callNode
	*shared.Call
	outside bool // of the package, or by way of an interface
	fresh   bool // the caller has made the object, and nobody else has it yet
}

// known says who calls the exported functions of packages, where no other module calls them.
func (p *callGraph) known() shared.Known {
	p.link()
	p.findThreads()
	p.findFresh()
	known := shared.Known{}
	for _, n := range p.nodes {
		if !n.Entry || n.anyhow || !p.isClosed(n.path) || len(n.in) == 0 {
			continue
		}
		threads := map[string]bool{}
		var locks []string
		for i, e := range n.in {
			if !e.outside || e.fresh && !n.starts {
				continue
			}
			if e.fresh {
				threads[shared.OnceEach] = true
			} else {
				maps.Copy(threads, e.thread(n))
			}
			if i == 0 || locks == nil {
				locks = append([]string{}, e.Locks...)
			}
			locks = slices.DeleteFunc(locks, func(l string) bool { return !slices.Contains(e.Locks, l) })
		}
		if len(threads) > 1 || threads[anyThread] {
			if len(locks) == 0 {
				if threads[anyThread] {
					continue
				}
			} else {
				threads = map[string]bool{shared.WithLock + locks[0]: true}
			}
		}
		if known[n.path] == nil {
			known[n.path] = map[string][]string{}
		}
		known[n.path][n.Name] = slices.Sorted(maps.Keys(threads))
	}
	return known
}

// link makes the graph of calls.
func (p *callGraph) link() {
	names := map[string]*callNode{}
	methods := map[string][]*callNode{}
	of := map[string][]*callNode{}
	anyhow := map[string]bool{}
	for _, path := range slices.Sorted(maps.Keys(p.calls)) {
		for i := range p.calls[path].Bodies {
			n := &callNode{id: len(p.nodes), Caller: &p.calls[path].Bodies[i], path: path, threads: map[string]bool{}}
			p.nodes = append(p.nodes, n)
			of[path] = append(of[path], n)
			if n.Name != "" {
				names[n.Name] = n
			}
			if n.Method != "" {
				methods[n.Method] = append(methods[n.Method], n)
			}
		}
		for _, name := range p.calls[path].Anyhow {
			anyhow[name] = true
		}
	}
	dispatched := map[[2]string][]*callNode{}
	to := func(name, method string) []*callNode {
		if of, ok := strings.CutPrefix(name, shared.OfInterface); ok {
			list, ok := dispatched[[2]string{of, method}]
			if !ok {
				list = p.dispatch(of, method, names, methods, map[string]bool{})
				dispatched[[2]string{of, method}] = list
			}
			return list
		}
		if n := names[name]; n != nil {
			return []*callNode{n}
		}
		return nil
	}
	for name := range anyhow {
		for _, n := range to(name, "") {
			n.anyhow = true
		}
	}
	for _, from := range p.nodes {
		for i := range from.Calls {
			call := &from.Calls[i]
			if call.Func == "" {
				from.calls(of[from.path][call.Body], call, false)
				continue
			}
			for _, n := range to(call.Func, call.Method) {
				from.calls(n, call, true)
			}
		}
	}
	for path, pkg := range p.packages {
		for _, to := range pkg.imports {
			if q := p.packages[to]; q != nil {
				q.by = append(q.by, path)
			}
		}
	}
	for path, pkg := range p.packages {
		if pkg.name == "main" && !forShow(path) {
			p.mark(path)
		}
	}
}

func (n *callNode) calls(to *callNode, call *shared.Call, outside bool) {
	e := &callEdge{from: n, to: to, Call: call, outside: outside}
	n.out, to.in = append(n.out, e), append(to.in, e)
}

// findFresh finds the calls of methods of what their caller has made, before goroutines were started for it.
func (p *callGraph) findFresh() {
	for _, n := range p.nodes {
		n.starts = n.Starts
	}
	for changed := true; changed; {
		changed = false
		for _, n := range p.nodes {
			if !n.starts && slices.ContainsFunc(n.out, func(e *callEdge) bool { return e.Go || e.to.starts }) {
				n.starts, changed = true, true
			}
		}
	}
	for _, n := range p.nodes {
		begun := map[int]bool{}
		for _, e := range n.out {
			e.fresh = e.Fresh > 0 && !begun[e.Fresh]
			begun[e.Fresh] = begun[e.Fresh] || e.to.starts
		}
	}
}

// dispatch lists what can be called by way of a method of an interface of the program: what is turned
// into it somewhere, or all methods of that name and signature where that is not seen.
func (p *callGraph) dispatch(of, method string, names map[string]*callNode, methods map[string][]*callNode, seen map[string]bool) (list []*callNode) {
	if seen[of] {
		return nil
	}
	seen[of] = true
	iface := of[:strings.LastIndexByte(of, '.')]
	targets := map[string]bool{}
	asserted := false
	for _, c := range p.calls {
		for _, name := range c.Given[of] {
			targets[name] = true
		}
		asserted = asserted || slices.Contains(c.Asserted, iface)
	}
	if asserted || len(targets) == 0 {
		name := of[strings.LastIndexByte(of, '.')+1:]
		for m, nodes := range methods {
			if m == method || method == "" && strings.HasPrefix(m, name+"(") {
				list = append(list, nodes...)
			}
		}
	}
	for name := range targets {
		if inner, ok := strings.CutPrefix(name, shared.OfInterface); ok {
			list = append(list, p.dispatch(inner, method, names, methods, seen)...)
		} else if n := names[name]; n != nil {
			list = append(list, n)
		}
	}
	return list
}

// forShow says whether a command shows how a library is used, or is a tool beside it.
func forShow(path string) bool {
	return slices.ContainsFunc(strings.Split(path, "/"), func(dir string) bool {
		switch strings.TrimLeft(dir, "_") {
		case "example", "examples", "test", "tests", "testing", "testdata", "tools", "tool", "hack", "scripts", "script", "demo", "demos", "benchmark", "benchmarks", "bench", "sample", "samples":
			return true
		}
		return false
	})
}

// mark says of all packages that a command imports that they are part of a program.
func (p *callGraph) mark(path string) {
	pkg := p.packages[path]
	if pkg == nil || pkg.program {
		return
	}
	pkg.program = true
	for _, to := range pkg.imports {
		p.mark(to)
	}
}

// isClosed says whether all who call functions of the package are known: it is an internal one, or
// part of a program, and all that imports it has been looked at.
func (p *callGraph) isClosed(path string) bool {
	pkg := p.packages[path]
	if pkg == nil {
		return false
	}
	root := p.packages[p.module]
	internal := slices.Contains(strings.Split(path, "/"), "internal")
	if !internal && (!pkg.program || root != nil && root.name != "main") {
		return false
	}
	return !slices.ContainsFunc(pkg.by, func(by string) bool { return p.calls[by] == nil })
}

// findThreads finds in which goroutines the functions run.
func (p *callGraph) findThreads() {
	for _, n := range p.nodes {
		switch {
		case n.Any, n.anyhow, n.Entry && !p.isClosed(n.path), len(n.in) == 0 && !n.Main:
			n.threads[anyThread] = true // where nobody is seen to call it, something else does, or nothing
		}
		if n.Main {
			n.threads[shared.FromMain] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, n := range p.nodes {
			before := len(n.threads)
			for _, e := range n.in {
				maps.Copy(n.threads, e.thread(n))
			}
			changed = changed || len(n.threads) > before
		}
	}
}

// thread is the goroutine, or are those, in which the call is executed.
func (e *callEdge) thread(to *callNode) map[string]bool {
	if e.Each && !slices.ContainsFunc(e.from.in, func(start *callEdge) bool { return start.Go && start.from.threads[anyThread] }) {
		return map[string]bool{shared.ForEach: true}
	}
	if !e.Go && !e.from.threads[shared.ForEach] { // what has one for each has no other object for itself
		return e.from.threads
	}
	if !e.Go || e.Loop || !e.from.runsOnce() {
		return map[string]bool{anyThread: true}
	}
	return map[string]bool{fmt.Sprintf("%s%d", shared.FromGoroutine, to.id): true}
}

// The states of callNode.once.
const (
	unasked = iota
	never   // not once, or being asked
	once
)

// runsOnce says whether the function runs once in a program: its one call is not in a loop, and in a function
// that runs once.
func (n *callNode) runsOnce() bool {
	if n.once == unasked {
		n.once = never
		switch {
		case n.Any, n.anyhow:
		case len(n.in) == 0:
			if n.Main {
				n.once = once
			}
		case len(n.in) == 1 && !n.Main && !n.in[0].Loop && n.in[0].from.runsOnce():
			n.once = once
		}
	}
	return n.once == once
}
