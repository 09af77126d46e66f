package atomicity

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"

	"gopkg.in/yaml.v3"
)

// plainParser reads the part of YAML that atomicity.yaml is mostly written in:
// what infer writes, with comments and a person's quotes. It yields the nodes
// that the YAML library would, comments left out, some five times as fast, and
// gives up on anything else: a file of 10,000 sections is read at every build,
// and one with an anchor or an unusual line break takes the library's time.
// FuzzPlainYAML holds the two together.
type plainParser struct {
	data []byte
	line int    // of the line that is looked at, from 1
	text []byte // that line without its break, from the first character that is not a space
	at   int    // how many spaces are before text
	next int    // offset of the line behind
	end  bool   // there is no line any more
	slab []yaml.Node
}

// parsePlain returns the root of the document, or nil when the library must
// read it.
func parsePlain(data []byte) *yaml.Node {
	if bytes.IndexByte(data, '\r') >= 0 || bytes.IndexByte(data, '\t') >= 0 || bytes.HasPrefix(data, []byte(byteOrderMark)) {
		return nil
	}
	p := &plainParser{data: data}
	p.advance()
	root := p.block(0)
	if root == nil || !p.end {
		return nil
	}
	return root
}

// advance goes to the next line that has more than a comment.
func (p *plainParser) advance() {
	for p.next < len(p.data) {
		to := len(p.data)
		if i := bytes.IndexByte(p.data[p.next:], '\n'); i >= 0 {
			to = p.next + i
		}
		line := p.data[p.next:to]
		p.line++
		p.next = to + 1
		p.text = bytes.TrimLeft(line, " ")
		p.at = len(line) - len(p.text)
		if len(p.text) > 0 && p.text[0] != '#' {
			return
		}
	}
	p.text, p.end = nil, true
}

// node makes a node that stands at a column, from 0, of the present line.
func (p *plainParser) node(kind yaml.Kind, style yaml.Style, value string, column int) *yaml.Node {
	if len(p.slab) == 0 {
		p.slab = make([]yaml.Node, 256)
	}
	n := &p.slab[0]
	p.slab = p.slab[1:]
	n.Kind, n.Style, n.Value, n.Line, n.Column = kind, style, value, p.line, 1+column
	return n
}

// block reads what stands at an indentation.
func (p *plainParser) block(indent int) *yaml.Node {
	switch {
	case p.end || p.at != indent:
		return nil
	case p.text[0] == '-':
		return p.sequence(indent)
	}
	return p.mapping(indent, p.node(yaml.MappingNode, 0, "", indent))
}

// sequence reads elements that are objects; the dashes are at the indentation.
func (p *plainParser) sequence(indent int) *yaml.Node {
	n := p.node(yaml.SequenceNode, 0, "", indent)
	for !p.end && p.at == indent && p.text[0] == '-' {
		rest := bytes.TrimLeft(p.text[1:], " ")
		skipped := len(p.text) - len(rest)
		if skipped == 1 || len(rest) == 0 {
			return nil
		}
		p.at, p.text = p.at+skipped, rest
		var item *yaml.Node
		if rest[0] == '{' {
			item = p.flowValue(indent)
		} else {
			item = p.mapping(p.at, p.node(yaml.MappingNode, 0, "", p.at))
		}
		if item == nil {
			return nil
		}
		n.Content = append(n.Content, item)
	}
	if !p.end && p.at > indent {
		return nil
	}
	return n
}

// mapping reads the fields at an indentation into n.
func (p *plainParser) mapping(indent int, n *yaml.Node) *yaml.Node {
	n.Content = make([]*yaml.Node, 0, 20)
	for !p.end && p.at == indent && p.text[0] != '-' {
		size := word(p.text)
		if size == 0 || size >= len(p.text) || p.text[size] != ':' {
			return nil
		}
		key := p.node(yaml.ScalarNode, 0, text(p.text[:size]), p.at)
		rest := p.text[size+1:]
		if len(rest) > 0 && rest[0] != ' ' {
			return nil
		}
		value := bytes.TrimLeft(rest, " ")
		p.at, p.text = p.at+size+1+len(rest)-len(value), value
		var v *yaml.Node
		switch {
		case len(value) == 0 || value[0] == '#':
			p.advance()
			if !p.end && p.at == indent && p.text[0] == '-' {
				v = p.sequence(indent)
			} else if !p.end && p.at > indent {
				v = p.block(p.at)
			}
		case value[0] == '|':
			v = p.literal(indent)
		default:
			v = p.flowValue(indent)
		}
		if v == nil {
			return nil
		}
		n.Content = append(n.Content, key, v)
	}
	if !p.end && p.at > indent {
		return nil
	}
	return n
}

// commonWords are the names of fields and what else stands in every section.
func commonWords() map[string]string {
	words := map[string]string{}
	for _, s := range schemas {
		for _, f := range s.fields {
			words[f.name] = f.name
			for _, word := range f.enum {
				words[word] = word
			}
		}
	}
	return words
}

// text is the text of b, which is not copied when it is a common word.
func text(b []byte) string {
	if word, ok := commonWordsOnce()[string(b)]; ok {
		return word
	}
	return string(b)
}

var commonWordsOnce = sync.OnceValue(commonWords)

// word returns the length of the letters that a field name has. YAML has a limit
// for keys, of which no field comes near.
func word(text []byte) int {
	text = text[:min(len(text), 32)]
	i := 0
	for i < len(text) && text[i] >= 'a' && text[i] <= 'z' {
		i++
	}
	return i
}

// flowValue reads a value that ends on its line, and goes to the next one, which
// must not be indented more deeply than the surroundings: it would go on.
func (p *plainParser) flowValue(indent int) *yaml.Node {
	f := &flowParser{plainParser: p}
	n := f.value(false)
	if n == nil {
		return nil
	}
	rest := bytes.TrimLeft(p.text[f.pos:], " ")
	if len(rest) > 0 && (rest[0] != '#' || len(rest) == len(p.text)-f.pos) {
		return nil
	}
	p.advance()
	if !p.end && p.at > indent {
		return nil
	}
	return n
}

// literal reads a block after | or |-, whose lines keep their breaks.
func (p *plainParser) literal(indent int) *yaml.Node {
	clip := string(p.text) == "|"
	if !clip && string(p.text) != "|-" {
		return nil
	}
	n := p.node(yaml.ScalarNode, yaml.LiteralStyle, "", p.at)
	var b strings.Builder
	content, blank := 0, 0
	for p.next < len(p.data) {
		size := bytes.IndexByte(p.data[p.next:], '\n')
		if size < 0 {
			return nil // the last line has no break
		}
		to := p.next + size
		line := p.data[p.next:to]
		text := bytes.TrimLeft(line, " ")
		spaces := len(line) - len(text)
		switch {
		case len(line) == 0 && content > 0:
			blank++
		case len(text) == 0:
			return nil // spaces alone, or a blank line at the start
		case content > 0 && spaces < content:
			if spaces > indent {
				return nil
			}
			p.advance()
			return p.literalEnd(n, &b, clip)
		default:
			if content == 0 {
				if content = spaces; content <= indent {
					return nil
				}
			}
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(strings.Repeat("\n", blank))
			blank = 0
			b.Write(line[content:])
		}
		p.line++
		p.next = to + 1
	}
	if content == 0 {
		return nil
	}
	p.advance()
	return p.literalEnd(n, &b, clip)
}

func (p *plainParser) literalEnd(n *yaml.Node, b *strings.Builder, clip bool) *yaml.Node {
	if n.Value = b.String(); clip {
		n.Value += "\n"
	}
	return n
}

// flowParser reads values in the present line from pos on.
type flowParser struct {
	*plainParser
	pos     int
	depth   int // of the brackets around pos
	counted int // up to here characters has counted
	before  int // characters
}

// deepest is how many brackets may be in each other; a spec has four at most, and
// the library refuses what is too deep.
const deepest = 40

// column is where pos stands, counted in characters.
func (f *flowParser) column() int {
	if f.pos < f.counted {
		f.counted, f.before = 0, 0
	}
	f.before += utf8.RuneCount(f.text[f.counted:f.pos])
	f.counted = f.pos
	return f.at + f.before
}

func (f *flowParser) spaces() {
	for f.pos < len(f.text) && f.text[f.pos] == ' ' {
		f.pos++
	}
}

// value reads one value; inFlow says that brackets are around it.
func (f *flowParser) value(inFlow bool) *yaml.Node {
	if f.pos >= len(f.text) {
		return nil
	}
	if f.depth++; f.depth > deepest {
		return nil
	}
	defer func() { f.depth-- }()
	switch f.text[f.pos] {
	case '[':
		return f.list()
	case '{':
		return f.object()
	case '"':
		return f.doubleQuoted()
	case '\'':
		return f.singleQuoted()
	}
	return f.plain(inFlow)
}

func (f *flowParser) list() *yaml.Node {
	n := f.node(yaml.SequenceNode, yaml.FlowStyle, "", f.column())
	f.pos++
	for first := true; ; first = false {
		f.spaces()
		if f.pos >= len(f.text) {
			return nil
		}
		if f.text[f.pos] == ']' && first {
			f.pos++
			return n
		}
		v := f.value(true)
		if v == nil {
			return nil
		}
		n.Content = append(n.Content, v)
		if done, ok := f.separator(']'); !ok || done {
			return accepted(n, ok)
		}
	}
}

func (f *flowParser) object() *yaml.Node {
	n := f.node(yaml.MappingNode, yaml.FlowStyle, "", f.column())
	n.Content = make([]*yaml.Node, 0, 10)
	f.pos++
	for first := true; ; first = false {
		f.spaces()
		if f.pos >= len(f.text) {
			return nil
		}
		if f.text[f.pos] == '}' && first {
			f.pos++
			return n
		}
		size := word(f.text[f.pos:])
		colon := f.pos + size
		if size == 0 || colon+1 >= len(f.text) || f.text[colon] != ':' || f.text[colon+1] != ' ' {
			return nil
		}
		key := f.node(yaml.ScalarNode, 0, text(f.text[f.pos:colon]), f.column())
		f.pos = colon + 1
		f.spaces()
		v := f.value(true)
		if v == nil {
			return nil
		}
		n.Content = append(n.Content, key, v)
		if done, ok := f.separator('}'); !ok || done {
			return accepted(n, ok)
		}
	}
}

func accepted(n *yaml.Node, ok bool) *yaml.Node {
	if !ok {
		return nil
	}
	return n
}

// separator reads a comma, or the closing bracket, after which it is done. A
// comma before the bracket is left to the library.
func (f *flowParser) separator(closing byte) (done, ok bool) {
	f.spaces()
	if f.pos >= len(f.text) {
		return false, false
	}
	c := f.text[f.pos]
	f.pos++
	return c == closing, c == closing || c == ',' && f.pos < len(f.text)
}

// doubleQuoted knows the escapes that Go and YAML write alike and that need no
// decoding of numbers.
func (f *flowParser) doubleQuoted() *yaml.Node {
	start := f.pos + 1
	escaped := false
	for i := start; i < len(f.text); i++ {
		switch f.text[i] {
		case '\\':
			i++
			if i >= len(f.text) || strings.IndexByte(`\"nt`, f.text[i]) < 0 {
				return nil
			}
			escaped = true
		case '"':
			value := string(f.text[start:i])
			if escaped {
				value = strings.NewReplacer(`\\`, `\`, `\"`, `"`, `\n`, "\n", `\t`, "\t").Replace(value)
			}
			n := f.node(yaml.ScalarNode, yaml.DoubleQuotedStyle, value, f.column())
			f.pos = i + 1
			return n
		}
	}
	return nil
}

func (f *flowParser) singleQuoted() *yaml.Node {
	start := f.pos + 1
	for i := start; i < len(f.text); i++ {
		if f.text[i] != '\'' {
			continue
		}
		if i+1 < len(f.text) && f.text[i+1] == '\'' {
			i++
			continue
		}
		n := f.node(yaml.ScalarNode, yaml.SingleQuotedStyle, strings.ReplaceAll(string(f.text[start:i]), "''", "'"), f.column())
		f.pos = i + 1
		return n
	}
	return nil
}

// plain reads a text without quotes that begins with a letter, a digit or a
// bracket of Go.
func (f *flowParser) plain(inFlow bool) *yaml.Node {
	c := f.text[f.pos]
	if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '(' || c == '_' || c == '/') {
		return nil
	}
	i := f.pos
scan:
	for ; i < len(f.text); i++ {
		switch c := f.text[i]; {
		case c == '#' && f.text[i-1] == ' ':
			break scan
		case c == ':' && (i+1 == len(f.text) || f.text[i+1] == ' '), c == ':' && inFlow:
			return nil
		case inFlow && (c == ',' || c == ']' || c == '}'):
			break scan
		case inFlow && (c == '[' || c == '{' || c == '?'):
			return nil
		}
	}
	value := text(bytes.TrimRight(f.text[f.pos:i], " "))
	n := f.node(yaml.ScalarNode, 0, value, f.column())
	f.pos += len(value)
	return n
}
