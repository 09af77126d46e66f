package shared

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

var safeComment = pattern.New(`(?i)concurren(t|tly)|goroutine[- ]safe|thread[- ]safe|(multiple|several|many|different) (goroutines|threads)`)

// forOne finds what comments say of types whose methods one goroutine calls at a time.
var forOne = pattern.New(`(?i)\b(not|isn't|aren't|never)\b( \w+){0,2} (thread|goroutine|concurren\w*)[- ]?safe|\bnot( \w+){0,2} safe for (concurrent|use by|multiple|parallel)|\bnot( \w+){0,3} for concurrent (use|access)|\bnot( \w+){0,2} safe to (use|call|share|access)\b[^.]*(goroutines|threads|concurrently)|\bmust( \w+){0,2} be (made|called|used|accessed)( \w+){0,3} (by|from|in|on) (a single|one|the same) (goroutine|thread)`)

// unsafeComment finds what denies it: a "not" that belongs to the words about goroutines, and not
// one that says something else earlier in the sentence.
var unsafeComment = pattern.New(`(?i)\b(not|isn't|aren't|never|no|cannot|can't|mustn't)\b( [\w-]+){0,3}[ -](safe|concurren|thread)|\b(not|isn't|aren't|never|no|cannot|can't|mustn't)\b( [\w-]+){0,8} (concurren|threads?\b|goroutine[- ]?safe|safe for)`)

// safeAfterAll is what says the opposite, after a "not" about something else: it cannot be copied but is safe for concurrent use.
var safeAfterAll = pattern.New(`(?i)(\b(but|and|which)|[,;]) ((it|they) )?((is|are|remains?) )?((also|always|fully|still|otherwise) )?(safe for concurrent|(goroutine|thread|concurrency)[- ]safe)`)

// safeMethod finds what comments say of methods that several goroutines may call on one
// object; it asks for more than what says so of a type, for methods speak of others, too.
var safeMethod = pattern.New(`(?i)\bsafe for concurrent\b|\b(goroutine|thread)[- ]safe\b|\b(called?|used?|invoked?)\b( \w+){0,3} (concurrently|(by|from|in) (multiple|several|many|different) (goroutines|threads))\b`)

// forbidding finds what speaks against it, or of something else.
var forbidding = pattern.New(`(?i)\b(not|isn't|mustn't|cannot|can't|never|no|unless|if)\b[^.]*(safe|concurren|thread|goroutine)`)

// saysConcurrentCalls says whether the comment of the method b is about several
// goroutines that may call it.
func saysConcurrentCalls(b *accesses.Body) bool {
	decl, ok := b.Node.(*ast.FuncDecl)
	if !ok {
		return false
	}
	text := strings.Join(strings.Fields(decl.Doc.Text()), " ")
	return safeMethod.MatchString(text) && !forbidding.MatchString(text)
}

// findConcurrent finds the types that are made for concurrent use.
func (r *Result) findConcurrent() {
	defer r.readPackageDoc()
	defer r.askInterfaces()
	atomics := r.fieldsOfAtomics()
	for _, file := range r.pkg.Files {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				ts, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				tn, ok := r.pkg.Info.Defs[ts.Name].(*types.TypeName)
				if !ok {
					continue
				}
				text := ts.Doc.Text()
				if text == "" && len(gen.Specs) == 1 {
					text = gen.Doc.Text()
				}
				said := strings.Join(strings.Fields(strings.ReplaceAll(text, "\n"+tn.Name()+" ", ".\n"+tn.Name()+" ")), " ") // a line that begins with the name begins a sentence
				r.forOne[tn] = forOne.MatchString(said)
				switch {
				case unsafeComment.MatchString(safeAfterAll.Regexp().ReplaceAllString(said, "")):
				case safeComment.MatchString(text):
					r.concurrent[tn], r.documented[tn] = true, true
				case holdsLock(tn.Type(), 0), r.holdsChannelLock(tn.Type()), holdsOneOf(tn.Type(), atomics):
					r.concurrent[tn] = true
				}
			}
		}
	}
}

// askInterfaces takes what the comment of an exported interface says of goroutines for said of the
// unexported types of the package that users come to by it alone.
func (r *Result) askInterfaces() {
	scope := r.pkg.Types.Scope()
	for _, name := range scope.Names() {
		said, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !said.Exported() || !r.forOne[said] {
			continue
		}
		face, ok := said.Type().Underlying().(*types.Interface)
		if !ok || face.NumMethods() == 0 || isGeneric(said.Type()) {
			continue
		}
		for _, other := range scope.Names() {
			tn, ok := scope.Lookup(other).(*types.TypeName)
			if ok && !tn.Exported() && !tn.IsAlias() && !isGeneric(tn.Type()) && usedBy(tn, face) {
				r.forOne[tn] = true
				if !r.documented[tn] {
					delete(r.concurrent, tn)
				}
			}
		}
	}
}

// usedBy says whether the type implements the interface, and has no other exported methods.
func usedBy(tn *types.TypeName, face *types.Interface) bool {
	ptr := types.NewPointer(tn.Type())
	if types.IsInterface(tn.Type()) || !types.Implements(ptr, face) {
		return false
	}
	for m := range types.NewMethodSet(ptr).Methods() {
		if m.Obj().Exported() {
			if obj, _, _ := types.LookupFieldOrMethod(face, false, tn.Pkg(), m.Obj().Name()); obj == nil {
				return false
			}
		}
	}
	return true
}

// isGeneric says whether a declared type has type parameters.
func isGeneric(t types.Type) bool {
	named, ok := t.(*types.Named)
	return ok && named.TypeParams().Len() > 0
}

// readPackageDoc finds the types of which the package's comment says that goroutines must
// not share them, and the one type of a package that is said to be safe.
func (r *Result) readPackageDoc() {
	scope := r.pkg.Types.Scope()
	for _, file := range r.pkg.Files {
		for _, sentence := range strings.Split(strings.Join(strings.Fields(file.Doc.Text()), " "), ". ") {
			if !forOne.MatchString(sentence) {
				if tn := r.onlyType(); tn != nil && safePackage.MatchString(sentence) && !unsafeComment.MatchString(sentence) {
					r.concurrent[tn], r.documented[tn] = true, true
				}
				continue
			}
			for _, word := range words.Regexp().FindAllString(sentence, -1) {
				if tn, ok := scope.Lookup(word).(*types.TypeName); ok && tn.Exported() {
					r.forOne[tn] = true
					delete(r.concurrent, tn)
				}
			}
		}
	}
}

// safePackage is what a package says of its one type.
var safePackage = pattern.New(`(?i)\b(goroutine|thread|concurrency)[- ]safe\b|\bsafe for concurrent use\b`)

// onlyType is the one exported type of the package that is a struct, if that holds a lock.
func (r *Result) onlyType() *types.TypeName {
	var only *types.TypeName
	scope := r.pkg.Types.Scope()
	for _, name := range scope.Names() {
		tn, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || !tn.Exported() {
			continue
		}
		if _, isStruct := tn.Type().Underlying().(*types.Struct); !isStruct {
			continue
		}
		if only != nil {
			return nil
		}
		only = tn
	}
	if only == nil || r.forOne[only] || !holdsLock(only.Type(), 0) {
		return nil
	}
	return only
}

var words = pattern.New(`\w+`)

// Concurrent says whether the type that v is a field of is made for concurrent
// use.
func (r *Result) Concurrent(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && (r.concurrent[tn] || tn.Pkg() != r.pkg.Types && (holdsLock(tn.Type(), 0) || r.saysConcurrent(tn)))
}

// Documented says whether the comment of a type of the package says that several goroutines
// may use an object of it.
func (r *Result) Documented(tn *types.TypeName) bool { return r.documented[tn] }

// Locks says whether a type of this package is made for concurrent use, or one of
// another holds a lock: one that is safe since nothing of it changes does not.
func (r *Result) Locks(t types.Type) bool {
	tn := accesses.TypeName(t)
	return tn != nil && (r.concurrent[tn] || tn.Pkg() != r.pkg.Types && holdsLock(tn.Type(), 0))
}

// fieldsOfAtomics are the fields that functions, constructors aside, access by those of sync/atomic:
// that shows what the object is meant for as a field of an atomic type does.
func (r *Result) fieldsOfAtomics() map[types.Object]bool {
	found := map[types.Object]bool{}
	for _, b := range r.pkg.Bodies {
		if constructs(b.Outermost()) {
			continue
		}
		for _, a := range b.Fn.Accesses {
			if a.Kind == access.Atomic && !a.Var.Contents && a.Var.Obj != nil {
				found[a.Var.Obj] = true
			}
		}
	}
	return found
}

// holdsOneOf says whether a struct has one of the fields itself.
func holdsOneOf(t types.Type, fields map[types.Object]bool) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if fields[f.Origin()] {
			return true
		}
	}
	return false
}

// findAtomicOwners finds the types of which two functions at least access one field by the
// functions of sync/atomic, and none but constructors changes any field without them.
func (r *Result) findAtomicOwners() {
	by := map[*types.Var]*access.Function{}
	plainly := map[*types.TypeName]bool{}
	r.atomicOwners = map[*types.TypeName]bool{}
	for _, b := range r.pkg.Bodies {
		if b.Parent != nil || constructs(b) {
			continue
		}
		for _, a := range b.Fn.Accesses {
			tn := r.owners[a.Var.Obj]
			switch {
			case tn == nil:
			case a.Kind != access.Atomic:
				plainly[tn] = plainly[tn] || a.Mode == atomicity.Write
			case !a.Var.Contents:
				if first := by[a.Var.Obj]; first != nil && first != b.Fn {
					r.atomicOwners[tn] = true
				}
				by[a.Var.Obj] = b.Fn
			}
		}
	}
	for tn := range plainly {
		if plainly[tn] {
			delete(r.atomicOwners, tn)
		}
	}
}

// ByAtomics says whether the variable is accessed by the functions of sync/atomic, and
// nothing of the object is changed without them.
func (r *Result) ByAtomics(a *access.Access) bool {
	return a.Kind == access.Atomic && r.atomicOwners[r.owners[a.Var.Obj]]
}

// holdsChannelLock says whether a struct has a channel that the package uses as a lock.
func (r *Result) holdsChannelLock(t types.Type) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if r.locks.ByChannel(f.Origin()) {
			return true
		}
	}
	return false
}

// holdsLock says whether a struct holds, by value or pointer, a lock, an
// atomic or a sync.Map.
func holdsLock(t types.Type, depth int) bool {
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 3 {
		return false
	}
	for f := range s.Fields() {
		ft := f.Type()
		if ptr, ok := types.Unalias(ft).(*types.Pointer); ok {
			if isSync(ptr.Elem()) {
				return true
			}
			continue
		}
		if isSync(ft) {
			return true
		}
		if _, ok := ft.Underlying().(*types.Struct); ok && holdsLock(ft, depth+1) {
			return true
		}
	}
	return false
}

// isSync says whether t is a lock, an atomic or a sync.Map.
func isSync(t types.Type) bool {
	tn := accesses.TypeName(t)
	if tn == nil || tn.Pkg() == nil {
		return false
	}
	if tn.Pkg().Path() == "sync" {
		switch tn.Name() {
		case "Mutex", "RWMutex", "Locker", "Map", "Once", "Cond":
			return true
		}
	}
	return access.IsAtomic(tn.Pkg().Path())
}
