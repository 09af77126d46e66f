package atomicity

import "strconv"

// where leads to a place in the document. It is made for every value and
// written out only for errors. nil is the whole.
type where struct {
	parent *where
	name   string // of a field; empty for an element of a list
	index  int
}

func (w *where) field(name string) *where { return &where{parent: w, name: name} }

func (w *where) element(i int) *where { return &where{parent: w, index: i} }

// String returns the path, as in packages[0].variables[1].
func (w *where) String() string {
	switch {
	case w == nil:
		return ""
	case w.name == "":
		return w.parent.String() + "[" + strconv.Itoa(w.index) + "]"
	case w.parent == nil:
		return w.name
	}
	return w.parent.String() + "." + w.name
}
