package variant

import (
	"go/types"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// held change who takes a lock, and where it lies.
var held = []Variant{
	{"lock-unlocker", lockUnlocker},
	{"lock-unlocker-named", lockUnlockerNamed},
	{"lock-with", lockWith},
	{"lock-getter", lockGetter},
	{"lock-parent", func(p *program) { p.lockFields(parentLock) }},
	{"lock-channel", func(p *program) { p.lockFields(channelLock) }},
}

// ownLock is the field of fn's receiver that the statement locks, with the method it does so by.
func (p *program) ownLock(fn *dst.FuncDecl, s dst.Stmt) (field, method string) {
	lock, method, deferred := p.lockCall(s)
	sel, ok := lock.(*dst.SelectorExpr)
	if !ok || deferred || receiver(fn) == "" || path(sel.X) != receiver(fn) || release(method) == method || method == "TryLock" {
		return "", ""
	}
	return sel.Sel.Name, method
}

// forLock is the name of the method of fn's receiver that does something with its lock, declared when it is asked for first.
func (p *program) forLock(made map[string]string, fn *dst.FuncDecl, field, method, declaration string) string {
	key := typeName(fn.Recv.List[0].Type) + "." + field + "." + method
	if made[key] == "" {
		made[key] = p.fresh("holding")
		p.declare("func (x arg0) "+made[key]+declaration, copyOf(fn.Recv.List[0].Type))
	}
	return made[key]
}

// lockUnlocker takes locks that are held to the end of the function by a method that returns what releases them.
func lockUnlocker(p *program) {
	made := map[string]string{}
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			for i := 0; i+1 < len(list); i++ {
				field, method := p.ownLock(fn, list[i])
				if field == "" {
					continue
				}
				if yes, deferred := p.isUnlock(list[i+1], receiver(fn)+"."+field, method); !yes || !deferred {
					continue
				}
				name := p.forLock(made, fn, field, method, "() func() { x."+field+"."+method+"(); return x."+field+"."+release(method)+" }")
				list = append(append(list[:i:i], statements("defer "+receiver(fn)+"."+name+"()()")...), list[i+2:]...)
				p.changed = true
			}
			return list
		})
	}
}

// lockUnlockerNamed takes locks by a method that returns what releases them, under a name in each function.
func lockUnlockerNamed(p *program) {
	made := map[string]string{}
	for _, fn := range p.functions() {
		field, method, ok := p.onlyLock(fn)
		if !ok {
			continue
		}
		name := p.forLock(made, fn, field, method, "() func() { x."+field+"."+method+"(); return x."+field+"."+release(method)+" }")
		local, opens := p.fresh("release"), receiver(fn)+"."+name+"()"
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			for i, s := range list {
				if lock, is, deferred := p.lockCall(s); lock == nil {
					continue
				} else if is == method {
					list[i] = statements(local + " = " + opens)[0]
				} else if deferred {
					list[i] = statements("defer " + local + "()")[0]
				} else {
					list[i] = statements(local + "()")[0]
				}
			}
			return list
		})
		fn.Body.List = append(statements("var "+local+" func()"), fn.Body.List...)
		p.changed = true
	}
}

// onlyLock is the field of fn's receiver that all its locking is about, with the one method that locks it, if no literal
// does any.
func (p *program) onlyLock(fn *dst.FuncDecl) (field, method string, ok bool) {
	ok = true
	locks, inside := 0, 0
	lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
		for _, s := range list {
			lock, is, _ := p.lockCall(s)
			if lock == nil {
				continue
			}
			locks++
			mine, by := p.ownLock(fn, s)
			switch {
			case mine == "" && (field == "" || is != release(method) || path(lock) != receiver(fn)+"."+field), mine != "" && field != "" && (mine != field || by != method):
				ok = false
			case mine != "":
				field, method = mine, by
			}
		}
		return list
	})
	dst.Inspect(fn.Body, func(n dst.Node) bool {
		if lit, is := n.(*dst.FuncLit); is {
			lists(lit.Body, func(list []dst.Stmt) []dst.Stmt {
				for _, s := range list {
					if lock, _, _ := p.lockCall(s); lock != nil {
						inside++
					}
				}
				return list
			})
		}
		return true
	})
	return field, method, ok && locks > 0 && inside == 0
}

// lockWith hands critical sections to a method that calls them with the lock held.
func lockWith(p *program) {
	made := map[string]string{}
	for _, fn := range p.functions() {
		lists(fn.Body, func(list []dst.Stmt) []dst.Stmt {
			found := p.spans(list)
			for k := len(found) - 1; k >= 0; k-- {
				s := found[k]
				field, method := p.ownLock(fn, list[s.first])
				if field == "" {
					continue
				}
				section := append([]dst.Stmt(nil), list[s.first+1:s.last]...)
				declared, ok := p.hoist(section)
				if !ok {
					continue
				}
				name := p.forLock(made, fn, field, method, "(do func()) { x."+field+"."+method+"(); defer x."+field+"."+release(method)+"(); do() }")
				section = append(declared, statements(receiver(fn)+"."+name+"(func() { arg0 })", section)...)
				list = append(append(list[:s.first:s.first], section...), list[s.last+1:]...)
				p.changed = true
			}
			return list
		})
		list := fn.Body.List
		if len(list) < 3 || fn.Type.Results != nil {
			continue
		}
		field, method := p.ownLock(fn, list[0])
		if field == "" {
			continue
		}
		if yes, deferred := p.isUnlock(list[1], receiver(fn)+"."+field, method); !yes || !deferred {
			continue
		}
		name := p.forLock(made, fn, field, method, "(do func()) { x."+field+"."+method+"(); defer x."+field+"."+release(method)+"(); do() }")
		fn.Body.List = statements(receiver(fn)+"."+name+"(func() { arg0 })", list[2:])
		p.changed = true
	}
}

// lockGetter asks a method for the lock.
func lockGetter(p *program) {
	made := map[string]string{}
	for _, fn := range p.functions() {
		name := receiver(fn)
		if name == "" {
			continue
		}
		if _, ok := fn.Recv.List[0].Type.(*dst.StarExpr); !ok {
			continue
		}
		p.replace(fn.Body, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
			call, ok := e.(*dst.CallExpr)
			if !ok {
				return nil
			}
			lock, method, _ := p.lockCall(&dst.ExprStmt{X: call})
			sel, ok := lock.(*dst.SelectorExpr)
			if !ok || path(sel.X) != name {
				return nil
			}
			address := "&"
			if _, ptr := p.typeOf(sel).(*types.Pointer); ptr {
				address = ""
			}
			getter := p.forLock(made, fn, sel.Sel.Name, "", "() *sync."+syncType(p.typeOf(sel))+" { return "+address+"x."+sel.Sel.Name+" }")
			return expression(name + "." + getter + "()." + method + "()")
		})
	}
}

// parentLock puts the lock into another object, that the one which had it holds on to.
func parentLock(p *program, s *structType, f *dst.Field) {
	if !s.made() || s.setsField(f.Names[0].Name) {
		return
	}
	field, name, owner, hub := p.defines(f.Names[0]), f.Names[0].Name, p.fresh("owner"), p.fresh("hub")
	for _, lit := range s.literals {
		lit.Elts = append(lit.Elts, &dst.KeyValueExpr{Key: dst.NewIdent(owner), Value: expression("&" + hub + "{}")})
	}
	p.declare("type "+hub+" struct { "+name+" arg0 }", f.Type)
	f.Names[0] = dst.NewIdent(owner)
	f.Type = &dst.StarExpr{X: dst.NewIdent(hub)}
	p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		if sel, ok := e.(*dst.SelectorExpr); ok && p.variable(sel) == field {
			return &dst.SelectorExpr{X: &dst.SelectorExpr{X: sel.X, Sel: dst.NewIdent(owner)}, Sel: dst.NewIdent(name)}
		}
		return nil
	})
	p.changed = true
}

// channelLock makes a channel of the lock.
func channelLock(p *program, s *structType, f *dst.Field) {
	field := p.defines(f.Names[0])
	if !s.made() || syncType(field.Type()) != "Mutex" {
		return
	}
	uses, calls := 0, 0
	dst.Inspect(p.file, func(n dst.Node) bool {
		switch n := n.(type) {
		case *dst.SelectorExpr:
			if p.variable(n) == field {
				uses++
			}
		case dst.Stmt:
			if lock, method, _ := p.lockCall(n); lock != nil && p.variable(lock) == field && method != "TryLock" {
				calls++
			}
		}
		return true
	})
	if uses != calls {
		return
	}
	for _, lit := range s.literals {
		lit.Elts = append(lit.Elts, &dst.KeyValueExpr{Key: dst.NewIdent(f.Names[0].Name), Value: expression("make(chan struct{}, 1)")})
	}
	f.Type = expression("make(chan struct{})").(*dst.CallExpr).Args[0]
	p.perStatement(func(_ *dst.FuncDecl, s dst.Stmt) []dst.Stmt {
		lock, method, deferred := p.lockCall(s)
		switch {
		case lock == nil || p.variable(lock) != field:
			return nil
		case deferred:
			return statements("defer func() { <-arg0 }()", lock)
		case method == "Lock":
			return statements("arg0 <- struct{}{}", lock)
		}
		return statements("<-arg0", lock)
	})
	if !mentions(p.file, func(n dst.Node) bool {
		sel, ok := n.(*dst.SelectorExpr)
		return ok && path(sel.X) == "sync"
	}) {
		p.drops("sync")
	}
	p.changed = true
}
