package variant

import (
	"go/types"

	"github.com/dave/dst"
)

// between adds statements that have nothing to do with what is around them.
var between = []Variant{
	{"between-log", betweenEach("log", `log.Printf("step")`)},
	{"between-counter", betweenCounter},
	{"between-error", betweenError},
	{"between-defer", betweenDefer},
	{"between-context", betweenContext},
}

// betweenEach adds a statement between each two of all lists.
func betweenEach(pkg, text string) func(*program) {
	return func(p *program) {
		p.imports(pkg)
		p.insert(func() []dst.Stmt { return statements(text) })
	}
}

func (p *program) insert(made func() []dst.Stmt) {
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			var out []dst.Stmt
			for i, s := range list {
				if _, arm := s.(*dst.CaseClause); arm {
					return list
				}
				if _, arm := s.(*dst.CommClause); arm {
					return list
				}
				if i > 0 {
					out = append(out, made()...)
					p.changed = true
				}
				out = append(out, s)
			}
			return out
		})
	}
}

// betweenCounter counts steps.
func betweenCounter(p *program) {
	p.imports("sync/atomic")
	name := p.fresh("steps")
	p.declare("var " + name + " atomic.Int64")
	p.insert(func() []dst.Stmt { return statements(name + ".Add(1)") })
}

// betweenError calls a function that may fail where no lock is held: at the beginning
// of functions, and behind each release.
func betweenError(p *program) {
	name := p.fresh("probe")
	p.imports("os")
	p.declare("func " + name + "() error { _, err := os.Getwd(); return err }")
	p.outside("if err := " + name + "(); err != nil {\narg0\n}")
}

// betweenContext looks whether a context has ended, likewise.
func betweenContext(p *program) {
	name := p.fresh("lifetime")
	p.imports("context")
	p.declare("var " + name + " = context.Background()")
	p.outside("if " + name + ".Err() != nil {\narg0\n}")
}

// onlyLocks says whether a lock is all that the function takes or releases: what returns
// before that has not done what its callers rely on.
func (p *program) onlyLocks(fn *dst.FuncDecl) bool {
	if len(fn.Body.List) != 1 {
		return false
	}
	lock, _, _ := p.lockCall(fn.Body.List[0])
	return lock != nil
}

// outside adds text where no lock is held, with a return of zero values for arg0.
func (p *program) outside(text string) {
	for _, fn := range p.functions() {
		f, ok := p.object(fn.Name).(*types.Func)
		if !ok || generic(fn) || p.onlyLocks(fn) {
			continue
		}
		leave := func() []dst.Stmt {
			r := &dst.ReturnStmt{}
			results := f.Signature().Results()
			for i := range results.Len() {
				text := p.text(results.At(i).Type())
				if text == "" {
					return nil
				}
				r.Results = append(r.Results, expression("*new("+text+")"))
			}
			return []dst.Stmt{r}
		}
		if leave() == nil {
			continue
		}
		list := fn.Body.List
		out := statements(text, leave())
		held := ""
		for _, s := range list {
			out = append(out, s)
			lock, method, deferred := p.lockCall(s)
			switch {
			case lock == nil:
			case deferred:
				held = "always"
			case method == "Lock" || method == "RLock":
				if held == "" {
					held = path(lock)
				} else {
					held = "always"
				}
			case held == path(lock):
				held = ""
				out = append(out, statements(text, leave())...)
			}
		}
		fn.Body.List = out
		p.changed = true
	}
}

// betweenDefer defers a call at the beginning of each function.
func betweenDefer(p *program) {
	name := p.fresh("leaving")
	p.imports("log")
	p.declare("func " + name + `() { log.Print("left") }`)
	for _, fn := range p.functions() {
		fn.Body.List = append(statements("defer "+name+"()"), fn.Body.List...)
		p.changed = true
	}
}
