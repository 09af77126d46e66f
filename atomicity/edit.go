package atomicity

import (
	"bytes"
	"reflect"
	"slices"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// splice replaces data[from:to] by text.
type splice struct {
	from, to int
	text     string
}

// editor compares the values of a Spec with the nodes they were read from and
// collects the splices that bring the text up to date. It relies on the nodes
// having passed the decoder.
type editor struct {
	doc     *document
	enc     *encoder
	splices []splice
	// touched are anchored values that change or move. Their aliases are then
	// written out in a second run.
	touched map[*yaml.Node]bool
	// behind says that something stands behind the old last line now, which had no
	// line break.
	behind bool
}

// edited returns the text of the document with the present values of s.
func (doc *document) edited(s *Spec) []byte {
	e := &editor{doc: doc, enc: &encoder{newline: doc.newline}, touched: map[*yaml.Node]bool{}}
	text := e.text(s)
	if last := doc.data[doc.lineStart(len(doc.data)):]; len(last) > 0 && !bytes.HasSuffix(text, last) {
		e.behind = true
		text = e.text(s)
	}
	return text
}

func (e *editor) text(s *Spec) []byte {
	for known := -1; known < len(e.touched); {
		known, e.splices = len(e.touched), nil
		e.object(e.doc.root, specSchema, reflect.ValueOf(s).Elem(), false)
	}
	return e.apply(0, len(e.doc.data), e.splices)
}

// apply returns data[from:to] with the splices, which lie inside it.
func (e *editor) apply(from, to int, splices []splice) []byte {
	// At one place, insertions come before a removal of what follows, and keep
	// the order in which they were made.
	sort.SliceStable(splices, func(i, j int) bool {
		a, b := splices[i], splices[j]
		return a.from < b.from || a.from == b.from && a.to == a.from && b.to > b.from
	})
	var out []byte
	for _, s := range splices {
		if s.from < from { // swallowed by the removal of its surroundings
			continue
		}
		out = append(append(out, e.doc.data[from:s.from]...), s.text...)
		from = s.to
	}
	return append(out, e.doc.data[from:to]...)
}

func (e *editor) replace(from, to int, text string) {
	apart := strings.HasSuffix(text, "\n") || text == "" && (e.doc.lineStart(from) == from || e.doc.data[from-1] == ' ')
	if to < len(e.doc.data) && e.doc.data[to] == '#' && !apart {
		text += " " // else a comment that touches a bracket would become text
	}
	e.splices = append(e.splices, splice{from, to, text})
}

// lines joins new lines with the line break of the file, one behind each.
func (e *editor) lines(lines []string) string {
	return strings.Join(lines, e.doc.newline) + e.doc.newline
}

// touch notes the anchors in n, which is about to be changed or moved.
func (e *editor) touch(n *yaml.Node) {
	if len(e.doc.aliases[n]) > 0 {
		e.touched[n] = true
	}
	for _, c := range n.Content {
		e.touch(c)
	}
}

// object brings the mapping n up to date with v. inFlow says that n stands
// inside brackets.
func (e *editor) object(n *yaml.Node, s *schema, v reflect.Value, inFlow bool) {
	inFlow = inFlow || n.Style&yaml.FlowStyle != 0
	kept := make([]bool, len(n.Content)) // by index of the key
	for _, f := range s.fields {
		if at := keyIndex(n, f.name); at >= 0 {
			kept[at] = f.present(v)
		}
	}
	before := slices.Index(kept, true) // the last kept field in the order of the types
	for _, f := range s.fields {
		at := keyIndex(n, f.name)
		switch present := f.present(v); {
		case present && at >= 0:
			e.field(n, at, f, f.value(v), inFlow)
			before = at
		case present:
			e.insertField(n, before, f, f.value(v), inFlow)
		case at >= 0:
			e.removeField(n, at, !slices.Contains(kept[:at], true), inFlow)
		}
	}
}

// keyIndex returns the index of a key in the content of a mapping, or -1.
func keyIndex(n *yaml.Node, name string) int {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == name {
			return i
		}
	}
	return -1
}

// field brings the field at index at of mapping n up to date.
func (e *editor) field(n *yaml.Node, at int, f *field, v reflect.Value, inFlow bool) {
	key, value := n.Content[at], n.Content[at+1]
	switch f.kind {
	case objectKind:
		e.object(value, f.elem, v, inFlow)
	case listKind:
		e.list(n, key, value, f, v, inFlow)
	case modesKind:
		if modesOf(value) != AccessSet(v.Uint()) {
			e.touch(value)
			e.replace(e.doc.colon(key, n.Column), e.doc.end(value, n.Column), " "+e.enc.flow(f, v, inFlow))
		}
	case namesKind:
		switch names := v.Interface().([]string); {
		case len(names) == len(value.Content): // each where it stands
			for i, c := range value.Content {
				e.scalar(c, f.element(), names[i], value.Column, inFlow || value.Style&yaml.FlowStyle != 0)
			}
		default:
			e.touch(value)
			e.replace(e.doc.colon(key, n.Column), e.doc.end(value, n.Column), " "+e.enc.flow(f, v, inFlow))
		}
	default:
		e.scalar(value, f, f.text(v), n.Column, inFlow)
	}
}

// modesOf reads a list of modes that the decoder has accepted.
func modesOf(n *yaml.Node) AccessSet {
	var set AccessSet
	for _, c := range n.Content {
		if c.Kind == yaml.AliasNode {
			c = c.Alias
		}
		for _, m := range accessNames {
			if c.Value == m.name {
				set |= m.mode
			}
		}
	}
	return set
}

// strip keeps a text of lines as it was that ended with the file and without a line break,
// which it gets now: | becomes |-.
func (e *editor) strip(n *yaml.Node) {
	at := e.doc.offset(n)
	from := at + bytes.IndexAny(e.doc.data[at:], "|>") + 1
	to := from
	for to < len(e.doc.data) && strings.IndexByte("0123456789+-", e.doc.data[to]) >= 0 {
		to++
	}
	e.replace(from, to, strings.Trim(string(e.doc.data[from:to]), "+-")+"-")
}

// scalar replaces a single value when it differs, in the quoting it had.
func (e *editor) scalar(n *yaml.Node, f *field, text string, indent int, inFlow bool) {
	style, old := n.Style, n.Value
	if n.Kind == yaml.AliasNode {
		style, old = 0, n.Alias.Value
		if e.touched[n.Alias] {
			e.replace(e.doc.offset(n), e.doc.end(n, indent), quote(text, style, inFlow, f.bare(text)))
			return
		}
	}
	if text == old {
		if e.behind && n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && e.doc.end(n, indent) == len(e.doc.data) {
			e.strip(n)
		}
		return
	}
	e.touch(n)
	written := quote(text, style, inFlow, f.bare(text))
	if !inFlow && f.kind == textKind && literal(text) {
		written = strings.ReplaceAll(literalText(text, indent-1), "\n", e.doc.newline)
		if e.doc.end(n, indent) == len(e.doc.data) {
			written += e.doc.newline // which is part of such a text
		}
	}
	e.replace(e.doc.offset(n), e.doc.end(n, indent), written)
}

// insertField adds a field to mapping n, behind the one at index before.
func (e *editor) insertField(n *yaml.Node, before int, f *field, v reflect.Value, inFlow bool) {
	end := e.doc.end(n.Content[before+1], n.Column)
	if inFlow {
		e.replace(end, end, ", "+f.name+": "+e.enc.flow(f, v, true))
		return
	}
	e.insertLines(e.doc.nextLine(end), e.enc.field(f, v, n.Column-1))
}

// insertLines puts whole lines in at the start of a line, or at the end of a
// file whose last line has no break.
func (e *editor) insertLines(at int, lines []string) {
	text := e.lines(lines)
	if at == len(e.doc.data) && at > 0 && e.doc.data[at-1] != '\n' {
		text = e.doc.newline + text
	}
	e.replace(at, at, text)
}

// removeField takes a field out. first says that no field before it stays. Comments stay:
// one behind the value gets a line of its own.
func (e *editor) removeField(n *yaml.Node, at int, first, inFlow bool) {
	key, value := n.Content[at], n.Content[at+1]
	e.touch(value)
	from, end := e.doc.offset(key), e.doc.end(value, n.Column)
	switch {
	case first: // the next key takes its place, perhaps behind a dash
		next := e.doc.offset(n.Content[at+2])
		e.replace(from, e.comment(end, next), "")
	case inFlow:
		before := e.doc.end(n.Content[at-1], n.Column)
		if e.comment(before, from) == from {
			e.replace(before, end, "")
			return
		}
		comma := e.doc.skip(before, "")
		e.replace(comma, comma+1, "")
		e.replace(from, end, "")
	default:
		start, next := e.doc.lineStart(from), e.doc.nextLine(end)
		text := ""
		if comment := e.comment(end, next); comment < next {
			text = string(e.doc.data[start:from]) + string(e.doc.data[comment:next])
		}
		e.replace(start, next, text)
	}
}

// comment returns where between from and to, which hold no values, a comment begins; to
// if there is none.
func (e *editor) comment(from, to int) int {
	if i := bytes.IndexByte(e.doc.data[from:to], '#'); i >= 0 {
		return from + i
	}
	return to
}

// list brings a list of objects up to date: n holds key and its value.
func (e *editor) list(n, key, value *yaml.Node, f *field, v reflect.Value, inFlow bool) {
	was := e.match(value, f, v)
	outer := e.splices
	var all []splice
	inner := map[*yaml.Node][]splice{} // apart, since what ends one element begins the next
	for i, c := range was {
		if c != nil {
			e.splices = nil
			e.object(c, f.elem, item(v, i), inFlow || value.Style&yaml.FlowStyle != 0)
			inner[c], all = e.splices, append(all, e.splices...)
		}
	}
	e.splices = outer
	if slices.Equal(was, value.Content) {
		e.splices = append(e.splices, all...)
		return
	}
	e.moved(was, value.Content)
	switch {
	case len(value.Content) == 0:
		e.fill(n, key, value, f, v, inFlow)
	case value.Style&yaml.FlowStyle != 0 || inFlow:
		e.flowList(value, f, v, was, inner, all)
	default:
		e.blockList(n, key, value, f, v, was, inner)
	}
}

// moved touches the anchors of elements that vanish, or of all when some
// change places.
func (e *editor) moved(now, before []*yaml.Node) {
	kept := slices.DeleteFunc(slices.Clone(now), func(n *yaml.Node) bool { return n == nil })
	still := slices.DeleteFunc(slices.Clone(before), func(n *yaml.Node) bool { return !slices.Contains(kept, n) })
	reordered := !slices.Equal(kept, still)
	for _, n := range before {
		if reordered || !slices.Contains(still, n) {
			e.touch(n)
		}
	}
}

// match finds for each element of v the node it was read from, or nil: by
// identity, else by name, else (elements without a name) by position.
func (e *editor) match(value *yaml.Node, f *field, v reflect.Value) []*yaml.Node {
	was := make([]*yaml.Node, v.Len())
	free := map[*yaml.Node]bool{}
	for _, c := range value.Content {
		free[c] = true
	}
	claim := func(i int, n *yaml.Node) {
		if was[i] == nil && free[n] {
			was[i], free[n] = n, false
		}
	}
	name := -1
	for i, other := range f.elem.fields {
		if other.unique {
			name = i
		}
	}
	if name < 0 {
		for i := range min(len(was), len(value.Content)) {
			claim(i, value.Content[i])
		}
		return was
	}
	for i := range was {
		claim(i, e.doc.nodes[item(v, i).Addr().Interface()])
	}
	named := map[string]*yaml.Node{}
	for _, c := range value.Content {
		n := fieldNode(c, f.elem.fields[name].name)
		if n.Kind == yaml.AliasNode {
			n = n.Alias
		}
		named[n.Value] = c
	}
	for i := range was {
		claim(i, named[f.elem.fields[name].value(item(v, i)).String()])
	}
	return was
}
