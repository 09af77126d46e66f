package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
)

// WriteSpec writes an atomicity.yaml with the entries that the violations suggest;
// one section has all the ends at which it was broken. An entry that cannot be
// used becomes a Problem.
func (l *Log) WriteSpec(w io.Writer) error {
	spec := atomicity.New()
	for _, v := range l.Violations {
		if v.Suggestion == "" {
			continue
		}
		one, err := atomicity.Parse("suggestion", []byte("version: 1\npackages:\n"+indent(v.Suggestion)))
		if err != nil {
			text, _, _ := strings.Cut(err.Error(), "\n")
			l.problem("violation "+v.ID, 0, "its suggestion cannot be used: %s", text)
			continue
		}
		include(spec, one)
	}
	text, err := spec.Bytes()
	if err != nil {
		return fmt.Errorf("the suggestions do not make an atomicity.yaml: %w", err)
	}
	_, err = w.Write(text)
	return err
}

func indent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(s) {
		b.WriteString("  " + line)
	}
	return b.String()
}

// include adds all of one to spec.
func include(spec, one *atomicity.Spec) {
	for _, p := range one.Packages {
		into := spec.Package(p.Path)
		if into == nil {
			into = &atomicity.Package{Path: p.Path}
			spec.Packages = append(spec.Packages, into)
		}
		for _, v := range p.Variables {
			known := into.Variable(v.Name)
			if known == nil {
				known = &atomicity.Variable{Name: v.Name, Type: v.Type}
				into.Variables = append(into.Variables, known)
			}
			for _, s := range v.Sections {
				i := slices.IndexFunc(known.Sections, func(k *atomicity.Section) bool { return k.ID == s.ID })
				if i < 0 {
					known.Sections = append(known.Sections, s)
					continue
				}
				for _, e := range s.Ends {
					if !slices.ContainsFunc(known.Sections[i].Ends, e.Equal) {
						known.Sections[i].Ends = append(known.Sections[i].Ends, e)
					}
				}
			}
		}
	}
}
