// Names of the program that look like the runtime's, shadowed predeclared
// names, comments in odd places, compiler directives.
package main

import (
	"fmt"
	. "strings"
	u "unsafe"
)

type heal struct{ Load, Begin int }

type unsafe struct{ Pointer int }

type T struct {
	n    int
	done myBool
	b    Builder
	w    words
}

type (
	myBool bool
	words  []string
)

//go:noinline
func noinline(t *T) { // keeps its directive
	t.n++ // and its comment
}

//go:nosplit
func nosplit(t *T) { t.n++ }

func shadow(t *T, n uint) {
	int64, len, append := 1, 2, 3
	true := false
	t.n = int64 + len + append
	t.done = n > 1
	_ = true
	heal := heal{Load: 1}
	heal.Load++
	unsafe := &unsafe{}
	unsafe.Pointer = heal.Load
	fmt.Println(t.n, t.done, heal, *unsafe)
}

func comments(t *T) {
	// before the statement
	t.n = /* inside */ t.n + 1 // after it

	/* another */
	t.n++ /* behind */

	// last words
}

func literals(t *T) {
	t.w = words{
		"one",
		Repeat(
			"two",
			t.n%3,
		), // a comment in a literal
	}
	t.b.WriteString(t.w[0])
	fmt.Println(t.w, t.b.Len(), u.Sizeof(t.n))
}

const (
	a = iota
	b
)

var t T

func init() { t.n = a + b }

func main() {
	noinline(&t)
	nosplit(&t)
	shadow(&t, 3)
	comments(&t)
	literals(&t)
	fmt.Println(t.n)
}
