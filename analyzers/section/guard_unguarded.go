package section

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/analyzers/locks"
	"github.com/atomrace/atomrace/analyzers/shared"
	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/pattern"
)

// unguarded finds accesses without any lock to variables that every other
// function accesses under one and the same lock: writes, looks into a map that
// others write, and reads after the function itself has released that lock. The
// other functions are the rule, this one breaks it.
func (s *search) unguarded() {
	if !s.shared.Launched(s.body) && !s.shared.Entered(s.body) && !s.shared.Spawned(s.body) || s.lastOfAll() || s.builds() || s.formatsUnasked() {
		return
	}
	reported := map[access.Var]bool{}
	for _, o := range s.order {
		if o.via != nil || reported[o.Var] || !o.place.Valid() || !o.Var.Obj.IsField() && !accesses.IsGlobal(o.Var.Obj) {
			continue
		}
		setters := s.settersLock(o)
		switch o.Kind {
		case access.MapElement, access.MapWhole:
		case access.Cell:
			if o.Mode != atomicity.Write && setters == "" && !s.readsBare(o) && (len(o.held) > 0 && !s.besideWriters(o) || !s.releasedBefore(o, s.ruleOf(o)) && !s.releasedBefore(o, s.writtenUnder(o)) && (len(o.held) > 0 || !s.takenLater(o, s.writtenUnder(o)))) {
				continue
			}
		default:
			continue
		}
		if s.reachOf(o) < shared.Meant && !s.fetched(o) && !s.ownLockBefore(o) && setters == "" || s.waitedBefore(o) || s.madeAnew(o) || o.Mode == atomicity.Write && s.readies() && !s.holdsToRead(o) {
			continue
		}
		if o.Mode == atomicity.Read && s.logged(o) || s.cameOut(o) {
			continue
		}
		rule := s.ruleOf(o)
		if o.Mode == atomicity.Read && o.Kind == access.Cell && s.setOnce(o.Var) && s.foundSet(o) {
			continue // it has seen the last of its values
		}
		reading := o.Mode == atomicity.Write && !o.heaped() && (s.onlyReading(o) || s.readsGuard(o)) // what a library changes is told of by library
		if reading && (s.saidOf(o) || s.readsForAnother(o.held, o.Var) || s.takenEitherWay(o.held)) {
			continue
		}
		if rule == "" && reading {
			rule = s.writersLock(o)
		}
		setter := rule == "" && setters != ""
		if setter {
			rule = setters
		}
		ahead := false
		if rule == "" && s.setsBare(o) {
			rule = s.readersLock(o)
			ahead = rule != ""
		}
		early := false
		ofWriters := rule == "" && o.Mode == atomicity.Read && o.Kind == access.Cell && (s.shared.Launched(s.body) || s.shared.Entered(s.body))
		if ofWriters {
			rule = s.writtenUnder(o)
			released := s.releasedOnTheWay(o, rule)
			if released && s.keptElsewhere(o.Var, rule) || !s.setByOthers(o.Var) || s.endedBefore(o, rule) {
				continue // it has looked with the lock, or keeps the writers away
			}
			if early = !released; early && (!s.takenLater(o, rule) || s.decidedUnder(o.Var, rule)) {
				continue // it may never have had it, or looks again with it
			}
		}
		looked := rule == "" && s.looksWithout(o)
		if looked {
			rule = cmp.Or(s.writtenUnder(o), s.bothChangedUnder(o))
		}
		forgotten := ""
		if rule == "" {
			forgotten = s.forgets(o)
			rule = forgotten
		}
		if rule == "" || !reading && !ahead && forgotten == "" && (s.otherRule(o, rule) || s.heldOutside(o)) || s.looksLater(o, rule) || s.hasSet(o) || s.leftState(o) || s.beforeReady(o) || s.ownWhileSet(o) {
			continue
		}
		if s.announcedFirst(o) || s.neverRead(o) || o.Mode == atomicity.Read && o.Kind == access.Cell && !s.setBeyond(o.Var) {
			continue
		}
		ok, strong, _ := s.shared.Rivals(s.body, o.Var)
		if ahead && !ok {
			ok, strong, _ = s.shared.RivalsAmong(s.body, o.Var, s.othersReadUnder(o, rule))
		}
		if reading && !ok {
			ok, strong, _ = s.shared.RivalsAmong(s.body, o.Var, s.readersUnder(o, rule))
		}
		if !ok || !strong {
			continue
		}
		reported[o.Var] = true
		keeper, in := s.another(o.Var, s.body, func(k *occurrence) bool {
			return k.Mode == atomicity.Write && k.lockOf(rule).Valid() && !s.shared.Constructing(s.pkg.ByNode[k.Func.Node])
		})
		if keeper == nil {
			keeper, in = s.another(o.Var, s.body, func(k *occurrence) bool { return k.lockOf(rule).Valid() })
		}
		if keeper == nil || o.Mode == atomicity.Read && (s.leadsToLock(keeper, rule) || s.writtenAtLast(o.Var)) {
			continue
		}
		c := s.direct("discipline", "unguarded-access", o.Access, o.Pos(), keeper.Pos())
		c.Roles = [2]string{"accessed without the lock", "accessed with it"}
		c.Alike = fmt.Sprint(c.Category, s.body.Fn.Name, rule)
		all := "all other"
		if s.shared.Use(o.Var).KeptInPart(s.body) {
			all = "other"
		}
		c.Message = fmt.Sprintf("%s is accessed here without the lock that %s functions hold for it: %s in %s", o.shown(), all, keeper.lockOf(rule), in.Name)
		if ofWriters {
			c.Message = fmt.Sprintf("%s is read here after %s was released, which all functions hold that write it, as %s does", o.shown(), keeper.lockOf(rule), in.Name)
		}
		if early {
			c.Message = fmt.Sprintf("%s is read here before %s is taken, which all functions hold that write it, as %s does", o.shown(), keeper.lockOf(rule), in.Name)
		}
		if looked {
			c.Alike = fmt.Sprint(c.Category, c.Name, rule) // one look tells about the others
			c.Message = fmt.Sprintf("%s is looked into here without %s, which all functions hold that change it, as %s does", o.shown(), keeper.lockOf(rule), in.Name)
		}
		if forgotten != "" {
			c.Message = fmt.Sprintf("%s is changed here without %s, which all other functions hold that change it, as %s does", types.ExprString(o.Cell), keeper.lockOf(rule), in.Name)
		}
		if setter {
			c.Message = fmt.Sprintf("%s is read here before %s is taken, with which %s sets it", o.shown(), keeper.lockOf(rule), in.Name)
		}
		if ahead {
			c.Message = fmt.Sprintf("%s is written here before %s is taken, with which %s reads it", o.shown(), keeper.lockOf(rule), in.Name)
		}
		if reading {
			c.Message = fmt.Sprintf("%s is written here with %s held for reading only, which others can do at the same time", o.shown(), o.lockOf(rule))
		}
		s.tell(c, o, o.Access)
	}
}

// besideWriters says whether all that is held at o are locks of the very object that some of those who
// write the variable do not hold: they are there for something else.
func (s *search) besideWriters(o *occurrence) bool {
	u := s.shared.Use(o.Var)
	for l, mode := range o.held {
		if u == nil || mode <= locks.Possible || l.Root == nil || l.Root != o.place.Root || u.WritersHold(locks.ClassOf(l)) {
			return false
		}
	}
	return true
}

// lastOfAll says whether the body is a literal that is handed to a function by which
// something of another package ends: that calls it once everybody else is gone.
func (s *search) lastOfAll() bool {
	lit, ok := s.body.Node.(*ast.FuncLit)
	if !ok {
		return false
	}
	found := false
	ast.Inspect(s.body.Outermost().Block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && slices.Contains(call.Args, ast.Expr(lit)) {
			fn := s.locks.Callee(call)
			found = fn != nil && fn.Pkg() != s.pkg.Types && endings.MatchString(fn.Name())
		}
		return !found
	})
	return found
}

// builds says whether the body is of a method that gives a new object a part, and may return the
// object: q := newQueue().WithMetrics(m). One that returns nothing and takes a lock knows of others.
func (s *search) builds() bool {
	fn := s.body.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil || !building.MatchString(fn.Name()) {
		return false
	}
	results := fn.Signature().Results()
	if results.Len() == 0 {
		return !s.takesAny(s.body.Outermost(), "")
	}
	return types.Identical(results.At(0).Type(), fn.Signature().Recv().Type())
}

var building = pattern.New(`^With[A-Z]`)

// formatsUnasked says whether the body is of a method by which fmt and its likes show an
// object, and which nobody in the package calls: of an unexported type, for they look for it in
// what they are given alone, not in what that holds in fields without a name for others; or
// of one whose objects are shown with their locks held.
func (s *search) formatsUnasked() bool {
	fn := s.body.Outermost().Func
	if fn == nil || fn.Signature().Recv() == nil || !formatting.MatchString(fn.Name()) || len(s.callersOf(fn)) > 0 {
		return false
	}
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	return tn != nil && (!tn.Exported() || s.shownLocked(fn.Signature().Recv().Type()))
}

var formatting = pattern.New(`^(String|GoString|Format|Marshal(JSON|Text|YAML|Binary|Log\w*)|LogValue)$`)

// readies says whether the body is of a function whose name says that it readies an
// object which others use afterwards, and not one that several exported methods call, each
// time that they are called themselves, to make what is missing.
func (s *search) readies() bool {
	fn := s.body.Outermost().Func
	if !s.shared.SetsGoing(s.body) || fn.Exported() {
		return s.shared.SetsGoing(s.body)
	}
	lazily := map[*types.Func]bool{}
	for _, c := range s.callersOf(fn) {
		if c.Func == nil || !c.Func.Exported() || c.Func.Signature().Recv() == nil || s.shared.SetsGoing(c) {
			return true
		}
		lazily[c.Func] = true
	}
	return len(lazily) < 2
}

// ruleOf is the class of the lock that guards the variable everywhere but at o.
func (s *search) ruleOf(o *occurrence) string {
	u := s.shared.Use(o.Var)
	if rule := u.Rule(s.body); rule != "" || o.Mode == atomicity.Write {
		if two := u.RuleOfTwo(s.body); rule == "" && two != "" && o.Kind == access.Cell && s.inEndlessLoop(o) {
			return two // the others are at work by then
		}
		return rule
	}
	if rule := u.OwnRule(s.body); rule != "" {
		return rule
	}
	if rule := s.calledFirst(o, u.RuleOfTwo(s.body)); rule != "" || len(o.held) > 0 {
		return rule
	}
	return s.ruleButWriter(o)
}

// inEndlessLoop says whether the body comes to o again and again, as long as it runs.
func (s *search) inEndlessLoop(o *occurrence) bool {
	return endlessLoopAround(s.body.Block, o.Pos()) != nil
}

// fetched says whether the object of o was taken out of a map of a shared object in
// the critical section that o lies in.
func (s *search) fetched(o *occurrence) bool {
	root := o.place.Root
	if root == nil || len(s.values.assigns[root]) != 1 {
		return false
	}
	for _, a := range s.values.reads[ast.Unparen(s.values.assigns[root][0].value)] {
		src := s.occ[a]
		if src != nil && src.Kind == access.MapElement && src.via == nil && s.reachOf(src) >= shared.Meant && s.oneHold(src, o) {
			return true
		}
	}
	return false
}

// another finds an access to the variable by a function other than that of b, the
// first one in the source that suits.
func (s *search) another(v access.Var, b *accesses.Body, suits func(*occurrence) bool) (*occurrence, *access.Function) {
	for _, body := range s.pkg.Bodies {
		if body.Outermost() == b.Outermost() {
			continue
		}
		for _, o := range s.states[body].order {
			if o.Var == v && o.via == nil && suits(o) {
				return o, body.Fn
			}
		}
	}
	return nil, nil
}

// neverRead says whether o writes a field of a plain type that the package reads nowhere, and nobody else can.
func (s *search) neverRead(o *occurrence) bool {
	if _, basic := o.Var.Obj.Type().Underlying().(*types.Basic); !basic || len(o.held) > 0 || o.Mode != atomicity.Write || o.Kind != access.Cell || o.Var.Contents || o.Var.Obj.Exported() {
		return false
	}
	return !slices.ContainsFunc(s.pkg.Bodies, func(b *accesses.Body) bool {
		return slices.ContainsFunc(s.states[b].order, func(r *occurrence) bool { return r.Var == o.Var && r.Mode == atomicity.Read })
	})
}

// lockOf is the lock of the class that is held at the access.
func (o *occurrence) lockOf(class string) accesses.Place {
	for _, l := range o.held.Places() {
		if o.held[l] > locks.Possible && locks.ClassOf(l) == class {
			return l
		}
	}
	return accesses.Place{}
}

// heldAs is how a lock of the class is held at the access, of whatever object: also one that the
// function cannot name, but all that call it hold.
func (o *occurrence) heldAs(class string) locks.Mode {
	return o.held[o.lockOf(class)]
}

// releasedBefore says whether the function itself takes a lock of the class, and
// has given it back by the time of the read.
func (s *search) releasedBefore(o *occurrence, class string) bool {
	if class == "" || len(o.held) > 0 && !s.besideWriters(o) {
		return false
	}
	for b, to := s.body, o.Pos(); b != nil; b, to = b.Parent, b.Node.Pos() {
		for _, events := range b.Events {
			for _, ev := range events {
				if ev.Node == nil || ev.Kind != accesses.OnCall || s.pkg.Order(ev.Pos()) > s.pkg.Order(to) {
					continue
				}
				for _, op := range s.locks.Ops(ev) {
					if op.Kind == locks.Release && locks.ClassOf(op.Lock) == class {
						return true
					}
				}
			}
		}
	}
	return false
}

// releasedOnTheWay says whether control comes to the read from where the body has given a
// lock of the class back.
func (s *search) releasedOnTheWay(o *occurrence, class string) bool {
	for block, events := range s.body.Events {
		for index, ev := range events {
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Release && locks.ClassOf(op.Lock) == class && s.leadsTo(&occurrence{Access: &access.Access{}, block: block, index: index}, o) {
					return true
				}
			}
		}
	}
	return false
}

// looksLater says whether the read comes before the body has had the lock, and the body looks
// again when it has it.
func (s *search) looksLater(o *occurrence, rule string) bool {
	return o.Kind == access.Cell && o.Mode == atomicity.Read && !s.releasedBefore(o, rule) && s.decidedUnder(o.Var, rule)
}

// takenLater says whether the body goes on from the read, of what leads to other variables,
// to take a lock of the class, of the same object: it does not hold it yet.
func (s *search) takenLater(o *occurrence, class string) bool {
	return class != "" && leadsFurther(o) && s.locksNext(o, class)
}

// endedBefore says whether the body has changed something under the lock that the writers of
// what o reads look at, as by r.closed = true: they write no more then.
func (s *search) endedBefore(o *occurrence, class string) bool {
	for _, w := range s.order {
		if w.Mode != atomicity.Write || w.place.Root != o.place.Root || !w.lockOf(class).Valid() || !s.leadsTo(w, o) {
			continue
		}
		for b := range s.shared.Use(o.Var).Writers() {
			if slices.ContainsFunc(s.states[b].order, func(r *occurrence) bool { return r.Var == w.Var && r.Mode == atomicity.Read }) {
				return true
			}
		}
	}
	return false
}

// ownLockBefore says whether the function has given back a lock that is a part of the very
// object that o reads from: it takes the object for shared itself.
func (s *search) ownLockBefore(o *occurrence) bool {
	if o.Mode != atomicity.Read || s.reachOf(o) == shared.Private {
		return false
	}
	for _, events := range s.body.Events {
		for _, ev := range events {
			if ev.Node == nil || ev.Kind != accesses.OnCall || s.before(o, ev) {
				continue
			}
			for _, op := range s.locks.Ops(ev) {
				if op.Kind == locks.Release && op.Lock.Root == o.place.Root {
					return true
				}
			}
		}
	}
	return false
}

// onlyReading says whether locks are held at o, all of them for reading.
func (s *search) onlyReading(o *occurrence) bool {
	for _, m := range o.held {
		if m != locks.Shared {
			return false
		}
	}
	return len(o.held) > 0
}

// holdsToRead says whether the body takes a lock of the object for reading, and holds no other: it
// does not think of the object as its own, whatever its name says, as that of cache.Load(key) does.
func (s *search) holdsToRead(o *occurrence) bool {
	return o.place.Root != nil && s.onlyReading(o) && slices.ContainsFunc(locksOf(o.held), func(l accesses.Place) bool {
		return l.Root == o.place.Root && s.handles(s.body, l)
	})
}

// saidOf says whether a section that the write ends is reported already.
func (s *search) saidOf(o *occurrence) bool {
	return slices.ContainsFunc(s.found, func(c *Candidate) bool {
		return c.Sure && c.Category == "write-under-rlock" && c.Variable == o.Var && c.Entry.Func == o.Func
	})
}

// writersLock is the class of the lock held for reading at the write o which another
// function holds for writing when it writes the variable, or for reading when it reads it,
// or "".
func (s *search) writersLock(o *occurrence) string {
	for _, l := range o.held.Places() {
		if o.held[l] == locks.Exclusive {
			continue // one of another kind, see readsGuard
		}
		class := locks.ClassOf(l)
		if writer, _ := s.another(o.Var, s.body, func(k *occurrence) bool {
			at := k.lockOf(class)
			return k.Mode == atomicity.Write && at.Valid() && k.held[at] == locks.Exclusive && s.reachOf(k) != shared.Private
		}); writer != nil {
			return class
		}
		ofPackage := l.Root != nil && accesses.IsGlobal(l.Root) && accesses.IsGlobal(o.place.Root)
		if o.Update == nil && (l.Root == o.place.Root || s.handles(s.body, l) && (ofPackage || s.foundBefore(o))) && s.reachOf(o) >= shared.Meant && s.othersReadUnder(o, class) != nil {
			return class
		}
	}
	return ""
}

// othersReadUnder are the other functions that read the variable, if all of them hold a lock of
// the class whenever they access it: two at least, or one that others can call.
func (s *search) othersReadUnder(o *occurrence, class string) map[*accesses.Body]bool {
	readers, outer, entered := map[*accesses.Body]bool{}, map[*accesses.Body]bool{}, false
	for _, b := range s.pkg.Bodies {
		if b.Outermost() == s.body.Outermost() || s.shared.Constructing(b) {
			continue
		}
		for _, r := range s.states[b].order {
			if r.Var != o.Var || r.via != nil || r.held.Holds(locks.Once) {
				continue
			}
			if !r.lockOf(class).Valid() {
				return nil
			}
			readers[b], outer[b.Outermost()] = true, true
			entered = entered || s.shared.Entered(b) || s.shared.Launched(b) || s.shared.Spawned(b)
		}
	}
	if len(outer) > 1 || entered {
		return readers
	}
	return nil
}

// otherRule says whether something is held at o that may keep the others out:
// the lock of the rule, an unknown caller's, or one that all writers hold too.
func (s *search) otherRule(o *occurrence, rule string) bool {
	for l := range o.held {
		if l == locks.Once && s.endsByOnce() {
			continue
		}
		if l == locks.Caller || l == locks.Once || lastOf(l.Path) == lastOf(rule) || s.shared.Use(o.Var).WritersHold(locks.ClassOf(l)) {
			return true
		}
	}
	return false
}

// endsByOnce says whether the body is what Close, or the like, of the object does once: the others
// that use the object do not wait for that.
func (s *search) endsByOnce() bool {
	out := s.body.Outermost()
	return s.body.Parent == out && out.Func != nil && out.Func.Signature().Recv() != nil && endings.MatchString(out.Func.Name())
}

// lastOf is the name of the lock itself, which stays the same when the object is
// reached through one that embeds it.
func lastOf(path string) string { return path[strings.LastIndex(path, ".")+1:] }
