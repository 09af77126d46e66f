package sarif

import (
	"bytes"
	"unicode/utf8"
)

// Column turns a column that counts bytes from 1, as Go does, into one that
// counts UTF-16 code units from 1, for a line of the source. A column beyond
// the line's bytes is taken for the line's end.
func Column(source []byte, line, column int) int {
	for ; line > 1; line-- {
		_, source, _ = bytes.Cut(source, []byte("\n"))
	}
	text, _, _ := bytes.Cut(source, []byte("\n"))
	text = text[:min(len(text), max(column-1, 0))]
	units := 1
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		units++
		if r > 0xffff {
			units++ // a surrogate pair
		}
		text = text[n:]
	}
	return units
}
