package atomicity

import (
	"fmt"
	"reflect"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// Position is a place in an atomicity.yaml. The zero Position is nowhere.
type Position struct {
	// File is the name the file was opened by.
	File string `json:"file,omitempty"`
	// Line and Column count from 1, columns in characters; both are 0 where
	// only the file is known.
	Line   int `json:"line,omitempty"`
	Column int `json:"column,omitempty"`
}

// String returns file:line:column, or file alone.
func (p Position) String() string {
	if p.Line == 0 {
		return p.File
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Position tells where an object of the Spec was read: a *Package, *Variable,
// *Section, the *Location of an entry or the *End of one of the ends. With the
// name of a field it is the place of that field's value, if it is written down.
// What was added since the file was read is in no place yet.
func (s *Spec) Position(of any, field string) Position {
	if s.inherited != nil {
		if from, ok := s.inherited.sources[of]; ok {
			return from.spec.Position(from.of, field)
		}
	}
	if s.doc == nil {
		return Position{}
	}
	at := Position{File: s.doc.file}
	if n := s.doc.nodes[of]; n != nil {
		if field != "" {
			n = fieldNode(n, field)
		}
		at.Line, at.Column = n.Line, n.Column
	}
	return at
}

// File returns the name of the file that the Spec was read from, or the empty
// string; of one that inherits, the name of the nearest file.
func (s *Spec) File() string {
	if s.inherited != nil {
		return s.inherited.file
	}
	if s.doc == nil {
		return ""
	}
	return s.doc.file
}

// keepPositions lets the locations of sec, a section of s, be found where those
// of read, the same section read again, were.
func keepPositions(nodes map[any]*yaml.Node, doc *document, sec, read *Section) {
	nodes[sec], nodes[&sec.Entry] = doc.nodes[read], doc.nodes[&read.Entry]
	for i := range sec.Ends {
		nodes[&sec.Ends[i]] = doc.nodes[&read.Ends[i]]
	}
}

// Text returns the lines of the file that hold the section: from its dash, with
// the comments directly above it, to its last field and the comments that belong
// to that, without the indentation they all share. A section that is in no file
// yet is written as Save would write it.
func (s *Spec) Text(sec *Section) string {
	if from, of := s.Source(sec); from != s {
		return from.Text(of)
	}
	list := schemas[reflect.TypeFor[Variable]()].byName["sections"]
	lines := (&encoder{newline: "\n"}).item(list, reflect.ValueOf(sec).Elem(), 0)
	text := strings.Join(lines, "\n") + "\n"
	if s.doc == nil || s.doc.nodes[sec] == nil {
		return text
	}
	from, to, ok := s.doc.lineRange(s.doc.nodes[sec])
	if !ok {
		return text
	}
	return dedent(strings.ReplaceAll(string(s.doc.data[from:to]), "\r\n", "\n"))
}

// lineRange returns the lines of an element of a list in block style, if that
// is what n is.
func (doc *document) lineRange(n *yaml.Node) (from, to int, ok bool) {
	list, column := doc.listOf(doc.root, n)
	if list == nil || list.Style&yaml.FlowStyle != 0 || n.Style&yaml.FlowStyle != 0 {
		return 0, 0, false
	}
	e := &editor{doc: doc}
	start, ends := e.chunks(list)
	for i, c := range list.Content {
		if c == n {
			for start < ends[i] && strings.TrimSpace(e.lineAt(start)) == "" {
				start = doc.nextLine(start)
			}
			return start, ends[i], column > 0
		}
		start = ends[i]
	}
	return 0, 0, false
}

// listOf returns the list below of that holds n, and its column.
func (doc *document) listOf(of, n *yaml.Node) (*yaml.Node, int) {
	for _, c := range of.Content {
		if c == n && of.Kind == yaml.SequenceNode {
			return of, of.Column
		}
		if list, column := doc.listOf(c, n); list != nil {
			return list, column
		}
	}
	return nil, 0
}

// dedent takes away the indentation that all lines share.
func dedent(text string) string {
	lines := strings.SplitAfter(text, "\n")
	shared := -1
	for _, line := range lines {
		if rest := strings.TrimLeft(line, " "); strings.TrimSpace(rest) != "" && (shared < 0 || len(line)-len(rest) < shared) {
			shared = len(line) - len(rest)
		}
	}
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, strings.Repeat(" ", min(max(shared, 0), len(line)-len(strings.TrimLeft(line, " ")))))
	}
	return strings.Join(lines, "")
}

// Commented returns the lines of the comments in the file that belong to a section:
// above it, in it, or below its last field. Sections without are not in the map.
func (s *Spec) Commented() map[*Section][]int {
	found := map[*Section][]int{}
	if s.doc == nil {
		return found
	}
	comments := s.doc.allComments()
	e := &editor{doc: s.doc}
	for _, p := range s.Packages {
		for _, v := range p.Variables {
			n := s.doc.nodes[v]
			if n == nil || keyIndex(n, "sections") < 0 {
				continue
			}
			list := n.Content[keyIndex(n, "sections")+1]
			spans := e.spans(list)
			for _, sec := range v.Sections {
				if at, ok := spans[s.doc.nodes[sec]]; ok {
					i := sort.Search(len(comments), func(i int) bool { return comments[i].offset >= at[0] })
					for ; i < len(comments) && comments[i].offset < at[1]; i++ {
						found[sec] = append(found[sec], comments[i].line)
					}
				}
			}
		}
	}
	return found
}

// spans returns where the elements of a list stand, with the comments that belong
// to them when they are in lines of their own.
func (e *editor) spans(list *yaml.Node) map[*yaml.Node][2]int {
	spans := map[*yaml.Node][2]int{}
	if len(list.Content) == 0 {
		return spans
	}
	if list.Style&yaml.FlowStyle != 0 {
		for _, c := range list.Content {
			spans[c] = [2]int{e.doc.offset(c), e.doc.end(c, list.Column)}
		}
		return spans
	}
	start, ends := e.chunks(list)
	for i, c := range list.Content {
		spans[c] = [2]int{start, ends[i]}
		start = ends[i]
	}
	return spans
}
