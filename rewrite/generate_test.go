package rewrite

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes sequential Go programs whose output shows every order of
// evaluation that Go promises and the values that came of it. Calls in operands
// only print, so that no order that Go leaves open can be seen.
type generator struct {
	b      strings.Builder
	r      *rand.Rand
	depth  int
	labels int
	locals int
}

const generatedPrelude = `package main

import "fmt"

type in struct{ a, b int }

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
}

var g, h, rounds int
var gm = map[string]int{}
var gt = make0()

func make0() *T {
	return &T{p: &in{3, 4}, sl: make([]int, 4, 9), ins: make([]in, 4), m: map[string]int{}, ch: make(chan int, 9), f: func(i int) int { return i + 1 }, in2: map[int]in{}}
}

func note(what string, n int) int { fmt.Print(what, n, " "); return n }
func get(t *T) *T                 { fmt.Print("get "); return t }
func key(n int) string            { fmt.Print("key", n&3, " "); return [4]string{"a", "b", "c", "d"}[n&3] }
func two(n int) (int, int)        { fmt.Print("two", n, " "); return n + 1, n + 2 }
func (t *T) String() string {
	return fmt.Sprint(t.n, t.k, t.s, t.ok, t.in, *t.p, t.arr, t.sl, t.ins, t.m, len(t.ch), t.any, t.in2, g, h, gm)
}
`

// program is a program made from the seed.
func program(seed uint64) string {
	w := &generator{r: rand.New(rand.NewPCG(seed, 2))}
	w.b.WriteString(generatedPrelude)
	const functions = 12
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
		w.line("\tfor i := 0; i < 3; i++ {\n\t\tt := make0()\n\t\tgt = t\n\t\tg, h, rounds = i, 2, 0\n\t\tfmt.Println(%d, f%d(t, i), t)\n\t}", i, i)
	}
	w.line("}")
	return w.b.String()
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
	switch w.r.IntN(14) {
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
	switch w.r.IntN(6) {
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
		"t.m[\"a\"]", "t.m[key(u)]", "gm[\"c\"]", "get(t).n", "get(t).in.b", "(*t.p).a", "gt.n", "get(gt).arr[note(\"q\", 3)]")
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
	switch w.r.IntN(24) {
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
	case 23:
		w.line("t.f = func(i int) int { %s = i; return i + t.n }\n%s = t.f(%s)", w.place(), w.place(), w.integer())
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
