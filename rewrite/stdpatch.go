package rewrite

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity/access"
)

// In a controlled build the scheduler has to see what package sync and the
// clock do, through whatever method value, interface or embedded field they are
// called. So the shadow GOROOT of such a build holds copies of a few standard
// packages in which each operation asks the scheduler first. Only names that are
// part of Go's API are relied on, so this works over Go versions; where one is
// missing, patchStd says so.

// A prologue is what one function of a standard package does first.
type prologue struct {
	pkg, file string
	function  string // as package access names it
	// text is the statement: $0 stands for the receiver, $1 and so on for
	// the parameters.
	text string
	// hook is the variable that the text refers to, and its type; empty if the text
	// needs none.
	hook, typ string
}

// done is a prologue for a function without result: the hook says whether it
// has done the work.
func done(pkg, file, function, hook, params, args string) prologue {
	return prologue{
		pkg: pkg, file: file, function: function, hook: hook, typ: "func(" + params + ") bool",
		text: fmt.Sprintf("if atomrace := %s; atomrace != nil && atomrace(%s) { return }", hookPrefix+hook, args),
	}
}

// answered is a prologue for a function with one result of type typ.
func answered(pkg, file, function, hook, params, typ, args string) prologue {
	return prologue{
		pkg: pkg, file: file, function: function, hook: hook, typ: fmt.Sprintf("func(%s) (%s, bool)", params, typ),
		text: fmt.Sprintf("if atomrace := %s; atomrace != nil { if r, ok := atomrace(%s); ok { return r } }", hookPrefix+hook, args),
	}
}

// point is a prologue that is only told of the operation.
func point(pkg, file, function, hook, params, args string) prologue {
	return prologue{
		pkg: pkg, file: file, function: function, hook: hook, typ: "func(" + params + ")",
		text: fmt.Sprintf("if atomrace := %s; atomrace != nil { atomrace(%s) }", hookPrefix+hook, args),
	}
}

const hookPrefix = "Atomrace"

// prologues of the standard packages. The functions of package sched that the
// hooks are set to have the hooks' names.
var prologues = []prologue{
	done("sync", "mutex.go", "(*Mutex).Lock", "MutexLock", "*Mutex", "$0"),
	answered("sync", "mutex.go", "(*Mutex).TryLock", "MutexTryLock", "*Mutex", "bool", "$0"),
	done("sync", "mutex.go", "(*Mutex).Unlock", "MutexUnlock", "*Mutex", "$0"),
	done("sync", "rwmutex.go", "(*RWMutex).Lock", "RWMutexLock", "*RWMutex", "$0"),
	answered("sync", "rwmutex.go", "(*RWMutex).TryLock", "RWMutexTryLock", "*RWMutex", "bool", "$0"),
	done("sync", "rwmutex.go", "(*RWMutex).Unlock", "RWMutexUnlock", "*RWMutex", "$0"),
	done("sync", "rwmutex.go", "(*RWMutex).RLock", "RWMutexRLock", "*RWMutex", "$0"),
	answered("sync", "rwmutex.go", "(*RWMutex).TryRLock", "RWMutexTryRLock", "*RWMutex", "bool", "$0"),
	done("sync", "rwmutex.go", "(*RWMutex).RUnlock", "RWMutexRUnlock", "*RWMutex", "$0"),
	done("sync", "waitgroup.go", "(*WaitGroup).Add", "WaitGroupAdd", "*WaitGroup, int", "$0, $1"),
	done("sync", "waitgroup.go", "(*WaitGroup).Wait", "WaitGroupWait", "*WaitGroup", "$0"),
	done("sync", "waitgroup.go", "(*WaitGroup).Go", "WaitGroupGo", "*WaitGroup, func()", "$0, $1"),
	done("sync", "cond.go", "(*Cond).Wait", "CondWait", "*Cond", "$0"),
	done("sync", "cond.go", "(*Cond).Signal", "CondSignal", "*Cond", "$0"),
	done("sync", "cond.go", "(*Cond).Broadcast", "CondBroadcast", "*Cond", "$0"),
	done("sync", "once.go", "(*Once).Do", "OnceDo", "*Once, func()", "$0, $1"),
	{pkg: "sync", file: "pool.go", function: "(*Pool).Get", hook: "PoolGet", typ: "func(*Pool) bool",
		text: "if atomrace := AtomracePoolGet; atomrace != nil && atomrace($0) { if $0.New != nil { return $0.New() }; return nil }"},
	done("sync", "pool.go", "(*Pool).Put", "PoolPut", "*Pool", "$0"),
	point("sync", "map.go", "(*Map).Load", "MapRead", "*Map", "$0"),
	point("sync", "map.go", "(*Map).Range", "MapRead", "*Map", "$0"),
	point("sync", "map.go", "(*Map).Store", "MapWrite", "*Map", "$0"),
	point("sync", "map.go", "(*Map).Clear", "MapWrite", "*Map", "$0"),
	point("sync", "map.go", "(*Map).LoadOrStore", "MapWrite", "*Map", "$0"),
	point("sync", "map.go", "(*Map).LoadAndDelete", "MapWrite", "*Map", "$0"),
	point("sync", "map.go", "(*Map).Delete", "MapWrite", "*Map", "$0"),
	point("sync", "map.go", "(*Map).Swap", "MapWrite", "*Map", "$0"),
	point("sync", "map.go", "(*Map).CompareAndSwap", "MapWrite", "*Map", "$0"),
	point("sync", "map.go", "(*Map).CompareAndDelete", "MapWrite", "*Map", "$0"),
	answered("time", "time.go", "Now", "Now", "", "Time", ""),
	{pkg: "time", file: "time.go", function: "Since", hook: "Now", typ: "func() (Time, bool)",
		text: "if atomrace := AtomraceNow; atomrace != nil { if now, ok := atomrace(); ok { return now.Sub($1) } }"},
	{pkg: "time", file: "time.go", function: "Until", hook: "Now", typ: "func() (Time, bool)",
		text: "if atomrace := AtomraceNow; atomrace != nil { if now, ok := atomrace(); ok { return $1.Sub(now) } }"},
	answered("time", "sleep.go", "NewTimer", "NewTimer", "Duration", "*Timer", "$1"),
	answered("time", "sleep.go", "AfterFunc", "AfterFunc", "Duration, func()", "*Timer", "$1, $2"),
	answered("time", "sleep.go", "(*Timer).Stop", "TimerStop", "*Timer", "bool", "$0"),
	answered("time", "sleep.go", "(*Timer).Reset", "TimerReset", "*Timer, Duration", "bool", "$0, $1"),
	answered("time", "tick.go", "NewTicker", "NewTicker", "Duration", "*Ticker", "$1"),
	done("time", "tick.go", "(*Ticker).Stop", "TickerStop", "*Ticker", "$0"),
	done("time", "tick.go", "(*Ticker).Reset", "TickerReset", "*Ticker, Duration", "$0, $1"),
	{pkg: "io", file: "pipe.go", function: "(*pipe).read", hook: "PipeRead", typ: "func(chan struct{}, chan []byte, chan int, []byte) (int, bool, bool)",
		text: "if atomrace := AtomracePipeRead; atomrace != nil { if n, closed, ok := atomrace($0.done, $0.wrCh, $0.rdCh, $1); ok { if closed { return n, $0.readCloseError() }; return n, nil } }"},
	{pkg: "io", file: "pipe.go", function: "(*pipe).write", hook: "PipeWrite", typ: "func(*sync.Mutex, chan struct{}, chan []byte, chan int, []byte) (int, bool, bool)",
		text: "if atomrace := AtomracePipeWrite; atomrace != nil { if n, closed, ok := atomrace(&$0.wrMu, $0.done, $0.wrCh, $0.rdCh, $1); ok { if closed { return n, $0.writeCloseError() }; return n, nil } }"},
	{pkg: "io", file: "pipe.go", function: "(*pipe).closeRead", hook: "PipeClose", typ: "func(chan struct{})",
		text: "if atomrace := AtomracePipeClose; atomrace != nil { if $1 == nil { $1 = ErrClosedPipe }; $0.rerr.Store($1); $0.once.Do(func() { atomrace($0.done) }); return nil }"},
	{pkg: "io", file: "pipe.go", function: "(*pipe).closeWrite", hook: "PipeClose", typ: "func(chan struct{})",
		text: "if atomrace := AtomracePipeClose; atomrace != nil { if $1 == nil { $1 = EOF }; $0.werr.Store($1); $0.once.Do(func() { atomrace($0.done) }); return nil }"},
	{pkg: "internal/poll", file: "fd_poll_runtime.go", function: "(*pollDesc).wait", hook: "Outside", typ: "func()",
		text: "if atomrace := AtomraceOutside; atomrace != nil { atomrace() }"},
	point("os", "exec.go", "StartProcess", "ProcessStarted", "string", "$1"),
	{pkg: "math/rand", file: "rand.go", function: "runtime_rand", hook: "Uint64", typ: "func() (uint64, bool)"},
	{pkg: "math/rand/v2", file: "rand.go", function: "runtime_rand", hook: "Uint64", typ: "func() (uint64, bool)"},
}

// wiring is the file of package sched that sets the hooks. With the scheduler
// off they stay nil.
func wiring() []byte {
	var imports, sets strings.Builder
	seen, names := map[string]bool{}, map[string]string{}
	for _, p := range prologues {
		if p.hook == "" {
			continue
		}
		if names[p.pkg] == "" {
			names[p.pkg] = fmt.Sprintf("std%d", len(names))
			fmt.Fprintf(&imports, "\t%s %q\n", names[p.pkg], p.pkg)
		}
		if key := p.pkg + " " + p.hook; !seen[key] {
			seen[key] = true
			fmt.Fprintf(&sets, "\t%s.%s%s = %s\n", names[p.pkg], hookPrefix, p.hook, p.hook)
		}
	}
	return fmt.Appendf(nil, "package sched\n\nimport (\n\t\"os\"\n%s)\n\nfunc init() {\n\tif os.Getenv(Variable) == \"\" {\n\t\treturn\n\t}\n%s}\n", imports.String(), sets.String())
}

// patchStd returns the files of the standard library that differ in a
// controlled build for the operating system, by their paths within GOROOT.
func patchStd(goroot, goos string) (map[string][]byte, error) {
	files := map[string][]byte{}
	list := prologues
	if hasLoopback(goos) {
		files["src/net/atomrace_loopback.go"] = loopbackSource()
		list = slices.Concat(list, netPrologues)
	}
	type source struct{ pkg, file string }
	byFile := map[source][]prologue{}
	hooks := map[string][]prologue{}
	seen := map[string]bool{}
	for _, p := range list {
		byFile[source{p.pkg, p.file}] = append(byFile[source{p.pkg, p.file}], p)
		if key := p.pkg + " " + p.hook; p.hook != "" && !seen[key] {
			seen[key] = true
			hooks[p.pkg] = append(hooks[p.pkg], p)
		}
	}
	for s, list := range byFile {
		in := filepath.Join("src", filepath.FromSlash(s.pkg), s.file)
		text, err := os.ReadFile(filepath.Join(goroot, in))
		if err != nil {
			return nil, fmt.Errorf("standard library: %w", err)
		}
		if files[in], err = patchFile(filepath.ToSlash(in), text, list); err != nil {
			return nil, err
		}
	}
	for pkg, list := range hooks {
		name := pkg[strings.LastIndex(pkg, "/")+1:]
		if name == "v2" {
			name = "rand"
		}
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n\n", name)
		if pkg == "io" {
			b.WriteString("import \"sync\"\n\n")
		}
		fmt.Fprintf(&b, "// Set by the scheduler of atomrace, in a build that it controls.\nvar (\n")
		for _, p := range list {
			fmt.Fprintf(&b, "\t%s%s %s\n", hookPrefix, p.hook, p.typ)
		}
		b.WriteString(")\n")
		if name == "rand" {
			b.WriteString(controlledRand)
		}
		files[filepath.Join("src", filepath.FromSlash(pkg), "atomrace.go")] = []byte(b.String())
	}
	return files, nil
}

// controlledRand is what package rand draws from instead of the runtime.
const controlledRand = `
func controlled_runtime_rand() uint64 {
	if atomrace := AtomraceUint64; atomrace != nil {
		if r, ok := atomrace(); ok {
			return r
		}
	}
	return runtime_rand()
}
`

// patchFile puts the prologues into one file; its lines stay where they are.
func patchFile(name string, text []byte, list []prologue) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("standard library: %w", err)
	}
	offset := func(p token.Pos) int { return fset.PositionFor(p, false).Offset }
	var edits []edit
	// Go's runtime calls some of the library while nothing may wait: those go
	// past the prologues. sync.Pool gives its lock back with the processor pinned;
	// timers send their time from within the scheduler of goroutines.
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := n.X.(*ast.Ident); ok && id.Name == "allPoolsMu" {
				edits = append(edits, edit{offset(n.Sel.Pos()), "mu."})
			}
		case *ast.FuncDecl:
			switch {
			case n.Recv == nil && n.Name.Name == "Now":
				end := offset(n.End())
				edits = append(edits, edit{end, "; func realNow() Time " + string(text[offset(n.Body.Lbrace):end])})
			case n.Name.Name == "sendTime":
				edits = append(edits, callsOf(n.Body, "Now", "real", offset)...)
			}
		case *ast.TypeSpec:
			if t, ok := n.Type.(*ast.StructType); ok && name == loopbackField.file && n.Name.Name == loopbackField.structure {
				edits = append(edits, edit{offset(t.Fields.Opening) + 1, " " + loopbackField.text + ";"})
			}
		}
		return true
	})
	for _, p := range list {
		found := false
		for _, d := range file.Decls {
			d, ok := d.(*ast.FuncDecl)
			switch {
			case !ok || d.Body == nil:
			case p.text == "": // its callers ask
				calls := callsOf(d.Body, p.function, "controlled_", offset)
				edits, found = append(edits, calls...), found || len(calls) > 0
			case access.FunctionName(d) == p.function:
				edits = append(edits, edit{offset(d.Body.Lbrace) + 1, " " + p.instantiate(d) + ";"})
				found = true
			}
		}
		if !found {
			return nil, fmt.Errorf("standard library: %s has no %s; this version of Go is not known to atomrace fuzz", name, p.function)
		}
	}
	return apply(text, edits), nil
}

// callsOf puts a prefix in front of a function's name where it is called by it
// alone.
func callsOf(body ast.Node, function, prefix string, offset func(token.Pos) int) []edit {
	var edits []edit
	ast.Inspect(body, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			if id, ok := c.Fun.(*ast.Ident); ok && id.Name == function {
				edits = append(edits, edit{offset(id.Pos()), prefix})
			}
		}
		return true
	})
	return edits
}

// instantiate is the prologue's text for the names of the declaration.
func (p prologue) instantiate(d *ast.FuncDecl) string {
	var names []string
	for _, f := range d.Type.Params.List {
		for _, n := range f.Names {
			names = append(names, n.Name)
		}
	}
	text := p.text
	if d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
		text = strings.ReplaceAll(text, "$0", d.Recv.List[0].Names[0].Name)
	}
	for i, n := range names {
		text = strings.ReplaceAll(text, fmt.Sprintf("$%d", i+1), n)
	}
	return text
}
