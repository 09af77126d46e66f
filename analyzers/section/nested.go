package section

import (
	"go/ast"
	"slices"

	"github.com/atomrace/atomrace/atomicity"
)

// nested adds to the tests those that ask what was found something, where it was found, and
// alone decide about a write: if ok { if l.alive() { return l } } says what
// if ok && l.alive() { return l } says.
func (f *finding) nested() {
	for _, h := range f.trail.hits {
		if h.Mode != atomicity.Write || f.decided(f.plainTests(), h.block) {
			continue
		}
		for _, outer := range f.plainTests() {
			if len(f.body.CFG.Blocks[outer].Succs) != 2 {
				continue
			}
			for block, conds := range f.body.Conds {
				if conds == nil || block == outer || !slices.ContainsFunc(conds, f.asksFound) {
					continue
				}
				if below, _ := f.decides(outer, block); !below {
					continue
				}
				if decides, _ := f.decides(block, h.block); !decides {
					continue
				}
				if !slices.Contains(f.trail.tests, block) {
					f.trail.tests = append(f.trail.tests, block)
				}
				f.trail.weak[block] = false
			}
		}
	}
}

// plainTests are the tests that depend plainly on what the entry has read.
func (f *finding) plainTests() []int {
	var list []int
	for _, t := range f.trail.tests {
		if !f.trail.weak[t] {
			list = append(list, t)
		}
	}
	return list
}

// asksFound says whether the condition is about a local that holds what the entry has found.
func (f *finding) asksFound(cond ast.Expr) bool {
	found := false
	ast.Inspect(cond, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			_, found = f.values.of(id)[f.entry.Access]
		}
		return !found
	})
	return found
}
