package atomicity

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// FuzzParse proves for any text: no panic, every error has a place, a valid
// file is saved as it was, and any change fits into its layout and is read
// back. (That it is read back as meant, Bytes checks itself.)
func FuzzParse(f *testing.F) {
	for _, text := range seeds(f) {
		f.Add(text)
	}
	f.Add([]byte(withSet))
	f.Fuzz(func(t *testing.T, data []byte) {
		spec, err := Parse("f.yaml", data)
		if err != nil {
			var at *Error
			if !errors.As(err, &at) || at.Line < 1 || at.Column < 1 || strings.Contains(at.Error(), "\n") {
				t.Fatalf("error without a place or of several lines: %q", err)
			}
			return
		}
		if got, err := spec.Bytes(); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("saved unchanged as %q, %v", got, err)
		}
		spec.Lint()
		for _, change := range changes {
			spec, err := Parse("f.yaml", data)
			if err != nil {
				t.Fatal(err)
			}
			change.make(spec)
			if got, err := spec.Bytes(); err != nil {
				t.Fatalf("%s: %v\n%s\n=>\n%s", change.name, err, data, spec.doc.edited(spec))
			} else if _, err := Parse("f.yaml", got); err != nil {
				t.Fatalf("%s: %v", change.name, err)
			}
		}
	})
}

// seeds are files in all layouts, and texts that are none.
func seeds(f *testing.F) (list [][]byte) {
	text, err := os.ReadFile("testdata/curated.yaml")
	if err != nil {
		f.Fatal(err)
	}
	list = append(list, text)
	list = append(list, bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")))
	for _, small := range []string{
		"version: 1\npackages: []",
		"{version: 1, packages: [ # none\n]}\n",
		"version: 1\npackages:\n- package: a\n  variables:\n  - variable: x\n    sections: [{id: i, pattern: user, function: F, origin: user, status: candidate, " +
			"entry: {ordinal: 1, access: read}, ends: [{access: read, code: y, allow: []}]}]\n",
		"version: 1\npackages:\n-\n  variables:\n   - sections:\n      -\n        line\n     variable: >-\n         x\n  package: |2-\n    a\n",
		"? version\n: 1\n", "a: *b", "a: &a [*a]", "\"", "- - -", "\tversion: 1", "version: 1\n---\n", "!!map {}", "version: 1\npackages:\n- &a {}\n- *a\n",
	} {
		list = append(list, []byte(small))
	}
	return list
}

// changes touch every kind of field and list in every way.
var changes = []struct {
	name string
	make func(*Spec)
}{
	{"scalars", func(s *Spec) {
		for p := range s.All() {
			p.Section.Status, p.Section.Reason = Rejected, "because: of \"this\" # and 'that'"
			p.Section.Function = "(*T).M"
			p.Section.Entry.Line++
			p.Section.Ends[0].Code = "x, y = y, x"
			p.Section.Ends[0].Allow = p.Section.Ends[0].Allow.Complement()
			p.Variable.Type = "map[string]*T"
		}
	}},
	{"fields at the end of elements, and new elements", func(s *Spec) {
		for _, p := range s.Packages {
			for i, v := range p.Variables {
				for _, sec := range v.Sections {
					sec.Heal, sec.Note = HealLock, "new"
				}
				v.Sections = append(v.Sections, newSection(fmt.Sprint(p.Path, i, " new"), "F", "a", "b"))
			}
		}
	}},
	{"fields go", func(s *Spec) {
		for p := range s.All() {
			sec := p.Section
			if sec.Note, sec.Heal, p.Variable.Type = "", "", ""; sec.Active() {
				sec.Reason = ""
			}
			for _, l := range locations(sec) {
				if l.Line = 0; l.Code != "" {
					l.Ordinal = 0
				}
			}
		}
	}},
	{"fields come", func(s *Spec) {
		for p := range s.All() {
			p.Section.Note, p.Section.Heal, p.Section.Reason = "One.\n\n  Two.\n", HealOff, "yes"
			for _, l := range locations(p.Section) {
				l.Code, l.Ordinal, l.Line = "if x == nil {", 3, 9
			}
			p.Variable.Type = "int"
		}
	}},
	{"elements come", func(s *Spec) {
		for _, p := range s.Packages {
			for _, v := range p.Variables {
				for _, sec := range v.Sections {
					sec.Ends = append(sec.Ends, sec.Ends[0])
				}
				v.Sections = append(v.Sections, newSection("new/"+p.Path+"/"+v.Name, "F", "a", "b"))
			}
			p.Variables = append(p.Variables, &Variable{Name: "\u00e9 new: [variable]"})
		}
		s.Packages = append(s.Packages, &Package{Path: "new.example/package"})
	}},
	{"elements go", func(s *Spec) {
		for _, p := range s.Packages {
			for _, v := range p.Variables {
				if len(v.Sections) > 0 {
					v.Sections = v.Sections[1:]
				}
			}
			if len(p.Variables) > 1 {
				p.Variables = p.Variables[:1]
			}
		}
	}},
	{"elements move", func(s *Spec) {
		slices.Reverse(s.Packages)
		for _, p := range s.Packages {
			slices.Reverse(p.Variables)
			for _, v := range p.Variables {
				slices.Reverse(v.Sections)
			}
		}
	}},
	{"all goes", func(s *Spec) { s.Packages = nil }},
}

func locations(s *Section) []*Location {
	list := []*Location{&s.Entry}
	for i := range s.Ends {
		list = append(list, &s.Ends[i].Location)
	}
	return list
}
