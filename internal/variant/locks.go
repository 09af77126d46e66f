package variant

import (
	"go/token"
	"go/types"
	"strings"

	"github.com/dave/dst"
	"github.com/dave/dst/dstutil"
)

// locks change what kind of thing a lock is, and how it is held.
var locks = []Variant{
	{"lock-pointer", func(p *program) { p.lockFields(pointerLock) }},
	{"lock-rwmutex", func(p *program) { p.lockFields(readWriteLock) }},
	{"lock-nested", func(p *program) { p.lockFields(nestedLock) }},
	{"lock-interface", func(p *program) { p.lockFields(interfaceLock) }},
	{"lock-embedded", func(p *program) { p.lockFields(embeddedLock) }},
	{"lock-methods", lockMethods},
	{"lock-alias", lockAlias},
}

// syncType is "Mutex" or "RWMutex" for the locks of package sync and pointers to them,
// and "" for all else.
func syncType(t types.Type) string {
	if ptr, ok := t.(*types.Pointer); ok {
		t = ptr.Elem()
	}
	named, ok := t.(*types.Named)
	if !ok || named.Obj().Pkg() == nil || named.Obj().Pkg().Path() != "sync" {
		return ""
	}
	if name := named.Obj().Name(); name == "Mutex" || name == "RWMutex" {
		return name
	}
	return ""
}

// lockFields calls edit for all fields of structs of the package that hold a lock.
func (p *program) lockFields(edit func(p *program, s *structType, f *dst.Field)) {
	for _, s := range p.structs() {
		for _, f := range s.syntax.Fields.List {
			if len(f.Names) == 1 && syncType(p.typeOf(f.Type)) != "" {
				if _, ptr := f.Type.(*dst.StarExpr); !ptr {
					edit(p, s, f)
				}
			}
		}
	}
}

func pointerLock(p *program, s *structType, f *dst.Field) {
	if !s.made() {
		return
	}
	field, text := p.defines(f.Names[0]), path(f.Type)
	for _, lit := range s.literals {
		lit.Elts = append(lit.Elts, &dst.KeyValueExpr{Key: dst.NewIdent(f.Names[0].Name), Value: expression("&" + text + "{}")})
	}
	f.Type = &dst.StarExpr{X: f.Type}
	p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		if u, ok := e.(*dst.UnaryExpr); ok && u.Op == token.AND && p.variable(u.X) == field {
			return u.X
		}
		return nil
	})
	p.changed = true
}

func readWriteLock(p *program, _ *structType, f *dst.Field) {
	if sel, ok := f.Type.(*dst.SelectorExpr); ok && sel.Sel.Name == "Mutex" {
		f.Type = &dst.SelectorExpr{X: dst.NewIdent("sync"), Sel: dst.NewIdent("RWMutex")}
		p.changed = true
	}
}

func nestedLock(p *program, s *structType, f *dst.Field) {
	if s.setsField(f.Names[0].Name) {
		return
	}
	field, name, guard := p.defines(f.Names[0]), f.Names[0].Name, p.fresh("guard")
	f.Names[0] = dst.NewIdent(guard)
	f.Type = &dst.StructType{Fields: &dst.FieldList{List: []*dst.Field{{Names: []*dst.Ident{dst.NewIdent(name)}, Type: f.Type}}}}
	p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		if sel, ok := e.(*dst.SelectorExpr); ok && p.variable(sel) == field {
			return &dst.SelectorExpr{X: &dst.SelectorExpr{X: sel.X, Sel: dst.NewIdent(guard)}, Sel: dst.NewIdent(name)}
		}
		return nil
	})
	p.changed = true
}

func interfaceLock(p *program, s *structType, f *dst.Field) {
	field := p.defines(f.Names[0])
	if !s.made() || syncType(field.Type()) != "Mutex" {
		return
	}
	fits := true
	dstutil.Apply(p.file, func(c *dstutil.Cursor) bool {
		if sel, ok := c.Node().(*dst.SelectorExpr); ok && p.variable(sel) == field {
			outer, ok := c.Parent().(*dst.SelectorExpr)
			fits = fits && ok && (outer.Sel.Name == "Lock" || outer.Sel.Name == "Unlock")
		}
		return true
	}, nil)
	if !fits {
		return
	}
	for _, lit := range s.literals {
		lit.Elts = append(lit.Elts, &dst.KeyValueExpr{Key: dst.NewIdent(f.Names[0].Name), Value: expression("&sync.Mutex{}")})
	}
	f.Type = expression("sync.Locker")
	p.changed = true
}

func embeddedLock(p *program, s *structType, f *dst.Field) {
	field := p.defines(f.Names[0])
	name := syncType(field.Type())
	for _, other := range s.syntax.Fields.List {
		if other != f && syncType(p.typeOf(other.Type)) != "" || len(other.Names) == 0 {
			return
		}
	}
	for _, method := range []string{"Lock", "Unlock", "RLock", "RUnlock", "TryLock"} {
		if obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(s.named), true, p.pkg, method); obj != nil {
			return
		}
	}
	if s.setsField(f.Names[0].Name) {
		return
	}
	f.Names = nil
	p.replace(p.file, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
		sel, ok := e.(*dst.SelectorExpr)
		if !ok {
			return nil
		}
		if inner, ok := sel.X.(*dst.SelectorExpr); ok && inner.Sel.Name == name && p.origin[inner] == nil {
			return &dst.SelectorExpr{X: inner.X, Sel: sel.Sel} // x.mu.Lock is x.Lock
		}
		if p.variable(sel) == field {
			return &dst.SelectorExpr{X: sel.X, Sel: dst.NewIdent(name)}
		}
		return nil
	})
	p.changed = true
}

// lockCall is what the statement locks or unlocks.
func (p *program) lockCall(s dst.Stmt) (lock dst.Expr, method string, deferred bool) {
	var call *dst.CallExpr
	switch s := s.(type) {
	case *dst.ExprStmt:
		call, _ = s.X.(*dst.CallExpr)
	case *dst.DeferStmt:
		call, deferred = s.Call, true
	}
	if call == nil {
		return nil, "", false
	}
	sel, ok := call.Fun.(*dst.SelectorExpr)
	if !ok || syncType(p.typeOf(sel.X)) == "" || path(sel.X) == "" || !strings.HasSuffix(strings.ToLower(sel.Sel.Name), "lock") {
		return nil, "", false
	}
	return sel.X, sel.Sel.Name, deferred
}

// lockMethods moves the calls of locks into methods of who owns them.
func lockMethods(p *program) {
	made := map[string]string{}
	for _, fn := range p.functions() {
		name := receiver(fn)
		if name == "" {
			continue
		}
		p.replace(fn.Body, func(_ *dstutil.Cursor, e dst.Expr) dst.Expr {
			call, ok := e.(*dst.CallExpr)
			if !ok {
				return nil
			}
			lock, method, _ := p.lockCall(&dst.ExprStmt{X: call})
			sel, ok := lock.(*dst.SelectorExpr)
			if !ok || path(sel.X) != name || method == "TryLock" {
				return nil
			}
			key := typeName(fn.Recv.List[0].Type) + "." + sel.Sel.Name + "." + method
			if made[key] == "" {
				made[key] = p.fresh(map[string]string{"Lock": "acquire", "RLock": "share", "Unlock": "release", "RUnlock": "unshare"}[method])
				p.declare("func (x arg0) "+made[key]+"() { x."+sel.Sel.Name+"."+method+"() }", copyOf(fn.Recv.List[0].Type))
			}
			return expression(name + "." + made[key] + "()")
		})
	}
}

// lockAlias gives the lock of a receiver a name of its own in each function.
func lockAlias(p *program) {
	for _, fn := range p.functions() {
		name := receiver(fn)
		if name == "" {
			continue
		}
		alias := map[string]string{}
		var first []dst.Stmt
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
			if alias[sel.Sel.Name] == "" {
				alias[sel.Sel.Name] = p.fresh("lock")
				address := "&"
				if _, ptr := p.typeOf(sel).(*types.Pointer); ptr {
					address = ""
				}
				first = append(first, statements(alias[sel.Sel.Name]+" := "+address+path(sel))...)
			}
			return expression(alias[sel.Sel.Name] + "." + method + "()")
		})
		fn.Body.List = append(first, fn.Body.List...)
	}
}
