//go:build !atomrace_off

package heal

import (
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"
)

// account is a struct whose balance and version belong together; owner does not.
type account struct{ owner, balance, version int }

// accountProgram has a set of two fields, a section over it, and one over the balance
// alone. Each location is an access to its field and, but for owner, to the set.
type accountProgram struct {
	program
	owner, balance, version, set Variable
	together, alone              *Section
}

func newAccountProgram(pkg string) *accountProgram {
	p := &accountProgram{}
	field := func(name string, offset uintptr) Variable {
		return Variable{Package: pkg, Name: name, Type: "int", Guard: "account.balance", Offset: offset}
	}
	p.owner = Variable{Package: pkg, Name: "account.owner", Type: "int"}
	p.balance = field("account.balance", unsafe.Offsetof(account{}.balance))
	p.version = field("account.version", unsafe.Offsetof(account{}.version))
	p.set = field("{account.balance, account.version}", 0)
	p.set.Members = []string{"account.balance", "account.version"}
	p.together = &Section{ID: "together", Pattern: "user", Var: &p.set}
	p.alone = &Section{ID: "alone", Pattern: "user", Var: &p.balance}
	return p
}

// of is an access to the field; the points of sections are those of the section's
// own variable.
func (p *accountProgram) of(v *Variable, mode Mode, points ...any) *Location {
	var own, set []any
	for _, x := range points {
		s, ok := x.(*Section)
		if !ok {
			s = x.(End).Section
		}
		if s == p.together {
			set = append(set, x)
		} else {
			own = append(own, x)
		}
	}
	l := p.at(mode, own...)
	l.Var = v
	if v != &p.owner {
		m := p.at(mode, set...)
		m.Var, m.Bounds = &p.set, &Bounds{Entry: m.entries(), Ends: m.endings(), Of: v}
		l.Bounds = &Bounds{Entry: l.entries(), Ends: l.endings(), Sets: []*Location{m}}
	}
	return l
}

// A section over a set is broken by what is done to any of its members in the same
// struct, and by nothing else; one over a member only by what is done to that.
func TestSets(t *testing.T) {
	for _, test := range []struct{ name, foreign, broken string }{
		{"nobody came", "", ""},
		{"the first is written", "balance", "together"},
		{"the other is written", "version", "together"},
		{"the other is read", "read version", ""},
		{"both are written", "balance version", "together"},
		{"a field that is none of them is written", "owner", ""},
		{"another struct is written", "elsewhere", ""},
		{"the section over one", "alone balance", "alone"},
		{"the section over one, and the other is written", "alone version", ""},
		{"both sections, and the other is written", "both version", "together"},
		{"both sections, and the first is written", "both balance", "alone together"},
		{"the other is written, as it may be alone", "also version", ""},
		{"the other may be written, and the first is", "also balance", "together"},
		{"the other may be written, from more places than are remembered, and the first is", "also" + strings.Repeat(" version", 20) + " balance", "together"},
	} {
		t.Run(test.name, func(t *testing.T) {
			configured(t, "")
			p := newAccountProgram("example.com/" + t.Name())
			begin, end := []any{p.together}, []any{End{Section: p.together, Allow: Read}}
			onBalance := []any{}
			if strings.Contains(test.foreign, "alone") {
				begin, end, onBalance = []any{p.alone}, nil, []any{End{Section: p.alone, Allow: Read}}
			} else if strings.Contains(test.foreign, "both") {
				begin, onBalance = append(begin, p.alone), []any{End{Section: p.alone, Allow: Read}}
			}
			if strings.Contains(test.foreign, "also") {
				end = []any{End{Section: p.together, Allow: Read, Also: []MemberAccess{{"account.version", Write}}}}
			}
			entry, middle, last := p.of(&p.balance, Read, begin...), p.of(&p.balance, Write, onBalance...), p.of(&p.version, Write, end...)
			a := actors(t, 2)
			got := found(t, func() {
				x, y := new(account), new(account)
				a[0].visit(entry, &x.balance)
				for word := range strings.FieldsSeq(test.foreign) {
					switch word {
					case "balance":
						a[1].visit(p.of(&p.balance, Write), &x.balance)
					case "version":
						mode := Write
						if strings.Contains(test.foreign, "read") {
							mode = Read
						}
						a[1].visit(p.of(&p.version, mode), &x.version)
					case "owner":
						a[1].visit(p.of(&p.owner, Write), &x.owner)
					case "elsewhere":
						a[1].visit(p.of(&p.version, Write), &y.version)
					}
				}
				a[0].visit(middle, &x.balance)
				a[0].visit(last, &x.version)
				a[1].visit(p.of(&p.version, Write), &x.version) // it is over
			})
			if ids := sections(got); ids != test.broken {
				t.Errorf("broken: %q, want %q", ids, test.broken)
			}
			for _, x := range got {
				if x.Section == p.together && (x.Variable != &p.set || x.Entry.act() != "read of account.balance" || x.End.act() != "write to account.version") {
					t.Errorf("%s", x)
				}
				if len(x.Also) > 0 && (!strings.Contains(x.String(), "where it allows {read} and write account.version\n") || !strings.Contains(x.Suggestion(), "allow: [read], also: [write account.version]}\n")) {
					t.Errorf("%s\n%s", x, x.Suggestion())
				}
			}
			idle(t)
		})
	}
}

// Package-level variables of a set have one instance for all.
func TestSetOfGlobals(t *testing.T) {
	configured(t, "")
	p := newAccountProgram("example.com/" + t.Name())
	for _, v := range []*Variable{&p.balance, &p.version, &p.set} {
		v.Global, v.Offset = true, 0
	}
	entry, end, other := p.of(&p.balance, Write, p.together), p.of(&p.version, Write, End{Section: p.together, Allow: 0}), p.of(&p.version, Read)
	a := actors(t, 2)
	got := found(t, func() {
		balance, version := new(int), new(int)
		a[0].visit(entry, balance)
		a[1].visit(other, version)
		a[0].visit(end, version)
	})
	if sections(got) != "together" {
		t.Error(got)
	}
	idle(t)
}

// What a panic leaves open of an access to a member, or of a section over the set, is
// given back.
func TestSetAndPanic(t *testing.T) {
	for _, policy := range []string{"", "heal=lock", "heal=yield"} {
		configured(t, policy)
		p := newAccountProgram("example.com/" + t.Name() + policy)
		entry, other := p.of(&p.balance, Read, p.together), p.of(&p.version, Write)
		var ended sync.WaitGroup
		ended.Go(func() {
			defer func() { _ = recover() }()
			framed(func(f *Frame) {
				x := new(account)
				access1(f, entry, &x.balance)
				f.Before(other, unsafe.Pointer(&x.version), 8)
				panic("in between")
			})
		})
		ended.Wait()
		idle(t)
	}
}

// Healed by the lock, members and set have one lock: sections over one and over both,
// entered in either order, neither break each other nor wait in vain.
func TestSetHasOneHealingLock(t *testing.T) {
	configured(t, "heal=lock noise=random:300/20us")
	p := newAccountProgram("example.com/" + t.Name())
	entry, end := p.of(&p.balance, Read, p.together), p.of(&p.version, Write, End{Section: p.together, Allow: 0})
	load, store := p.of(&p.balance, Read, p.alone), p.of(&p.balance, Write, End{Section: p.alone, Allow: 0})
	poke, peek := p.of(&p.balance, Write), p.of(&p.version, Write)
	before := Stats()
	x := new(account)
	var mu sync.Mutex
	got := found(t, func() {
		crowd(6, func(f *Frame, i int) {
			for range 40 {
				switch i % 3 {
				case 0: // the set, and the member within
					access1(f, entry, &x.balance)
					access1(f, load, &x.balance)
					access1(f, store, &x.balance)
					access1(f, end, &x.version)
				case 1: // the member, and the set within
					access1(f, load, &x.balance)
					access1(f, peek, &x.version)
					access1(f, store, &x.balance)
				default: // a critical section with a Hold
					f.HoldSet(&p.set, &p.version, unsafe.Pointer(&x.version), 0)
					f.Hold(&p.balance, unsafe.Pointer(&x.balance), 1)
					mu.Lock()
					access1(f, poke, &x.balance)
					access1(f, peek, &x.version)
					mu.Unlock()
					f.Release(0)
					f.Release(1)
				}
				runtime.Gosched()
			}
		})
	})
	after := Stats()
	if len(got) > 0 || after.Timeouts > before.Timeouts || after.Cycles > before.Cycles {
		t.Errorf("%d broken, %d timeouts, %d cycles", len(got), after.Timeouts-before.Timeouts, after.Cycles-before.Cycles)
	}
	if after.Waits == before.Waits {
		t.Error("nobody waited: nothing was tried")
	}
	idle(t)
}
