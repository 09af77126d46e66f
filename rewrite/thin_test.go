package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

const thinProgram = `package main

import (
	"net"
	"sync"
	"time"
)

type T struct{ a, b int; m map[int]int; c chan int }

func (t *T) twiceLoop(n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += t.a
	}
	return sum
}

func (t *T) twiceShort() int { return t.a + t.b }

func (t *T) twiceLabels(n int) {
outer:
	for i := 0; i < n; i++ {
		for {
			t.a++
			if t.a > i {
				continue outer
			}
		}
	}
}

// What a literal does that is called here alone goes the way of the function.
func (t *T) twiceLiteral(n int) {
	add := func(d int) { t.a += d }
	for i := range n {
		add(i)
	}
}

// A goroutine decides for itself.
func (t *T) onceGo(n int) {
	t.b = n
	go func() {
		for i := range n {
			t.a += i
		}
	}()
}

// In a block of its own, n would be another one.
func (t *T) twiceParameter(n int) (err error) {
	n, more := t.a, t.b
	for ; n > 0; n-- {
		t.a += more
	}
	return nil
}

// So would it, and what it would be assigned has no type of its own.
func (t *T) onceConstant(n uint8) (ok bool) {
	n, more := 3, t.b
	for ; n > 0; n-- {
		t.a += more
	}
	return ok
}

// One type would be two.
func (t *T) onceType() any {
	type local struct{ n int }
	return local{t.a}
}

// Main loops may never begin again.
func (t *T) onceMain() {
	for {
		select {
		case n := <-t.c:
			t.a += n
		default:
			return
		}
	}
}

func (t *T) onceRange() {
	for n := range t.c {
		t.a += n
	}
}

func (t *T) onceSleep(n int) {
	for t.a < n {
		time.Sleep(1)
	}
}

func (t *T) onceCond(c *sync.Cond) {
	for t.a > 0 {
		c.Wait()
	}
}

func (t *T) onceServe(l net.Listener) {
	for {
		if _, err := l.Accept(); err != nil {
			return
		}
		t.a++
	}
}

func (t *T) onceEndless() {
	for {
		if t.a++; t.a > 9 {
			work()
		}
		for t.b < 10 {
			if t.b++; t.b > 5 {
				break
			}
		}
	}
}

func (t *T) onceOuter() {
outer:
	for {
		for t.a < 10 {
			if t.a++; t.a > 5 {
				continue outer
			}
		}
	}
}

func (t *T) onceGoto() {
again:
	t.a += <-t.c
	goto again
}

func (t *T) onceTrue() {
	for true {
		t.a++
	}
}

// The literals run within the activation, and so it lasts.
func (t *T) onceStays() {
	loop := func() {
		for n := range t.c {
			t.a += n
		}
	}
	loop()
}

// What a bare return hands out outlasts the activation.
func (t *T) onceResult() (f func(int)) {
	f = func(n int) { t.a += n }
	return
}

func (t *T) twiceUntil() {
	for {
		if t.a++; t.a > 9 {
			break
		}
	}
}

func (t *T) twiceTry() int {
	for {
		if t.a++; t.a > 9 {
			return t.a
		}
	}
}

func work() {}

func (t *T) onceNothing(n int) int { return n }

func main() {
	t := &T{m: map[int]int{}, c: make(chan int, 1)}
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { defer wg.Done(); t.twiceLoop(3) }()
	wg.Wait()
	println(t.twiceShort())
}
`

// TestThinned says which functions are there twice.
func TestThinned(t *testing.T) {
	b, file := benchWith(t, thinProgram)
	r := b.rewrite(t, Options{Races: true, Thin: true})
	parsed, err := parser.ParseFile(token.NewFileSet(), "", r.Files[file], 0)
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, d := range parsed.Decls {
		d, ok := d.(*ast.FuncDecl)
		if !ok || d.Recv == nil {
			continue
		}
		seen++
		if got := asks(d.Body); got != strings.HasPrefix(d.Name.Name, "twice") {
			t.Errorf("%s: %v", d.Name.Name, got)
		}
	}
	if seen != 22 || r.Hooks.Thinned < 5 {
		t.Errorf("%d methods, %+v", seen, r.Hooks)
	}
	if b.rewrite(t, Options{Races: true}).Hooks.Thinned != 0 {
		t.Error("without Thin too")
	}
}

// anyAsks says whether some block in it does so.
func anyAsks(body *ast.BlockStmt) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		b, ok := n.(*ast.BlockStmt)
		found = found || ok && len(b.List) > 0 && asks(b)
		return !found
	})
	return found
}

// asks says whether the body begins with the question.
func asks(body *ast.BlockStmt) bool {
	s, ok := body.List[0].(*ast.SwitchStmt)
	if !ok {
		return false
	}
	question, ok := s.Tag.(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := question.Fun.(*ast.SelectorExpr)
	return ok && strings.HasPrefix(sel.Sel.Name, "Told")
}
