package atomicity

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"

	"github.com/atomrace/atomrace/internal/pattern"
)

// header starts a new file and tells its reader where to look.
const header = "# What is meant to be atomic in this module. Every field is explained in\n" +
	"# https://github.com/atomrace/atomrace/blob/main/docs/atomicity-yaml.md\n" +
	"# yaml-language-server: $schema=" + schemaURL + "\n"

// schemaURL is where editors find the JSON Schema of the format.
const schemaURL = "https://raw.githubusercontent.com/atomrace/atomrace/main/docs/atomicity.schema.json"

// encodeSpec writes a whole new file.
func encodeSpec(s *Spec) string {
	e := &encoder{newline: "\n"}
	return header + strings.Join(e.object(specSchema, reflect.ValueOf(s).Elem(), 0), "\n") + "\n"
}

// encoder writes new entries, in the order of the fields of the types.
type encoder struct {
	newline string
}

// object returns the lines of an object in block style, each indented.
func (e *encoder) object(s *schema, v reflect.Value, indent int) []string {
	var lines []string
	for _, f := range s.fields {
		if f.present(v) {
			lines = append(lines, e.field(f, f.value(v), indent)...)
		}
	}
	return lines
}

// field returns the lines of one field in block style.
func (e *encoder) field(f *field, v reflect.Value, indent int) []string {
	pad := strings.Repeat(" ", indent)
	start := pad + f.name + ":"
	switch {
	case f.kind == listKind && v.Len() > 0:
		lines := []string{start}
		for i := range v.Len() {
			lines = append(lines, e.item(f, item(v, i), indent+2)...)
		}
		return lines
	case f.kind == objectKind && !f.flow:
		return append([]string{start}, e.object(f.elem, v, indent+2)...)
	case f.kind == textKind && literal(v.String()):
		return strings.Split(start+" "+literalText(v.String(), indent), "\n")
	}
	return []string{start + " " + e.flow(f, v, false)}
}

// item returns the lines of one element of a list in block style.
func (e *encoder) item(f *field, v reflect.Value, indent int) []string {
	pad := strings.Repeat(" ", indent)
	if f.flow {
		return []string{pad + "- " + e.flowObject(f.elem, v)}
	}
	lines := e.object(f.elem, v, indent+2)
	lines[0] = pad + "- " + lines[0][indent+2:]
	return lines
}

// flow returns a value on one line. inFlow says that brackets are around it.
func (e *encoder) flow(f *field, v reflect.Value, inFlow bool) string {
	switch f.kind {
	case objectKind:
		return e.flowObject(f.elem, v)
	case listKind:
		var items []string
		for i := range v.Len() {
			items = append(items, e.flowObject(f.elem, item(v, i)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case modesKind:
		return "[" + strings.Join(AccessSet(v.Uint()).Names(), ", ") + "]"
	case namesKind:
		var items []string
		for _, name := range v.Interface().([]string) {
			items = append(items, quote(name, 0, true, f.element().bare(name)))
		}
		return "[" + strings.Join(items, ", ") + "]"
	}
	text := f.text(v)
	if f.quoted {
		return strconv.Quote(text)
	}
	return quote(text, 0, inFlow, f.bare(text))
}

func (e *encoder) flowObject(s *schema, v reflect.Value) string {
	var fields []string
	for _, f := range s.fields {
		if f.present(v) {
			fields = append(fields, f.name+": "+e.flow(f, f.value(v), true))
		}
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// text returns the scalar of a field, before any quoting.
func (f *field) text(v reflect.Value) string {
	switch f.kind {
	case numberKind:
		return strconv.FormatInt(v.Int(), 10)
	case modeKind:
		return strings.Join(AccessSet(v.Uint()).Names(), ", ")
	}
	return v.String()
}

var (
	plainBlock = pattern.New(`^[A-Za-z_(/][A-Za-z0-9_().,*/#@+$~\[\]-]*$`)
	plainFlow  = pattern.New(`^[A-Za-z_(/][A-Za-z0-9_().*/#@+$~-]*$`)
	// ambiguous are plain words that some YAML reader takes for something else.
	ambiguous = pattern.New(`^(?i:true|false|null|yes|no|on|off|y|n)$`)
)

// quote writes a scalar in the style a person used for it, or plainly where
// that is safe, or in double quotes, which YAML and Go write alike.
// bare says that the text never needs quotes.
func quote(text string, style yaml.Style, inFlow, bare bool) string {
	plain := plainBlock
	if inFlow {
		plain = plainFlow
	}
	switch {
	case bare && style&quotes == 0:
		return text
	case style&yaml.SingleQuotedStyle != 0 && printable(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	case style&yaml.DoubleQuotedStyle == 0 && plain.MatchString(text) && !ambiguous.MatchString(text):
		return text
	}
	return strconv.Quote(text)
}

const quotes = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle

// bare reports whether text is a number or one of the words of the field, or words that
// mean nothing else in YAML.
func (f *field) bare(text string) bool {
	if f.shape == memberAccess {
		return plainFlow.MatchString(strings.Replace(text, " ", "", 1))
	}
	return f.kind == numberKind || slices.Contains(f.enum, text)
}

func printable(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// literal reports whether text has several lines and can be written as a
// literal block (|), as a person would write a note.
func literal(text string) bool {
	body := strings.TrimSuffix(text, "\n")
	if !strings.Contains(body, "\n") {
		return false
	}
	for i, line := range strings.Split(body, "\n") {
		if !printable(line) || strings.TrimRight(line, " ") != line || i == 0 && (line == "" || line[0] == ' ') {
			return false
		}
	}
	return !strings.HasSuffix(body, "\n")
}

// literalText returns a literal block for a field indented by indent.
func literalText(text string, indent int) string {
	head, pad := "|-", strings.Repeat(" ", indent+2)
	if strings.HasSuffix(text, "\n") {
		head, text = "|", strings.TrimSuffix(text, "\n")
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if line != "" {
			lines[i] = pad + line
		}
	}
	return head + "\n" + strings.Join(lines, "\n")
}

// encodeFields and encodeValue write values unambiguously, for comparing them.
func encodeFields(texts ...string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = strconv.Quote(text)
	}
	return strings.Join(quoted, " ")
}

func encodeValue(pointer any) string {
	v := reflect.ValueOf(pointer).Elem()
	return (&encoder{}).flowObject(schemas[v.Type()], v)
}
