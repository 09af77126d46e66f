package atomicity

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// Format returns the text of the file in the one canonical layout: fields in
// the order of the reference, packages, variables, sections and ends one below
// the other, an access on one line, two spaces a level, at most one blank line
// where there were some. Comments, the order of entries, the quoting of texts
// and anchors stay. A comment that would be lost is an *Error, and so is
// a Spec that was changed since it was read; Save it first.
func (s *Spec) Format() ([]byte, error) {
	if s.doc == nil {
		return []byte(encodeSpec(s)), nil
	}
	p := &printer{doc: s.doc, enc: &encoder{newline: "\n"}, notes: map[*yaml.Node]*remarks{}}
	last := p.attach()
	p.object(s.doc.root, specSchema, 0)
	p.comments(last.above, 0)
	text := strings.Join(p.lines, s.doc.newline) + s.doc.newline
	if s.doc.start > 0 {
		text = byteOrderMark + text
	}
	again, err := Parse(s.doc.file, []byte(text))
	if err != nil || encodeSpec(again) != encodeSpec(s) {
		return nil, &Error{File: s.doc.file, Msg: "cannot be formatted without changing what it says; write one field a line and try again"}
	}
	if lost, ok := lostComment(s.doc.allComments(), again.doc.allComments()); ok {
		return nil, s.doc.errorAt(lost.line, lost.column, "", "this comment would be lost; put it on a line of its own above the field")
	}
	return []byte(text), nil
}

// comment is one comment of the file, from # to the end of its line.
type comment struct {
	offset, line, column int
	text                 string
	alone                bool // nothing else is on its line
	blank                bool // a blank line is above it
}

// allComments finds the comments: every # at the start of a word outside of the
// scalars.
func (doc *document) allComments() []comment {
	var spans [][2]int
	doc.scalarSpans(doc.root, 1, &spans)
	sort.Slice(spans, func(i, j int) bool { return spans[i][0] < spans[j][0] })
	var list []comment
	next := 0
	for i, from := range doc.lines {
		to := doc.lineEnd(i + 1)
		for at := from; at < to; at++ {
			for next < len(spans) && spans[next][1] <= at {
				next++
			}
			if next < len(spans) && spans[next][0] <= at {
				at = spans[next][1] - 1
				continue
			}
			if doc.data[at] != '#' || at > from && strings.IndexByte(" \t,[]{}", doc.data[at-1]) < 0 {
				continue
			}
			before := string(doc.data[from:at])
			list = append(list, comment{
				offset: at, line: i + 1, column: 1 + len([]rune(before)),
				text:  strings.TrimRight(string(doc.data[at:to]), " \t\r\n"),
				alone: strings.TrimSpace(before) == "",
				blank: doc.blankAbove(i + 1),
			})
			break
		}
	}
	return list
}

func (doc *document) blankAbove(line int) bool {
	return line > 1 && strings.TrimSpace(doc.line(line-1)) == ""
}

// scalarSpans collects where scalars and aliases stand. indent is the column of
// the collection around n.
func (doc *document) scalarSpans(n *yaml.Node, indent int, spans *[][2]int) {
	if n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode {
		*spans = append(*spans, [2]int{doc.offset(n), doc.end(n, indent)})
		return
	}
	if n.Style&yaml.FlowStyle == 0 {
		indent = n.Column
	}
	for _, c := range n.Content {
		doc.scalarSpans(c, indent, spans)
	}
}

// lostComment returns a comment that before has more often than after.
func lostComment(before, after []comment) (comment, bool) {
	count := map[string]int{}
	for _, c := range after {
		count[c.text]++
	}
	for _, c := range before {
		if count[c.text]--; count[c.text] < 0 {
			return c, true
		}
	}
	return comment{}, false
}

// remarks are the comments that go with a scalar.
type remarks struct {
	above  []comment
	behind []comment
	blank  bool // a blank line was above it
}

// printer writes the canonical layout.
type printer struct {
	doc   *document
	enc   *encoder
	notes map[*yaml.Node]*remarks
	lines []string
}

// attach gives each comment to a scalar: one that is alone to the next in the
// file, one behind something to the one it is behind. It returns what comes
// after the last.
func (p *printer) attach() *remarks {
	var nodes []*yaml.Node
	var collect func(n *yaml.Node)
	collect = func(n *yaml.Node) {
		if len(n.Content) == 0 {
			nodes = append(nodes, n)
			p.notes[n] = &remarks{}
		}
		for _, c := range n.Content {
			collect(c)
		}
	}
	collect(p.doc.root)
	first := 0
	for _, n := range nodes {
		if n.Line > first {
			p.notes[n].blank, first = p.doc.blankAbove(n.Line), n.Line
		}
	}
	last := &remarks{}
	for _, c := range p.doc.allComments() {
		next := sort.Search(len(nodes), func(i int) bool { return p.doc.offset(nodes[i]) > c.offset })
		switch {
		case !c.alone && next > 0:
			r := p.notes[nodes[next-1]]
			r.behind = append(r.behind, c)
		case next < len(nodes):
			r := p.notes[nodes[next]]
			r.above = append(r.above, c)
		default:
			last.above = append(last.above, c)
		}
	}
	return last
}

// comments writes comments that are alone on their lines.
func (p *printer) comments(list []comment, indent int) {
	for _, c := range list {
		p.blank(c.blank)
		p.lines = append(p.lines, strings.Repeat(" ", indent)+c.text)
	}
}

// blank writes a blank line, though never a second or a first one.
func (p *printer) blank(wanted bool) {
	if last := len(p.lines) - 1; wanted && last >= 0 && p.lines[last] != "" {
		p.lines = append(p.lines, "")
	}
}

// line writes one line that holds the nodes, with their comments.
func (p *printer) line(indent int, text string, nodes ...*yaml.Node) {
	var above, behind []comment
	blank := false
	for i, n := range nodes {
		p.gather(n, func(r *remarks) {
			above, behind = append(above, r.above...), append(behind, r.behind...)
			blank = blank || i == 0 && r.blank && len(r.above) == 0
		})
	}
	for len(behind) > 1 { // a line has room for one
		above, behind = append(above, behind[0]), behind[1:]
	}
	p.comments(above, indent)
	p.blank(blank)
	for _, c := range behind {
		head, rest, several := strings.Cut(text, "\n") // behind the | of a literal
		gap := " "
		if spaces := p.gap(c); spaces > 1 {
			gap = strings.Repeat(" ", spaces)
		}
		if text = head + gap + c.text; several {
			text += "\n" + rest
		}
	}
	p.lines = append(p.lines, strings.Split(strings.Repeat(" ", indent)+text, "\n")...)
}

// gap is how many spaces stand before a comment, which people align.
func (p *printer) gap(c comment) int {
	before := p.doc.data[p.doc.lineStart(c.offset):c.offset]
	return len(before) - len(strings.TrimRight(string(before), " "))
}

// gather hands over the remarks of n and all below it.
func (p *printer) gather(n *yaml.Node, do func(*remarks)) {
	if r := p.notes[n]; r != nil {
		do(r)
	}
	for _, c := range n.Content {
		p.gather(c, do)
	}
}

// object writes the fields of a mapping in block style.
func (p *printer) object(n *yaml.Node, s *schema, indent int) {
	for _, f := range s.fields {
		if at := keyIndex(n, f.name); at >= 0 {
			p.field(n.Content[at], n.Content[at+1], n.Column, f, indent)
		}
	}
}

func (p *printer) field(key, value *yaml.Node, column int, f *field, indent int) {
	switch {
	case f.kind == listKind && len(value.Content) > 0:
		p.line(indent, f.name+":", key)
		for _, c := range value.Content {
			p.item(c, f, indent+2)
		}
	case f.kind == objectKind && !f.flow:
		p.line(indent, f.name+":", key)
		p.object(value, f.elem, indent+2)
	default:
		p.line(indent, f.name+": "+p.flow(value, column, f, indent, false), key, value)
	}
}

// item writes one element of a list: its first line gets the dash.
func (p *printer) item(n *yaml.Node, f *field, indent int) {
	if f.flow {
		p.line(indent, "- "+p.flowObject(n, f.elem), n)
		return
	}
	start := len(p.lines)
	p.object(n, f.elem, indent+2)
	for i, line := range p.lines[start:] {
		if text := strings.TrimLeft(line, " "); text == "" || strings.HasPrefix(text, "#") {
			// What is above the first field stands above the dash.
			p.lines[start+i] = strings.TrimPrefix(line, "  ")
			continue
		}
		p.lines[start+i] = strings.Repeat(" ", indent) + "- " + line[indent+2:]
		return
	}
}

// flow returns a value on one line (a literal block: on several).
func (p *printer) flow(n *yaml.Node, column int, f *field, indent int, inFlow bool) string {
	switch f.kind {
	case objectKind:
		return p.flowObject(n, f.elem)
	case listKind:
		return "[]"
	case modesKind:
		var words []string
		for _, c := range n.Content {
			words = append(words, p.scalar(c, column, &field{enum: []string{"read", "write"}}, indent, true))
		}
		return "[" + strings.Join(words, ", ") + "]"
	case namesKind:
		var items []string
		for _, c := range n.Content {
			items = append(items, p.scalar(c, column, f.element(), indent, true))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	return p.scalar(n, column, f, indent, inFlow)
}

func (p *printer) flowObject(n *yaml.Node, s *schema) string {
	var fields []string
	for _, f := range s.fields {
		if at := keyIndex(n, f.name); at >= 0 {
			fields = append(fields, f.name+": "+p.flow(n.Content[at+1], n.Column, f, 0, true))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// scalar returns a single value in the quoting it has.
func (p *printer) scalar(n *yaml.Node, column int, f *field, indent int, inFlow bool) string {
	if n.Kind == yaml.AliasNode {
		return "*" + n.Value
	}
	anchor := ""
	if n.Anchor != "" {
		anchor = "&" + n.Anchor + " "
	}
	switch {
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 && !inFlow:
		if text, ok := p.block(n, column, indent); ok {
			return anchor + text
		}
	case n.Style&quotes != 0:
		raw := strings.TrimPrefix(string(p.doc.data[p.doc.offset(n):p.doc.end(n, column)]), strings.TrimSpace(anchor))
		if raw = strings.TrimLeft(raw, " "); !strings.Contains(raw, "\n") {
			return anchor + raw
		}
	case f.quoted:
		return anchor + strconv.Quote(n.Value)
	}
	return anchor + quote(n.Value, n.Style&quotes, inFlow, f.bare(n.Value))
}

// block returns a literal or folded text at another indentation.
func (p *printer) block(n *yaml.Node, column, indent int) (string, bool) {
	raw := string(p.doc.data[p.doc.offset(n):p.doc.end(n, column)])
	if i := strings.IndexAny(raw, "|>"); i >= 0 {
		raw = raw[i:] // behind the anchor
	}
	lines := strings.Split(strings.ReplaceAll(raw, "\r\n", "\n"), "\n")
	head, _, _ := strings.Cut(lines[0], "#")
	if strings.ContainsAny(head, "123456789") || len(lines) < 2 {
		return "", false // the author counts the spaces himself
	}
	content := lines[1:]
	shared := -1
	for _, line := range content {
		if spaces := indentOf(line); spaces < len(line) && (shared < 0 || spaces < shared) {
			shared = spaces
		}
	}
	out := []string{strings.TrimSpace(head)}
	for _, line := range content {
		if len(line) <= shared {
			out = append(out, "")
			continue
		}
		out = append(out, strings.Repeat(" ", indent+2)+line[shared:])
	}
	// With |+ the blank lines below belong to the text.
	return strings.Join(out, "\n"), !slices.Contains([]string{"|+", ">+"}, out[0])
}
