package facts

import (
	"bytes"
	"fmt"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

func TestFit(t *testing.T) {
	entries := func(n int) []Entry {
		var list []Entry
		for i := range n {
			list = append(list, Entry{Key: fmt.Sprintf("F%03d", (i*7)%n), Rank: i % 2, Data: bytes.Repeat([]byte("x"), 100)})
		}
		return list
	}
	if Fit(nil) != nil {
		t.Error("a package without entries has a fact")
	}
	large := Fit(entries(200))
	if len(large) > MaxBytes || len(large) < MaxBytes-300 {
		t.Errorf("200 entries of 104 bytes take %d bytes, want nearly %d", len(large), MaxBytes)
	}
	reversed := entries(200)
	for i, j := 0, len(reversed)-1; i < j; i, j = i+1, j-1 {
		reversed[i], reversed[j] = reversed[j], reversed[i]
	}
	if !bytes.Equal(large, Fit(reversed)) {
		t.Error("the order of the entries changes what is kept")
	}

	pkg := types.NewPackage("example.com/p", "p")
	var im Imports
	im.Add(pkg, large)
	kept := 0
	for _, e := range entries(200) {
		r, ok := im.Entry(pkg, e.Key)
		if ok {
			kept++
			if string(r.Data) != string(e.Data) {
				t.Errorf("%s reads as %q", e.Key, r.Data)
			}
		}
		if e.Rank == 1 && ok && kept < 70 {
			t.Errorf("%s of rank 1 is kept", e.Key)
		}
	}
	if kept < 70 {
		t.Errorf("%d entries were kept, want at least 70", kept)
	}
}

func TestReadBroken(t *testing.T) {
	var w Writer
	w.Int(300)
	w.String(strings.Repeat("name", 9))
	Place{Root: 2, Path: ".mu"}.Write(&w)
	for n := range len(w.Data) {
		r := Reader{Data: w.Data[:n]}
		r.Count()
		_ = r.String()
		ReadPlace(&r)
		if len(r.Data) > 0 {
			t.Errorf("%d bytes of %d: %d are left", n, len(w.Data), len(r.Data))
		}
	}
}

func TestGlobals(t *testing.T) {
	pkg := types.NewPackage("example.com/p", "p")
	fn := types.NewFunc(token.NoPos, pkg, "F", types.NewSignatureType(nil, nil, nil, nil, nil, false))
	var g Globals
	mu := g.Restore(fn, Place{Name: "mu"})
	if again := g.Restore(fn, Place{Name: "mu"}); mu != again || !mu.Valid() {
		t.Errorf("an unexported variable is %v first and %v then", mu, again)
	}
	state := g.Restore(fn, Place{Name: "state", Path: ".n"})
	v := g.Variable(state)
	if v == nil || v != g.Variable(state) || !v.IsField() {
		t.Errorf("the field of an unexported variable is %v", v)
	}
	if got, ok := PlaceOf(fn, mu); !ok || got != (Place{Name: "mu"}) {
		t.Errorf("PlaceOf(%v) = %v, %v", mu, got, ok)
	}
}
