package section

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// handsMap finds maps that are handed, with no lock held, to a function of the package that walks
// through them or looks into them, or to one of package maps, where all functions that change them
// hold a lock beside them:
//
//	go func() { for _, k := range unused(x.views) { … } }()
//	x.mu.Lock(); x.views[k] = v; x.mu.Unlock()                  // another function
//
// The function that looks does not know whose map it is.
func (s *search) handsMap() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.shared.Constructing(s.body) || s.shared.Sequential(s.body) ||
		s.readies() || s.builds() || s.lastOfAll() || s.formatsUnasked() {
		return
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			call, ok := ev.Node.(*ast.CallExpr)
			if !ok || ev.Kind != accesses.OnCall {
				continue
			}
			for i, arg := range slices.Concat([]ast.Expr{accesses.ReceiverOf(call)}, call.Args) {
				if arg == nil {
					continue
				}
				if o := s.occurrenceOf(arg); o != nil && o.Kind == access.Cell && o.Var.Obj.IsField() && isMap(o.Var.Obj.Type()) && len(o.held) == 0 && s.looksIntoArgument(call, i-1) && s.handsBare(o, call) {
					return
				}
			}
		}
	}
}

// handsBare reports the map that o hands to the call if others change it meanwhile under a lock.
func (s *search) handsBare(o *occurrence, call *ast.CallExpr) bool {
	if s.reachOf(o) < shared.Meant || s.logged(o) || s.waitedBefore(o) || s.madeAnew(o) || s.leftState(o) || s.ownWhileSet(o) || s.readiedBefore(o) {
		return false
	}
	entries := access.Var{Obj: o.Var.Obj, Contents: true}
	if s.shared.Use(entries) == nil {
		return false // nobody looks into it here
	}
	of := &occurrence{Access: &access.Access{Var: entries, Kind: access.MapElement}}
	class := cmp.Or(s.writtenUnder(of), s.bothChangedUnder(of))
	if callee := s.pkg.ByFunc[s.locks.Callee(call)]; class == "" || callee != nil && s.takesAny(callee, class) {
		return false // it may be told whose map it is given
	}
	if _, strong, _ := s.shared.Rivals(s.body, entries); !strong {
		return false
	}
	keeper, in := s.another(entries, s.body, func(k *occurrence) bool {
		return k.Mode == atomicity.Write && k.lockOf(class).Valid() && k.held[k.lockOf(class)] == locks.Exclusive && !s.shared.Constructing(s.pkg.ByNode[k.Func.Node])
	})
	if keeper == nil {
		return false
	}
	c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
	c.Roles = [2]string{"handed on without the lock", "changed with it"}
	c.Alike = fmt.Sprint(c.Category, c.Name, class)
	c.Message = fmt.Sprintf("%s looks into %s here without %s, which all functions hold that change it, as %s does", types.ExprString(call.Fun), types.ExprString(o.Expr), keeper.lockOf(class), in.Name)
	s.tell(c, o, o.Access)
	return true
}

// walksThroughAll are functions of other packages that walk through the maps that they are given.
var walksThroughAll = map[string]*pattern.Pattern{
	"encoding/json":    pattern.New(`^(Marshal(Indent)?|Encode)$`),
	"encoding/gob":     pattern.New(`^Encode$`),
	"gopkg.in/yaml.v2": pattern.New(`^(Marshal|Encode)$`),
	"gopkg.in/yaml.v3": pattern.New(`^(Marshal|Encode)$`),
	"reflect":          pattern.New(`^DeepEqual$`),
}

// looksIntoArgument says whether the call walks through a map that is its argument i, or for -1 what the method is one
// of, or looks into it.
func (s *search) looksIntoArgument(call *ast.CallExpr, i int) bool {
	fn := s.locks.Callee(call)
	if fn == nil {
		return false
	}
	fn = fn.Origin()
	if fn.Pkg() != nil && i >= 0 {
		if fn.Pkg().Path() == "maps" || fn.Pkg().Path() == "golang.org/x/exp/maps" {
			return fn.Name() != "All" || s.loopsOver(call) // which looks later
		}
		if known := walksThroughAll[fn.Pkg().Path()]; known != nil {
			return known.MatchString(fn.Name())
		}
	}
	b := s.pkg.ByFunc[fn]
	if b == nil || i >= fn.Signature().Params().Len() || fn.Signature().Variadic() {
		return false
	}
	given := fn.Signature().Recv()
	if i >= 0 {
		given = fn.Signature().Params().At(i)
	} else if given == nil || !isMap(given.Type()) {
		return false
	}
	param, found := types.Object(given), false
	ast.Inspect(b.Block, func(n ast.Node) bool {
		var x ast.Expr
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.RangeStmt:
			x = n.X
		case *ast.IndexExpr:
			x = n.X
		}
		found = found || x != nil && s.isObject(x, param)
		return !found
	})
	return found
}

// loopsOver says whether a loop of the body is over the call.
func (s *search) loopsOver(call *ast.CallExpr) bool {
	found := false
	ast.Inspect(s.body.Block, func(n ast.Node) bool {
		loop, ok := n.(*ast.RangeStmt)
		found = found || ok && ast.Unparen(loop.X) == ast.Expr(call)
		return !found
	})
	return found
}

// takesAny says whether the body takes a lock of the class, or any for "".
func (s *search) takesAny(b *accesses.Body, class string) bool {
	for _, events := range b.Events {
		for _, ev := range events {
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Acquire && (class == "" || locks.ClassOf(op.Lock) == class) {
					return true
				}
			}
		}
	}
	return false
}
