//go:build !atomrace_off

package heal

import (
	"testing"
	"unicode"
)

// One function has sections over two variables, x and y, open at a time, and at
// one location of y a section ends and another begins. Capital letters are
// accesses by the function, the others are writes by another goroutine.
func TestQuickSectionsOfOneFunction(t *testing.T) {
	for _, test := range []struct {
		name   string
		steps  string
		broken string
	}{
		{"nobody comes near", "XYMNE", ""},
		{"in the order of entry", "XxYMNE", "X"},
		{"both", "XYxyMEN", "Y X"},
		{"the second alone", "XYyMEN", "Y"},
		{"between the middle and the end", "XYMyNE", "Z"},
		{"twice", "XYyMyNE", "Y Z"},
		{"before and after", "xyXYMNExy", ""},
		{"a round of its own", "XYMYyMNE", "Y"},
		{"left without an end", "XYx", ""},
		{"too many", "XABCDYyMNE", ""}, // no room for Y
		{"room again", "XABCE YyMN", "Y"},
	} {
		t.Run(test.name, func(t *testing.T) {
			configured(t, "")
			p := newProgram(t)
			sx, sy, sz := p.section("X"), p.section("Y"), p.section("Z")
			locations := map[rune]*Location{
				'X': p.at(Read, sx), 'E': p.at(Write, End{Section: sx, Allow: Read}),
				'Y': p.at(Read, sy), 'M': p.at(Read, sz, End{Section: sy, Allow: Read}), 'N': p.at(Write, End{Section: sz, Allow: Read}),
				'A': p.at(Read, p.section("A")), 'B': p.at(Read, p.section("B")), 'C': p.at(Read, p.section("C")),
				'D': p.at(Read, p.section("D")),
				'x': p.at(Write), 'y': p.at(Write),
			}
			for _, l := range locations {
				l.prepare(settings()) // as the first visit does
			}
			memory := new([1 << 17]int) // not on the stack
			at := map[rune]*int{'X': &memory[0], 'E': &memory[0], 'A': &memory[2], 'B': &memory[3], 'C': &memory[4], 'D': &memory[5]}
			mine, foreign := frameOf(1), frameOf(2)
			var broken []Violation
			for _, step := range test.steps {
				if step == ' ' {
					continue
				}
				f, v := &mine, at[unicode.ToUpper(step)]
				if unicode.IsLower(step) {
					f = &foreign
				}
				if v == nil {
					v = &memory[1]
				}
				broken = append(broken, found(t, func() { access1(f, locations[step], v) })...)
			}
			mine.End()
			foreign.End()
			if got := sections(broken); got != test.broken {
				t.Errorf("broken %q, want %q", got, test.broken)
			}
			idle(t)
		})
	}
}

// A function that is called within a section over the same variable leaves the
// caller's word alone.
func TestQuickSectionsOfCallers(t *testing.T) {
	configured(t, "")
	p := newProgram(t)
	outer, inner := p.section("outer"), p.section("inner")
	begin, end := p.at(Read, outer), p.at(Write, End{Section: outer, Allow: Read})
	enter, leave, other := p.at(Read, inner), p.at(Write, End{Section: inner, Allow: Read}), p.at(Write)
	for _, l := range []*Location{begin, end, enter, leave, other} {
		l.prepare(settings())
	}
	x := &new([1 << 17]int)[0] // not on the stack
	caller, callee, foreign := frameOf(1), frameOf(1), frameOf(2)
	access1(&caller, begin, x)
	access1(&callee, enter, x)
	access1(&callee, leave, x)
	callee.End()
	access1(&foreign, other, x)
	broken := found(t, func() { access1(&caller, end, x) })
	caller.End()
	if got := sections(broken); got != "outer" {
		t.Errorf("broken %q, want the caller's", got)
	}
	idle(t)
}
