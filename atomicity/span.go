package atomicity

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// The YAML library tells where a node starts and not where it ends. The ends
// are found here in the text itself, which is what makes it possible to change
// one value and leave every other byte alone.

// offset returns where in the text a node starts.
func (doc *document) offset(n *yaml.Node) int {
	at := doc.lines[n.Line-1]
	if !doc.wide {
		return min(at+n.Column-1, len(doc.data))
	}
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(doc.data[at:])
		at += size
	}
	return at
}

// end returns the offset behind the last byte of a node. indent is the column
// (from 1) of the collection in block style that holds it.
func (doc *document) end(n *yaml.Node, indent int) int {
	switch {
	case n.Kind == yaml.ScalarNode || n.Kind == yaml.AliasNode:
		return doc.scalarEnd(n, indent)
	case n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0:
		return doc.end(n.Content[len(n.Content)-1], n.Column)
	}
	at := doc.offset(n) + 1
	if len(n.Content) > 0 {
		at = doc.end(n.Content[len(n.Content)-1], indent)
	}
	return doc.skip(at, ",") + 1 // the closing bracket
}

// skip returns the offset of the next byte that is neither white space nor in
// a comment nor one of also.
func (doc *document) skip(at int, also string) int {
	for at < len(doc.data) {
		switch c := doc.data[at]; {
		case c == '#':
			at = doc.breakAfter(at)
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || strings.IndexByte(also, c) >= 0:
			at++
		default:
			return at
		}
	}
	return at
}

// breakAfter returns the offset of the next line feed, or of the end.
func (doc *document) breakAfter(at int) int {
	if i := bytes.IndexByte(doc.data[at:], '\n'); i >= 0 {
		return at + i
	}
	return len(doc.data)
}

// nextLine returns the offset of the line behind the one that holds at.
func (doc *document) nextLine(at int) int { return min(doc.breakAfter(at)+1, len(doc.data)) }

// lineStart returns the offset of the first byte of the line that holds at.
func (doc *document) lineStart(at int) int {
	return max(bytes.LastIndexByte(doc.data[:at], '\n')+1, doc.start)
}

// scalarEnd returns the offset behind a scalar or alias.
func (doc *document) scalarEnd(n *yaml.Node, indent int) int {
	at := doc.offset(n)
	if n.Kind == yaml.AliasNode {
		return at + 1 + len(n.Value)
	}
	if n.Anchor != "" {
		at = doc.skip(at+1+len(n.Anchor), "")
	}
	switch {
	case n.Style&yaml.DoubleQuotedStyle != 0:
		for at++; doc.data[at] != '"'; at++ {
			if doc.data[at] == '\\' {
				at++
			}
		}
		return at + 1
	case n.Style&yaml.SingleQuotedStyle != 0:
		for at++; ; at++ {
			if doc.data[at] == '\'' {
				if at+1 == len(doc.data) || doc.data[at+1] != '\'' {
					return at + 1
				}
				at++
			}
		}
	case n.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return doc.blockScalarEnd(at, indent)
	}
	return doc.plainEnd(at, n.Value)
}

// plainEnd walks the text and the value side by side: a plain scalar has no
// escapes, and only its white space is folded.
func (doc *document) plainEnd(at int, value string) int {
	for len(value) > 0 {
		rest := strings.TrimLeftFunc(value, unicode.IsSpace)
		if len(rest) < len(value) {
			for at < len(doc.data) && strings.IndexByte(" \t\r\n", doc.data[at]) >= 0 {
				at++
			}
			value = rest
			continue
		}
		_, size := utf8.DecodeRuneInString(value)
		at, value = at+size, value[size:]
	}
	return at
}

// blockScalarEnd returns the end of the last line of content of a literal or
// folded scalar whose header (| or >) is at at.
func (doc *document) blockScalarEnd(at, indent int) int {
	header := string(doc.data[at:doc.breakAfter(at)])
	content := 0 // indentation of the content; 0: not yet known
	for i := 1; i < len(header) && i < 3; i++ {
		if header[i] >= '1' && header[i] <= '9' {
			content = indent - 1 + int(header[i]-'0')
		}
	}
	end := at + len(strings.TrimRight(header, "\r"))
	for line := doc.nextLine(at); line < len(doc.data); line = doc.nextLine(line) {
		text := strings.TrimRight(string(doc.data[line:doc.breakAfter(line)]), "\r")
		spaces := len(text) - len(strings.TrimLeft(text, " "))
		if spaces == len(text) {
			continue
		}
		if content == 0 {
			content = max(spaces, indent)
		}
		if spaces < content {
			break
		}
		end = line + len(text)
	}
	return end
}

// questionMark reports whether a key is written in the long form, ? key.
func (doc *document) questionMark(key *yaml.Node) bool {
	at := doc.offset(key)
	before := bytes.TrimRight(doc.data[doc.lineStart(at):at], " \t")
	return bytes.HasSuffix(before, []byte("?"))
}

// colon returns the offset behind the colon of a key.
func (doc *document) colon(key *yaml.Node, indent int) int {
	return doc.skip(doc.scalarEnd(key, indent), "") + 1
}
