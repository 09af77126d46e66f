package atomicity

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// document is the text a Spec was read from and where its parts stand in it.
type document struct {
	file    string
	data    []byte
	start   int   // offset of the first character, after a byte order mark
	wide    bool  // there are characters of more than one byte
	lines   []int // offset of the first byte of each line
	newline string
	root    *yaml.Node
	plain   bool                        // read by plainParser
	nodes   map[any]*yaml.Node          // *Package, *Variable, *Section → its mapping
	aliases map[*yaml.Node][]*yaml.Node // anchored node → the aliases of it
}

const byteOrderMark = "\uFEFF"

// maxLine is the longest line that is read, in characters: places are found by
// counting them.
const maxLine = 64 << 10

// scan finds the lines. It refuses characters that YAML forbids, for which the
// YAML library reports no place, and the exotic line breaks, which editors and
// YAML libraries count differently.
func (doc *document) scan() *Error {
	if bytes.HasPrefix(doc.data, []byte(byteOrderMark)) {
		doc.start = len(byteOrderMark)
	}
	doc.newline = "\n"
	doc.lines = append(doc.lines, doc.start)
	column := 0
	for i := doc.start; i < len(doc.data); {
		if column++; column > maxLine {
			return doc.errorAt(len(doc.lines), 1, "", fmt.Sprintf("the line is longer than %d characters; give every entry a line of its own", maxLine))
		}
		c := doc.data[i]
		if c == '\n' {
			if i > doc.start && doc.data[i-1] == '\r' && len(doc.lines) == 1 {
				doc.newline = "\r\n"
			}
			i++
			doc.lines = append(doc.lines, i)
			column = 0
			continue
		}
		if c >= ' ' && c < 0x7F || c == '\t' || c == '\r' && i+1 < len(doc.data) && doc.data[i+1] == '\n' {
			i++
			continue
		}
		doc.wide = true
		r, size := utf8.DecodeRune(doc.data[i:])
		if r == utf8.RuneError && size <= 1 {
			return doc.errorAt(len(doc.lines), column, "", "the text is not UTF-8 here; save the file as UTF-8")
		}
		if r < 0xA0 || r == '\u2028' || r == '\u2029' || r == '\uFEFF' || r == '\uFFFE' || r == '\uFFFF' {
			return doc.errorAt(len(doc.lines), column, "", fmt.Sprintf("the character %U is not allowed; remove it, or write it as an escape in double quotes", r))
		}
		i += size
	}
	return nil
}

func (doc *document) errorAt(line, column int, path, msg string) *Error {
	return &Error{File: doc.file, Line: line, Column: column, Path: path, Msg: msg}
}

// line returns the text of a line (from 1) without its break.
func (doc *document) line(n int) string {
	return string(bytes.TrimRight(doc.data[doc.lines[n-1]:doc.lineEnd(n)], "\r\n"))
}

// lineEnd returns the offset behind the break of a line (from 1).
func (doc *document) lineEnd(n int) int {
	if n < len(doc.lines) {
		return doc.lines[n]
	}
	return len(doc.data)
}

// tabIndent looks for a tab in the indentation of a line or the one after,
// which is where the YAML library may have stopped because of it.
func (doc *document) tabIndent(n int) (line, column int) {
	for i := n; i <= n+1 && i <= len(doc.lines); i++ {
		text := doc.line(i)
		indent := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 && len(indent) < len(text) {
			return i, tab + 1
		}
	}
	return 0, 0
}

// collectAliases notes which aliases depend on which anchored value.
func (doc *document) collectAliases(n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		doc.aliases[n.Alias] = append(doc.aliases[n.Alias], n)
		return
	}
	for _, c := range n.Content {
		doc.collectAliases(c)
	}
}
