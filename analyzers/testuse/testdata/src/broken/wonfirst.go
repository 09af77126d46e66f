package broken

import (
	"strings"
	"sync/atomic"
)

// Alphabet is filled by the first who asks.
type Alphabet struct {
	filled  uint32
	letters map[rune]int
	vowels  string
}

func (a *Alphabet) Index(r rune) int {
	if atomic.CompareAndSwapUint32(&a.filled, 0, 1) { // want `a.filled is set before a.letters is stored: who loses the swap does not wait, and can use a.letters when it is not there yet`
		a.letters = lettersOf("abc")
		a.vowels = "aeiou"
	}
	return a.letters[r]
}

func (a *Alphabet) IsVowel(r rune) bool { return strings.ContainsRune(a.vowels, r) }

func lettersOf(s string) map[rune]int {
	m := map[rune]int{}
	for i, r := range s {
		m[r] = i
	}
	return m
}

// Typeface is readied where it is handed out.
type Typeface struct {
	readied atomic.Bool
	width   int
}

type faces interface{ face() *Typeface }

func (t *Typeface) face() *Typeface { return t }

func readiedFace(f faces) (t *Typeface) {
	t = f.face()
	if t.readied.CompareAndSwap(false, true) { // want `t.readied is set before t.width is stored`
		t.width = 12
	}
	return
}

func Width(f faces) int { return readiedFace(f).width }

// Dispatch is begun by whoever comes first with something to send.
type Dispatch struct {
	begun atomic.Bool
	to    *strings.Builder
}

func (d *Dispatch) Put(s string) (int, error) {
	first := d.begun.CompareAndSwap(false, true) // want `d.begun is set before d.to is stored`
	if first {
		d.to = &strings.Builder{}
		go d.run()
	}
	if first && s == "" {
		return 0, nil
	}
	return d.to.WriteString(s)
}

// End begins it as well, without anything to send to.
func (d *Dispatch) End() {
	if d.begun.CompareAndSwap(false, true) {
		go d.run()
	}
}

func (d *Dispatch) run() {}
