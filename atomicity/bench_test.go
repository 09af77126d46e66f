package atomicity

import (
	"fmt"
	"testing"
)

// tenThousand returns a file of 10,000 sections, curated here and there: 50 packages of
// 40 variables of 5 sections.
func tenThousand(tb testing.TB) []byte {
	spec := New()
	for i := range 50 {
		p := &Package{Path: fmt.Sprintf("example.com/module/internal/package%02d", i)}
		for j := range 40 {
			v := &Variable{Name: fmt.Sprintf("Server%d.connections", j), Type: "map[string]*Conn"}
			for k := range 5 {
				function := fmt.Sprintf("(*Server%d).handle%d", j, k)
				s := &Section{
					ID: SectionID(function, fmt.Sprint(v.Name, i), 1), Pattern: LoadAndStore, Function: function, Origin: "loadstore", Status: Candidate,
					Entry: Location{Access: Read, Code: fmt.Sprintf("n := len(s.connections[%d])", k), Ordinal: 1, Line: 10 * k},
					Ends: []End{
						{Location: Location{Access: Write, Code: "s.connections[key] = append(conns, conn)", Ordinal: 2, Line: 10*k + 3}, Allow: Read},
						{Location: Location{Access: Write, Code: "delete(s.connections, key)", Ordinal: 3, Line: 10*k + 5}, Allow: Read},
					},
				}
				if k == 0 {
					s.Status, s.Reason, s.Note = Rejected, "only at start-up: nobody else is there", "asked Ann,\nwho knows it"
				}
				v.Sections = append(v.Sections, s)
			}
			p.Variables = append(p.Variables, v)
		}
		spec.Packages = append(spec.Packages, p)
	}
	text, err := spec.Bytes()
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// What is done with a file of 10,000 sections; each must stay far below what a
// person notices. Loading is bounded by 200 ms and lint by 2 s.
func BenchmarkLarge(b *testing.B) {
	text := tenThousand(b)
	load := func() *Spec {
		spec, err := Parse("atomicity.yaml", text)
		if err != nil {
			b.Fatal(err)
		}
		return spec
	}
	spec := load()
	b.Run("load", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			load()
		}
	})
	b.Run("lint", func(b *testing.B) {
		for b.Loop() {
			spec.Lint()
		}
	})
	b.Run("digest", func(b *testing.B) {
		for b.Loop() {
			spec.Digest()
		}
	})
	b.Run("merge", func(b *testing.B) {
		for b.Loop() {
			spec.Merge(spec)
		}
	})
	b.Run("save one change", func(b *testing.B) {
		for b.Loop() {
			spec.Packages[25].Variables[20].Sections[2].Note += "x"
			if _, err := spec.Bytes(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("format", func(b *testing.B) {
		spec := load()
		for b.Loop() {
			if _, err := spec.Format(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
