package heal

import (
	"strconv"
	"unicode/utf8"
)

// encoder writes one JSON value. It stands in for encoding/json because that
// would make every instrumented program some 380 KB larger, and could not be
// instrumented itself if heal were built on it. Members with an empty value are
// left out.
type encoder struct{ buf []byte }

// next begins a member or, without a name, an element.
func (e *encoder) next(name string) {
	if n := len(e.buf); n > 0 && e.buf[n-1] != '{' && e.buf[n-1] != '[' {
		e.buf = append(e.buf, ',')
	}
	if name != "" {
		e.buf = append(appendString(e.buf, name), ':')
	}
}

func (e *encoder) object(name string, members func()) { e.nest(name, '{', members, '}') }
func (e *encoder) list(name string, elements func())  { e.nest(name, '[', elements, ']') }

func (e *encoder) nest(name string, open byte, inside func(), end byte) {
	e.next(name)
	e.buf = append(e.buf, open)
	inside()
	e.buf = append(e.buf, end)
}

func (e *encoder) text(name, v string) {
	if v != "" {
		e.next(name)
		e.buf = appendString(e.buf, v)
	}
}

func (e *encoder) number(name string, v uint64) {
	if v != 0 {
		e.next(name)
		e.buf = strconv.AppendUint(e.buf, v, 10)
	}
}

func (e *encoder) truth(name string, v bool) {
	if v {
		e.next(name)
		e.buf = append(e.buf, "true"...)
	}
}

// appendString appends s as a JSON string, which is a YAML string as well. What
// is no UTF-8 becomes U+FFFD, as in encoding/json; what is not printable in YAML,
// or ends a line in some readers, is escaped.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029' || r == '\ufeff' || r == utf8.RuneError && n == 1:
			b = append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
		default:
			b = append(b, s[i:i+n]...)
		}
		i += n
	}
	return append(b, '"')
}
