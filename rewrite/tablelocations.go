package rewrite

import (
	"fmt"
	"math"
	"strings"
)

// functions are the rows of the table of functions with locations, and of their texts: the
// code of their locations, each once.
type functions struct {
	rows  []functionRow
	index map[[2]string]int // of the last row of a function, by file and name
}

type functionRow struct {
	file, name string
	text       string
	at         map[string]int // of the code in the text
}

// maxText bounds the text of a row, for its places are numbers of 16 bits. A function that
// has more has several rows.
const maxText = math.MaxUint16

// excerpt is where the code of a location is.
type excerpt struct{ row, start, end int }

// add enters the location.
func (f *functions) add(l *location) excerpt {
	key := [2]string{l.file, l.function}
	i, known := f.index[key]
	code := l.code[:min(len(l.code), maxText)]
	if known {
		if at, ok := f.rows[i].at[code]; ok {
			return excerpt{i, at, at + len(code)}
		}
	}
	if !known || len(f.rows[i].text)+len(code) > maxText {
		if f.index == nil {
			f.index = map[[2]string]int{}
		}
		i = len(f.rows)
		f.index[key] = i
		f.rows = append(f.rows, functionRow{file: l.file, name: l.function, at: map[string]int{}})
	}
	row := &f.rows[i]
	at := len(row.text)
	row.text += code
	row.at[code] = at
	return excerpt{i, at, at + len(code)}
}

// writeLocations writes the tables of locations.
func (t *tables) writeLocations(b *strings.Builder) {
	var all functions
	if len(t.members) > 0 {
		fmt.Fprintf(b, "var _ar_members%s = [...]%s.Location{\n", t.suffix, healName)
		for i := range t.members {
			t.members[i].write(b, t, all.add(&t.members[i]))
		}
		b.WriteString("}\n\n")
	}
	fmt.Fprintf(b, "var _ar_locs%s = [...]%s.Location{\n", t.suffix, healName)
	for i := range t.locations {
		t.locations[i].write(b, t, all.add(&t.locations[i]))
	}
	b.WriteString("}\n\n")
	fmt.Fprintf(b, "var _ar_funcs%s = [...]%s.Function{\n", t.suffix, healName)
	for _, f := range all.rows {
		fmt.Fprintf(b, "\t{File: %q, Func: %q, Text: %q},\n", f.file, f.name, f.text)
	}
	b.WriteString("}\n")
}

// write writes the row; t is the table that it stands in, at where its code is.
func (l *location) write(b *strings.Builder, t *tables, at excerpt) {
	fmt.Fprintf(b, "\t{Var: %s, Function: %s, Mode: %d", l.variable.source("vars"), ref{t, at.row}.source("funcs"), l.mode)
	if l.race {
		b.WriteString(", Race: " + t.truth())
	}
	if l.full {
		b.WriteString(", Full: " + t.truth())
	}
	if l.call {
		b.WriteString(", Call: " + t.truth())
	}
	fmt.Fprintf(b, ", Line: %d, Column: %d, Ordinal: %d, CodeStart: %d, CodeEnd: %d", l.line, l.column, l.ordinal, at.start, at.end)
	if bounds := l.bounds(t); bounds != "" {
		fmt.Fprintf(b, ", Bounds: &%s.Bounds{%s}", healName, bounds)
	}
	fmt.Fprintf(b, "}, // %s:%d: %.60q\n", l.function, l.line, l.code)
}

// bounds is the text of what few locations have.
func (l *location) bounds(t *tables) string {
	var b strings.Builder
	if l.of.table != nil {
		fmt.Fprintf(&b, ", Of: %s", l.of.source("vars"))
	}
	if len(l.sets) > 0 {
		fmt.Fprintf(&b, ", Sets: []*%s.Location{", healName)
		for i, at := range l.sets {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(ref{t, at}.source("members"))
		}
		b.WriteString("}")
	}
	l.writeSections(&b, healName)
	return strings.TrimPrefix(b.String(), ", ")
}

// writeSections writes which sections begin and end at the location, in the terms of
// the runtime.
func (l *location) writeSections(b *strings.Builder, runtime string) {
	if len(l.entry) > 0 {
		fmt.Fprintf(b, ", Entry: []*%s.Section{", runtime)
		for i, s := range l.entry {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(s.source("sections"))
		}
		b.WriteString("}")
	}
	if len(l.ends) > 0 {
		fmt.Fprintf(b, ", Ends: []%s.End{", runtime)
		for i, e := range l.ends {
			if i > 0 {
				b.WriteString(", ")
			}
			fmt.Fprintf(b, "{Section: %s, Allow: %d", e.section.source("sections"), e.allow)
			if len(e.also) > 0 {
				fmt.Fprintf(b, ", Also: []%s.MemberAccess{", runtime)
				for _, m := range e.also {
					fmt.Fprintf(b, "{%q, %d},", m.variable, m.mode)
				}
				b.WriteString("}")
			}
			b.WriteString("}")
		}
		b.WriteString("}")
	}
}
