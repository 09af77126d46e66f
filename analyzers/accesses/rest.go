package accesses

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/atomicity/access"
)

// rests are functions that are a part of another one: nothing else mentions them.
//
//	func (s *Store) Put(k string) error {
//		s.mu.Lock()
//		defer s.mu.Unlock()
//		return s.put(k)
//	}
//
// The statements of put are those of Put. So are those of a function that is called by a
// statement of its own and returns at its end alone, and the condition that one without
// anything else returns, where another one asks it. What takes a lock by itself is a step
// of its own, and so is what starts goroutines or sets an object going.
type rests struct {
	info  *types.Info
	funcs map[*types.Func]*ast.FuncDecl
	// mentions counts how often the package names a function.
	mentions map[*types.Func]int
	asked    map[string]bool          // methods that an interface of the package has
	whole    map[*ast.FuncDecl]*whole // by the declaration in the source
	part     map[*ast.FuncDecl]bool   // what has been joined to another one
	begun    map[*ast.FuncDecl]bool   // see join
	done     map[*ast.FuncDecl]bool
	own      bool // info.Uses, info.Defs and info.Types are copies
}

// A whole is a declaration with the rests that it is continued by.
type whole struct {
	decl   *ast.FuncDecl   // a copy with all statements
	decls  []*ast.FuncDecl // in the source, its own the first
	joints []joint         // in the order of the source
	parts  []*access.Function
}

// A joint is a call in the place of which a function was put.
type joint struct {
	call  *ast.CallExpr
	of    *ast.FuncDecl
	below []joint // in the function itself
}

// wholes are the functions of the package, those with a rest as one. It makes the map that
// of the copies.
func (p *Package) wholes(joined map[*ast.FuncDecl]*whole) []*access.Function {
	byDecl := map[*ast.FuncDecl]*access.Function{}
	rest := map[*ast.FuncDecl]bool{}
	for _, fn := range p.Functions {
		byDecl[fn.Decl] = fn
	}
	for _, w := range joined {
		for _, d := range w.decls[1:] {
			rest[d] = true
		}
	}
	var list []*access.Function
	for _, fn := range p.Functions {
		w := joined[fn.Decl]
		switch {
		case rest[fn.Decl]:
			continue
		case w != nil:
			all := &access.Function{Name: fn.Name, Decl: w.decl, Node: w.decl, File: fn.File}
			for _, d := range w.decls {
				w.parts = append(w.parts, byDecl[d])
				all.Accesses = append(all.Accesses, byDecl[d].Accesses...)
			}
			delete(joined, fn.Decl)
			joined[w.decl] = w
			fn = all
		}
		list = append(list, fn)
	}
	return list
}

// joinRests joins functions with their rests. It returns the files without the
// declarations of these, what is known of the identifiers, where the parameters of a rest
// are what they are given, and the functions that have become longer.
func joinRests(files []*ast.File, info *types.Info) ([]*ast.File, *types.Info, map[*ast.FuncDecl]*whole) {
	r := &rests{info: info, funcs: map[*types.Func]*ast.FuncDecl{}, mentions: map[*types.Func]int{}, asked: map[string]bool{}, whole: map[*ast.FuncDecl]*whole{}, part: map[*ast.FuncDecl]bool{}, begun: map[*ast.FuncDecl]bool{}, done: map[*ast.FuncDecl]bool{}}
	r.survey(files)
	joined := make([]*ast.File, len(files))
	for i, file := range files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				r.join(file, fn)
			}
		}
		joined[i] = r.put(file)
	}
	for fn := range r.part {
		delete(r.whole, fn)
	}
	return joined, r.info, r.whole
}

// put is the file with the functions that have become longer, and without their parts.
func (r *rests) put(file *ast.File) *ast.File {
	if len(r.part) == 0 {
		return file
	}
	copied := *file
	copied.Decls = nil
	for _, d := range file.Decls {
		fn, _ := d.(*ast.FuncDecl)
		switch {
		case fn == nil || !r.part[fn] && r.whole[fn] == nil:
			copied.Decls = append(copied.Decls, d)
		case !r.part[fn]:
			copied.Decls = append(copied.Decls, r.whole[fn].decl)
		}
	}
	return &copied
}

// survey notes the declarations, and what is mentioned and asked for.
func (r *rests) survey(files []*ast.File) {
	for _, file := range files {
		for _, d := range file.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Body != nil {
				if f, ok := r.info.Defs[fn.Name].(*types.Func); ok {
					r.funcs[f] = fn
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if i, ok := n.(*ast.InterfaceType); ok && i.Methods != nil {
				for _, m := range i.Methods.List {
					for _, id := range m.Names {
						r.asked[id.Name] = true
					}
				}
			}
			return true
		})
	}
	for _, obj := range r.info.Uses {
		if fn, ok := obj.(*types.Func); ok {
			r.mentions[fn.Origin()]++
		}
	}
}

// join makes the statements of the functions that fn is made of, those of fn itself. These
// come first, so that they have their own already; one that comes to fn again is left alone.
func (r *rests) join(file *ast.File, fn *ast.FuncDecl) {
	f, ok := r.info.Defs[fn.Name].(*types.Func)
	if !ok || fn.Type.TypeParams != nil || r.begun[fn] {
		return
	}
	r.begun[fn] = true
	defer func() { r.done[fn] = true }()
	j := &joining{rests: r, file: file, fn: fn, sig: f.Signature(), names: map[string]bool{}, decls: []*ast.FuncDecl{fn}, start: fn.Type.Func, end: fn.Body.Rbrace}
	for v := range r.locals(fn) {
		j.names[v.Name()] = true
	}
	list := j.inner(fn.Body.List)
	if call := lastCall(list, fn); call != nil {
		if given, of := j.take(call, asRest, nil, j.returnsTheSame); of != nil {
			list = slices.Concat(list[:len(list)-1], given, r.wholeOf(of).Body.List)
		}
	}
	if len(j.decls) == 1 {
		return
	}
	block, decl, head := *fn.Body, *fn, *fn.Type
	block.List, block.Rbrace = list, j.end
	head.Func = j.start
	decl.Body, decl.Type = &block, &head
	slices.SortFunc(j.joints, func(a, b joint) int { return cmp.Compare(a.call.Pos(), b.call.Pos()) })
	r.whole[fn] = &whole{decl: &decl, decls: j.decls, joints: j.joints}
}

// A joining puts the parts of one function together.
type joining struct {
	*rests
	file   *ast.File
	fn     *ast.FuncDecl
	sig    *types.Signature
	names  map[string]bool // of the locals
	decls  []*ast.FuncDecl // the function and its parts
	start  token.Pos       // of the first of them
	end    token.Pos       // of the last of them
	joints []joint
}

// use says what a function is called for.
type use int

const (
	asRest use = iota
	asStatement
	asExpression
)

// take is what gives the parameters of the function that is called their values, and that
// function, nil if it is no part of fn.
func (j *joining) take(call *ast.CallExpr, as use, into []*ast.Ident, fits func(of *ast.FuncDecl, f *types.Func) bool) (given []ast.Stmt, of *ast.FuncDecl) {
	f, recv := j.callee(call)
	of = j.funcs[f]
	if as != asExpression && Runs(j.fn.Name.Name) {
		return nil, nil // what such a function calls relies on its being called once
	}
	if of == nil || f == nil || ast.IsExported(f.Name()) || j.mentions[f] != 1 || j.asked[f.Name()] || SetsGoing(f.Name()) || launches(of) ||
		of.Pos() < j.file.FileStart || j.file.FileEnd < of.Pos() || labelled(j.fn) && labelled(of) || SaysLocked(of) && !takesLock(j.fn) {
		return nil, nil
	}
	if recv == nil && f.Signature().Params().Len() == 1 && Copies(f.Name()) {
		return nil, nil // its result stands for what it is given
	}
	if of.Pos() < j.fn.End() && (j.locks(of) || len(into) > 0 || !j.ownReceiver(recv)) {
		return nil, nil
	}
	if j.join(j.file, of); !j.done[of] || !fits(j.wholeOf(of), f) {
		return nil, nil
	}
	if takesLock(j.wholeOf(of)) && (as != asRest || !takesLock(j.fn) && (recv != nil || len(j.fn.Body.List) > 1)) {
		return nil, nil // a step of its own, and not a function that is all there is
	}
	given, ok := j.given(of, f, recv, call, as, into)
	if !ok {
		return nil, nil
	}
	for v := range j.locals(j.wholeOf(of)) {
		j.names[v.Name()] = true
	}
	j.start = min(j.start, j.wholeOf(of).Pos())
	j.end = max(j.end, j.wholeOf(of).End()-1)
	j.part[of] = true
	if w := j.whole[of]; w != nil {
		j.decls = append(j.decls, w.decls...)
		j.joints = append(j.joints, joint{call, of, w.joints})
	} else {
		j.decls = append(j.decls, of)
		j.joints = append(j.joints, joint{call, of, nil})
	}
	return given, of
}

// returnsTheSame says whether what of returns is what fn returns: the types are the same, and a
// return without values means the same results.
func (j *joining) returnsTheSame(of *ast.FuncDecl, g *types.Func) bool {
	to, from := j.sig.Results(), g.Signature().Results()
	if to.Len() != from.Len() {
		return false
	}
	for i := range to.Len() {
		if !types.Identical(to.At(i).Type(), from.At(i).Type()) {
			return false
		}
	}
	if from.Len() == 0 || from.At(0).Name() == "" || to.At(0).Name() != "" {
		return true
	}
	bare := false
	inspectBody(of.Body, func(n ast.Node) {
		ret, ok := n.(*ast.ReturnStmt)
		bare = bare || ok && len(ret.Results) == 0
	})
	return !bare
}

// lastCall is the call that the function ends with, and whose results it returns if it
// has any.
func lastCall(list []ast.Stmt, fn *ast.FuncDecl) *ast.CallExpr {
	if len(list) == 0 {
		return nil
	}
	var e ast.Expr
	switch last := list[len(list)-1].(type) {
	case *ast.ExprStmt:
		if fn.Type.Results == nil {
			e = last.X
		}
	case *ast.ReturnStmt:
		if len(last.Results) == 1 {
			e = last.Results[0]
		}
	}
	call, _ := e.(*ast.CallExpr)
	return call
}

// callee is the function that the call names, and what it is called of.
func (r *rests) callee(call *ast.CallExpr) (f *types.Func, recv ast.Expr) {
	switch fun := call.Fun.(type) {
	case *ast.Ident:
		f, _ = r.info.Uses[fun].(*types.Func)
	case *ast.SelectorExpr:
		if s := r.info.Selections[fun]; s != nil && s.Kind() == types.MethodVal && len(s.Index()) == 1 {
			f, _ = s.Obj().(*types.Func)
			recv = fun.X
		}
	}
	return f, recv
}

// locks says whether the function takes a lock, itself or by a function of the package.
func (r *rests) locks(fn *ast.FuncDecl) bool {
	found := takesLock(fn)
	ast.Inspect(fn.Body, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && !found {
			f, _ := r.callee(call)
			of := r.funcs[f]
			found = of != nil && takesLock(of)
		}
		return !found
	})
	return found
}

// ownReceiver says whether e is the receiver of the function.
func (j *joining) ownReceiver(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && j.sig.Recv() != nil && j.info.Uses[id] == types.Object(j.sig.Recv())
}
