package verdict

import (
	"go/ast"
	"strings"
	"sync/atomic"
	"unicode"
)

const prefix = "//atomrace:ignore"

// read takes the directives out of a file and files each under the line that
// it speaks of: its own, or when it stands alone, the next line that is not a
// directive too.
func (r *Result) read(f *ast.File) {
	file := r.fset.File(f.FileStart)
	if file == nil {
		return
	}
	var found []*Directive
	lines := map[int]bool{} // of the directives
	for _, group := range f.Comments {
		for _, c := range group.List {
			if d := parse(c); d != nil {
				found = append(found, d)
				lines[file.PositionFor(c.Pos(), false).Line] = true
			}
		}
	}
	if len(found) == 0 {
		return
	}
	code := map[int]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.File:
			return true
		case *ast.CommentGroup:
			return false
		}
		code[file.PositionFor(n.Pos(), false).Line] = true
		code[file.PositionFor(n.End()-1, false).Line] = true
		return true
	})
	for _, d := range found {
		line := file.PositionFor(d.Pos, false).Line
		for !code[line] && lines[line] {
			line++
		}
		at := place{file, line}
		r.places[at] = append(r.places[at], d)
	}
	r.Directives = append(r.Directives, found...)
}

// parse returns nil for any other comment. A directive inside a comment, as in
// //atomrace:ignore x y // want "…", ends there.
func parse(c *ast.Comment) *Directive {
	text, ok := strings.CutPrefix(c.Text, prefix)
	if !ok || text != "" && !unicode.IsSpace(rune(text[0])) {
		return nil
	}
	text, _, _ = strings.Cut(text, " //")
	fields := strings.Fields(text)
	d := &Directive{Pos: c.Pos()}
	if len(fields) > 0 {
		for id := range strings.SplitSeq(fields[0], ",") {
			if id != "" {
				d.IDs = append(d.IDs, id)
			}
		}
		d.Reason = strings.Join(fields[1:], " ")
	}
	d.used = make([]atomic.Bool, len(d.IDs))
	return d
}
