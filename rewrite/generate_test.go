package rewrite

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// generator writes sequential Go programs whose output shows every order of
// evaluation that Go promises and the values that came of it. Calls in operands
// only print, so that no order that Go leaves open can be seen.
type generator struct {
	b      strings.Builder
	r      *choices
	depth  int
	labels int
	locals int
}

// choices are made by the bytes of data while there are any, so that a change
// of one byte changes one thing, and then by numbers that follow from data.
type choices struct {
	data []byte
	rest *rand.Rand
}

func newChoices(data []byte) *choices {
	h := fnv.New64a()
	h.Write(data)
	return &choices{data, rand.New(rand.NewPCG(h.Sum64(), 2))}
}

// IntN is below n.
func (c *choices) IntN(n int) int {
	if len(c.data) == 0 {
		return c.rest.IntN(n)
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b) % n
}

const generatedPrelude = `package main

import "fmt"

type in struct{ a, b int }

func (i *in) bump(d int) int { i.a += d; return i.b }
func (i in) sum() int        { return i.a + i.b }

type emb struct {
	in
	q int
}

type pair[T any] struct{ l, r T }

func (p *pair[T]) swap() { p.l, p.r = p.r, p.l }

func set[T any](p *T, v T) T { old := *p; *p = v; return old }

func seq(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n && yield(i); i++ {
		}
	}
}

type T struct {
	n, k int
	s    string
	ok   bool
	in   in
	p    *in
	arr  [4]int
	sl   []int
	ins  []in
	m    map[string]int
	ch   chan int
	any  interface{}
	f    func(int) int
	in2  map[int]in
	em   emb
	two  [2][2]int
	pr   pair[int]
	none *in
	nom  map[string]int
	one  map[int]int
}

var g, h, rounds int
var never chan int
var gm = map[string]int{}
var gt = make0()

func make0() *T {
	return &T{p: &in{3, 4}, sl: make([]int, 4, 9), ins: make([]in, 4), m: map[string]int{}, ch: make(chan int, 9), f: func(i int) int { return i + 1 }, in2: map[int]in{}, one: map[int]int{5: 6}}
}

func alone(f func())              { done := make(chan bool); go func() { f(); close(done) }(); <-done }
func note(what string, n int) int { fmt.Print(what, n, " "); return n }
func get(t *T) *T                 { fmt.Print("get "); return t }
func key(n int) string            { fmt.Print("key", n&3, " "); return [4]string{"a", "b", "c", "d"}[n&3] }
func two(n int) (int, int)        { fmt.Print("two", n, " "); return n + 1, n + 2 }
func (t *T) add(d int) int        { t.n += d; return t.n }
func (t *T) String() string {
	return fmt.Sprint(t.n, t.k, t.s, t.ok, t.in, *t.p, t.arr, t.sl, t.ins, t.m, len(t.ch), t.any, t.in2, t.em, t.two, t.pr, t.one, g, h, gm)
}
`

// program is the program of so many functions that the choices make.
func program(data []byte, functions int) string {
	w := &generator{r: newChoices(data)}
	w.b.WriteString(generatedPrelude)
	for i := range functions {
		w.locals = 0
		w.line("\nfunc f%d(t *T, x int) (r int) {", i)
		w.line("\tu, v := x, x+1")
		if w.r.IntN(3) == 0 {
			w.line("\tdefer func() { if e := recover(); e != nil { r, t.n = t.n, -1; fmt.Print(\"recovered \") } }()")
		}
		if w.r.IntN(2) == 0 { // u is shared from now on
			w.line("\tcatch := func(d int) int { u += d; return u }\n\t_ = catch")
		}
		w.block(2 + w.r.IntN(5))
		w.line("\treturn u + v + t.n")
		w.line("}")
	}
	w.line("\nfunc main() {")
	for i := range functions {
		w.line("\tfor i := 0; i < 3; i++ {\n\t\tt := make0()\n\t\tgt = t\n\t\tg, h, rounds = i, 2, 0\n\t\talone(func() { fmt.Println(%d, f%d(t, i), t) })\n\t}", i, i)
	}
	w.line("}")
	return w.b.String()
}

// sourceOf is the text of one function of the program.
func sourceOf(program, number string) string {
	_, text, _ := strings.Cut(program, "\nfunc f"+number+"(")
	text, _, _ = strings.Cut(text, "\n\treturn u + v + t.n\n")
	return "func f" + number + "(" + text + "\n…"
}

func (w *generator) line(format string, args ...any) { fmt.Fprintf(&w.b, format+"\n", args...) }

func (w *generator) pick(list ...string) string { return list[w.r.IntN(len(list))] }

// integer is an expression of type int.
func (w *generator) integer() string {
	w.depth++
	defer func() { w.depth-- }()
	if w.depth > 3 {
		return w.pick("t.n", "g", "u", "x", "7")
	}
	switch w.r.IntN(17) {
	case 8:
		return w.pick("t.em.a", "t.em.q", "t.two[x&1][v&1]", "t.pr.l", "t.one[5]", "get(t).em.in.b", "*&t.n", "len(t.s)")
	case 9:
		return w.pick("t.in.sum()", "t.em.sum()", "max(t.n, u)", "min(t.k, "+w.integer()+", 8)")
	case 0:
		return "(" + w.integer() + w.pick(" + ", " - ", " * ", " ^ ", " &^ ") + w.integer() + ")"
	case 1:
		return w.integer() + " / (" + w.integer() + "&7 + 9)"
	case 2:
		return w.pick("get(t).n", "get(t).in.a", "get(gt).p.b")
	case 3:
		return w.pick("t.arr[x&3]", "t.sl[u&3]", "t.ins[v&3].b", "t.arr[note(\"i\", 2)]", "get(t).sl[note(\"j\", x&3)]")
	case 4:
		return w.pick("t.m[\"a\"]", "t.m[key(x)]", "gm[\"b\"]", "t.in2[x].a", "len(t.m)", "len(t.sl)")
	case 5:
		return "note(\"c\", " + w.integer() + ")"
	case 6:
		return "func() int { return " + w.integer() + " }()"
	case 7:
		return "(" + w.integer() + " << (uint(x) & 3))"
	default:
		return w.pick("t.n", "t.k", "g", "h", "u", "v", "x", "t.in.b", "t.p.a", "5")
	}
}

func (w *generator) condition() string {
	switch w.r.IntN(8) {
	case 3:
		return w.pick("t.in == *t.p", "t.any == t.n", "t.arr == [4]int{u, v}", "t.two[0] == t.two[1]", "t.em.in == t.ins[x&3]", "t.s != \"y\"")
	case 0:
		return "t.ok && " + w.condition()
	case 1:
		return "(t.ok || " + w.condition() + ")"
	case 2:
		return "!t.ok"
	}
	return w.integer() + w.pick(" < ", " == ", " > ", " != ") + w.integer()
}

// place is something of type int that can be assigned to.
func (w *generator) place() string {
	return w.pick("t.n", "t.k", "g", "h", "u", "v", "t.in.a", "t.p.b", "t.arr[x&3]", "t.sl[v&3]", "t.ins[note(\"p\", 1)].a",
		"t.m[\"a\"]", "t.m[key(u)]", "gm[\"c\"]", "get(t).n", "get(t).in.b", "(*t.p).a", "gt.n", "get(gt).arr[note(\"q\", 3)]",
		"t.em.a", "t.em.in.b", "t.em.q", "t.two[v&1][note(\"w\", x&1)]", "t.pr.l", "get(t).pr.r", "t.one[5]")
}

func (w *generator) block(n int) {
	for range n {
		w.statement()
	}
}

func (w *generator) nested(n int) {
	w.depth++
	w.block(n)
	w.depth--
}

func (w *generator) statement() {
	if w.depth > 2 {
		w.line("%s = %s", w.place(), w.integer())
		return
	}
	switch w.r.IntN(34) {
	case 0:
		w.line("%s%s", w.place(), w.pick("++", "--"))
	case 1:
		w.line("%s %s %s", w.place(), w.pick("+=", "-=", "*=", "^=", "|=", "&=", "&^="), w.integer())
	case 2:
		w.line("%s <<= uint(%s) & 3", w.place(), w.integer())
	case 3:
		a, b := w.pick("t.n", "g", "t.arr[0]", "t.m[\"a\"]", "u"), w.pick("t.k", "h", "t.sl[1]", "gm[\"b\"]", "v")
		w.line("%s, %s = %s, %s", a, b, b, a)
	case 4:
		w.line("%s, %s = two(%s)", w.pick("t.n", "u", "t.m[\"d\"]"), w.pick("t.k", "_", "g"), w.integer())
	case 5:
		w.line("if %s {", w.condition())
		w.nested(2)
		if w.r.IntN(2) == 0 {
			w.line("} else if t.n++; %s {", w.condition())
			w.nested(1)
		}
		if w.r.IntN(2) == 0 {
			w.line("} else {")
			w.nested(1)
		}
		w.line("}")
	case 6, 7:
		w.loop()
	case 8:
		w.line("switch %s {\ncase %d, %s:", w.pick(w.integer(), "t.n++; t.n & 3", w.integer()), w.r.IntN(4)+100, w.integer())
		w.nested(1)
		if w.r.IntN(2) == 0 {
			w.line("fallthrough")
		}
		w.line("default:")
		w.nested(1)
		w.line("}")
	case 9:
		w.line("switch {\ncase %s:", w.condition())
		w.nested(1)
		w.line("case %s:", w.condition())
		w.nested(1)
		w.line("}")
	case 10:
		w.line("select {\ncase %s = <-t.ch:", w.place())
		w.nested(1)
		w.line("default:")
		w.nested(1)
		w.line("}")
	case 11:
		w.line("if len(t.ch) < 8 { t.ch <- %s }", w.integer())
	case 12:
		w.line("defer func(d int) { %s += d; fmt.Print(\"defer\", t.n, \" \") }(%s)", w.place(), w.integer())
	case 13:
		w.line("func() { %s = %s }()", w.place(), w.integer())
	case 14:
		w.line("t.s += %q", w.pick("y", "z"))
	case 15:
		w.line("t.ok = %s", w.condition())
	case 16:
		w.line("t.any = %s", w.pick(w.integer(), "t.s", "t.in", "nil", w.condition()))
	case 17:
		w.line("if e, ok := t.any.(int); ok { %s = e }", w.place())
	case 18:
		w.line("t.in%s", w.pick(" = *t.p", " = in{t.n, t.k}", " = t.ins[x&3]", ", *t.p = *t.p, t.in"))
	case 19:
		w.line("t.sl = append(t.sl%s, %s)", w.pick("", "[:4]"), w.integer())
	case 20:
		w.line("delete(%s)", w.pick("t.m, \"a\"", "gm, key(v)", "get(t).m, key(1)"))
	case 21:
		w.line("switch e := t.any.(type) {\ncase int:\n%s = e\ncase string, nil:\n_ = e", w.place())
		w.nested(1)
		w.line("}")
	case 22:
		w.locals++
		w.line("{\nw%d, ok := t.m[%s]\nt.ok = ok\n%s = w%d", w.locals, w.pick("\"a\"", "key(x)"), w.place(), w.locals)
		w.line("_ = func() { w%d++ }", w.locals)
		w.line("}")
	case 24:
		w.locals++
		w.line("{\nw%[1]d := %[2]s\nw%[1]d.a += %[3]s\n%[4]s = w%[1]d\n}", w.locals, w.pick("*t.p", "t.in", "t.ins[u&3]", "t.em.in"), w.integer(), w.pick("*t.p", "t.in", "t.ins[v&3]", "t.in2[x]", "t.em.in"))
	case 25:
		w.line("%s", w.pick("t.arr, t.two = [4]int{t.n, u}, [2][2]int{{t.k}, t.two[0]}", "t.two[x&1] = t.two[v&1]", "t.em = emb{t.in, t.n}", "t.pr = pair[int]{t.pr.r, t.k}",
			"t.pr.swap()", "{\nc := *t\nc.n, c.arr[x&3] = 5, 6\nt.k += c.n + c.arr[0]\n}", "*t.p, t.in = t.in, *t.p", "{\nc := t.arr\nc[1]++\nt.arr = c\n}"))
	case 26:
		w.line("%s", w.pick("copy(t.sl, t.arr[:])", "copy(t.sl[1:], t.sl)", "t.n = copy(t.arr[1:], get(t).sl)", "clear(t.sl[:2])", "clear(get(t).m)", "clear(t.in2)",
			"t.sl = append(t.sl[:1:1], t.sl...)", "t.ins = append(t.ins[:2], in{t.n, u}, *t.p)", "copy(t.ins, get(t).ins[1:])", "t.sl = append(get(t).sl[:2], note(\"e\", t.n), u)"))
	case 27:
		w.labels++
		w.line("{\nif %[1]s { goto G%[2]d }\n%[3]s = %[4]s\nG%[2]d:\n%[5]s = %[6]s\n}", w.condition(), w.labels, w.place(), w.integer(), w.place(), w.integer())
	case 28:
		m := [][2]string{{"get(t).add", "3"}, {"t.in.bump", "u"}, {"t.em.bump", "note(\"m\", 2)"}, {"(*T).add", "t, 2"}, {"t.em.in.sum", ""}}[w.r.IntN(5)]
		w.line("{\nm := %s\nc := m(%s)\n%s = c\n}", m[0], m[1], w.place())
	case 29:
		w.line("%s, %s = %s, %s", w.pick("t.n", "u", "t.sl[0]"), w.pick("t.arr[t.n&3]", "t.sl[u&3]", "t.m[key(t.n)]", "t.two[t.n&1][u&1]"), w.integer(), w.integer())
	case 30, 31: // panics, and what had happened by then
		w.line("func() {\ndefer func() { fmt.Print(\"panic \", recover() != nil, t.n, \" \") }()")
		w.line("%s", w.pick("t.none.a = "+w.integer(), "t.none.a += note(\"n\", u)", "t.sl[note(\"x\", 12)] = "+w.integer(), "t.sl[u+9]++", "t.nom[key(u)] = "+w.integer(), "t.nom[key(v)]++",
			"t.n /= t.pr.l", "t.n, t.none.b = note(\"y\", 1), 2", "*t.none = in{note(\"z\", 2), 3}", "t.k = t.none.b", "get(t).none.a = note(\"s\", 4)",
			"t.n = t.any.(int)", "t.arr[v+7], t.n = t.n, 4", "t.n = t.sl[note(\"t\", 8)+2]", "t.n <<= t.pr.l - 1", "t.two[u&1][x+2] ^= 3", "t.n, t.sl[x+20] = t.f(3), note(\"k\", 3)"))
		w.nested(1)
		w.line("}()")
	case 32:
		w.line("select {\ncase t.ch <- %s:", w.integer())
		w.nested(1)
		w.line("case %s, t.ok = <-never:\ndefault:", w.place())
		w.nested(1)
		w.line("}")
	case 33:
		at := w.pick("t.n", "t.em.q", "t.arr[x&3]", "u", "g", "t.pr.r")
		w.line("{\nc := %s\n%s = c\n}", w.pick("set(&"+at+", "+w.integer()+")", "get(t).add(2)", "t.p.bump(note(\"d\", x))"), w.place())
	case 23:
		w.line("t.f = func(i int) int { %s = i; return i + t.n }\n{\nc := t.f(%s)\n%s = c\n}", w.place(), w.integer(), w.place())
	}
}

func (w *generator) loop() {
	w.labels++
	label := ""
	if w.r.IntN(2) == 0 {
		label = fmt.Sprint("L", w.labels)
		w.line("%s:", label)
	}
	i := fmt.Sprint("i", w.labels)
	w.line("%s", strings.ReplaceAll(w.pick(
		"for I := 0; I < 3; I++ {", "for t.k = 0; t.k < 3 && g < 1<<40; t.k, g = t.k+1, g+1 {\nI := t.k",
		"for I := range t.arr {", "for _, I := range t.sl[:2] {", "for t.n, g = range t.sl[:3] {\nI := g", "for I := range 2 {", "for _, J := range t.ins[:2] {\nI := J.a",
		"for I := range seq(3) {", "for J, I := range &t.arr {\n_ = J", "for _, J := range t.two {\nI := J[1]", "for _, I := range t.one {", "for u, t.k = range t.arr {\nI := u", "for I, J := range t.s {\n_ = J",
		"for t.n = range seq(2) {\nI := t.n", "for t.k, t.arr[t.k&3] = range t.sl[:3] {\nI := t.k", "for t.arr[x&3], t.em.q = range t.one {\nI := t.k",
	), "I", i))
	// t.k may be set back by the body: a bound on the rounds of all loops.
	w.line("if rounds++; rounds > 5000 { break }\n_ = %s", i)
	w.nested(1 + w.r.IntN(2))
	if w.r.IntN(2) == 0 {
		to := ""
		if label != "" {
			to = " " + label
		}
		w.line("if %s { %s%s }", w.condition(), w.pick("break", "continue"), to)
	} else if label != "" {
		w.line("if t.ok { continue %s }", label)
	}
	if label != "" {
		w.line("if x == 99 { break %s }", label)
	}
	w.line("}")
}
