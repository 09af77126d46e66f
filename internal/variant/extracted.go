package variant

import (
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/dave/dst"
)

// extracted moves parts of functions into methods of their own.
var extracted = []Variant{
	{"test-extracted", testExtracted},
	{"test-error", testError},
	{"act-extracted", actExtracted},
	{"section-extracted", sectionExtracted},
	{"rest-extracted", restExtracted},
	{"test-extracted-above", above(testExtracted)},
	{"act-extracted-above", above(actExtracted)},
	{"section-extracted-above", above(sectionExtracted)},
	{"rest-extracted-above", above(restExtracted)},
}

// above puts what apply declares before the functions that are there.
func above(apply func(*program)) func(*program) {
	return func(p *program) {
		p.above = true
		apply(p)
	}
}

// testExtracted moves conditions that look at fields into methods.
func testExtracted(p *program) {
	p.extractTests(func(i *dst.IfStmt, name, made string, recv dst.Expr) {
		p.declare("func ("+name+" arg0) "+made+"() bool { return arg1 }", recv, i.Cond)
		i.Cond = expression(name + "." + made + "()")
	})
}

// testError moves conditions that look at fields into methods that return an error.
func testError(p *program) {
	p.extractTests(func(i *dst.IfStmt, name, made string, recv dst.Expr) {
		if i.Init != nil {
			return
		}
		p.imports("errors")
		err := p.fresh("err")
		p.declare("func ("+name+" arg0) "+made+"() error { if arg1 { return errors.New(\""+made+"\") }; return nil }", recv, i.Cond)
		i.Init, i.Cond = statements(err + " := " + name + "." + made + "()")[0], expression(err+" != nil")
	})
}

// extractTests calls move for the if statements whose conditions look at fields of the receiver, and at nothing that is
// known in the function alone.
func (p *program) extractTests(move func(i *dst.IfStmt, name, made string, recv dst.Expr)) {
	for _, fn := range p.functions() {
		name := receiver(fn)
		if name == "" {
			continue
		}
		dst.Inspect(fn.Body, func(n dst.Node) bool {
			i, ok := n.(*dst.IfStmt)
			if !ok {
				return true
			}
			field, fits := false, true
			dst.Inspect(i.Cond, func(n dst.Node) bool {
				switch n := n.(type) {
				case *dst.Ident:
					if v, ok := p.object(n).(*types.Var); ok && !v.IsField() && v.Parent() != p.pkg.Scope() && n.Name != name {
						fits = false
					}
				case *dst.SelectorExpr:
					field = field || path(n.X) == name && p.variable(n) != nil
				case *dst.FuncLit:
					fits = false
				}
				return true
			})
			if !field || !fits {
				return true
			}
			made := p.fresh("check")
			p.from[typeName(fn.Recv.List[0].Type)+"."+made] = key(fn)
			move(i, name, made, copyOf(fn.Recv.List[0].Type))
			p.changed = true
			return true
		})
	}
}

// actExtracted moves the bodies of if statements into methods.
func actExtracted(p *program) {
	for _, fn := range p.functions() {
		dst.Inspect(fn.Body, func(n dst.Node) bool {
			i, ok := n.(*dst.IfStmt)
			if !ok {
				return true
			}
			list := i.Body.List
			end := len(list)
			if end > 0 && leaves(list[end-1]) {
				end--
			}
			if call := p.extract(fn, list[:end], "act", false); call != nil {
				i.Body.List = append(call, list[end:]...)
			}
			return true
		})
	}
}

// sectionExtracted moves critical sections into methods.
func sectionExtracted(p *program) {
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			found := p.spans(list)
			for k := len(found) - 1; k >= 0; k-- {
				s := found[k]
				if s.first == 0 && s.last == len(list)-1 {
					continue
				}
				if call := p.extract(fn, list[s.first:s.last+1], "locked", false); call != nil {
					list = append(append(list[:s.first:s.first], call...), list[s.last+1:]...)
				}
			}
			return list
		})
	}
}

// restExtracted moves what a function does behind its Lock with a deferred Unlock into
// a method that is called with the lock held.
func restExtracted(p *program) {
	for _, fn := range p.functions() {
		list := fn.Body.List
		if len(list) < 3 || receiver(fn) == "" {
			continue
		}
		lock, method, deferred := p.lockCall(list[0])
		if lock == nil || deferred {
			continue
		}
		if yes, deferred := p.isUnlock(list[1], path(lock), method); !yes || !deferred {
			continue
		}
		made := p.fresh("holding")
		var args []string
		for _, f := range fn.Type.Params.List {
			if _, variadic := f.Type.(*dst.Ellipsis); variadic || len(f.Names) == 0 {
				args = []string{"_"}
				break
			}
			for _, id := range f.Names {
				args = append(args, id.Name)
			}
		}
		if slices.Contains(args, "_") {
			continue
		}
		inner := copyOf(fn)
		inner.Name.Name = made
		inner.Body.List = list[2:]
		inner.Decs = dst.FuncDeclDecorations{}
		p.added = append(p.added, inner)
		p.from[key(inner)] = key(fn)
		call := receiver(fn) + "." + made + "(" + strings.Join(args, ", ") + ")"
		if fn.Type.Results != nil {
			call = "return " + call
		}
		fn.Body.List = append(list[:2:2], statements(call)...)
		p.changed = true
	}
}

// extract moves the statements of fn into a function of their own, a method of its
// receiver if it has one, and returns the call, nil where that cannot be done. What
// they return is for them alone if own is true.
func (p *program) extract(fn *dst.FuncDecl, list []dst.Stmt, prefix string, own bool) []dst.Stmt {
	if len(list) == 0 || generic(fn) {
		return nil
	}
	if !own && anyMentions(list, func(n dst.Node) bool {
		_, lit := n.(*dst.FuncLit)
		return lit || leaves(n)
	}) {
		return nil
	}
	defined := map[*types.Var]bool{}
	inside := map[*dst.Ident]bool{}
	for _, s := range list {
		dst.Inspect(s, func(n dst.Node) bool {
			if id, ok := n.(*dst.Ident); ok {
				inside[id] = true
				if v := p.defines(id); v != nil {
					defined[v] = true
				}
			}
			return true
		})
	}
	receiverName := receiver(fn)
	var params, args, results, resultTypes []string
	fits := true
	taken := map[*types.Var]bool{}
	assigned := func(e dst.Expr) {
		if id, ok := e.(*dst.Ident); ok && id.Name != "_" && p.defines(id) == nil {
			v, _ := p.object(id).(*types.Var)
			fits = fits && (v == nil || defined[v] || v.Parent() == p.pkg.Scope())
		}
	}
	for _, s := range list {
		dst.Inspect(s, func(n dst.Node) bool {
			switch n := n.(type) {
			case *dst.AssignStmt:
				for _, e := range n.Lhs {
					assigned(e)
				}
			case *dst.IncDecStmt:
				assigned(n.X)
			case *dst.UnaryExpr:
				if n.Op == token.AND {
					assigned(n.X)
				}
			case *dst.Ident:
				v, ok := p.object(n).(*types.Var)
				if !ok || v.IsField() || v.Parent() == p.pkg.Scope() || v.Pkg() != p.pkg || defined[v] || taken[v] || n.Name == receiverName {
					return true
				}
				taken[v] = true
				text := p.text(v.Type())
				_, isStruct := v.Type().Underlying().(*types.Struct)
				fits = fits && text != "" && !isStruct
				params, args = append(params, n.Name+" "+text), append(args, n.Name)
			}
			return true
		})
	}
	dst.Inspect(fn.Body, func(n dst.Node) bool {
		id, ok := n.(*dst.Ident)
		if !ok || inside[id] {
			return true
		}
		if v, ok := p.object(id).(*types.Var); ok && defined[v] && !slices.Contains(results, id.Name) {
			text := p.text(v.Type())
			fits = fits && text != ""
			results, resultTypes = append(results, id.Name), append(resultTypes, text)
		}
		return true
	})
	if !fits || own && len(results) > 0 {
		return nil
	}
	name := p.fresh(prefix)
	head, call := "func ", name+"("+strings.Join(args, ", ")+")"
	from := name
	var fill []any
	if receiverName != "" {
		head += "(" + receiverName + " arg0) "
		call = receiverName + "." + call
		from = typeName(fn.Recv.List[0].Type) + "." + name
		fill = append(fill, copyOf(fn.Recv.List[0].Type))
	} else {
		fill = append(fill, dst.NewIdent("_"))
	}
	body := list
	if len(results) > 0 {
		body = append(slices.Clone(list), statements("return "+strings.Join(results, ", "))...)
		call = strings.Join(results, ", ") + " := " + call
	}
	p.declare(head+name+"("+strings.Join(params, ", ")+") ("+strings.Join(resultTypes, ", ")+") { arg1 }", append(fill, body)...)
	p.from[from] = key(fn)
	p.changed = true
	return statements(call)
}
