package curate

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/diff"
)

// weave returns the text of the merged values with the comments and layout of
// all sides. Each side's own text is first brought to the merged values, which
// its comments survive; the three texts then differ in nothing but comments and
// layout, and are merged line by line. Where that comes to no file, because both
// sides changed the layout, ours stays. Comments that one side has written and that
// are in none of this get lines of their own.
func (m *merging) weave(base, ours, theirs, merged *atomicity.Spec) ([]byte, error) {
	texts := make([][]byte, 3)
	for i, side := range []*atomicity.Spec{base, ours, theirs} {
		var err error
		if texts[i], err = side.With(merged); err != nil {
			return nil, fmt.Errorf("merging %s: %w", side.File(), err)
		}
	}
	oneNewline(texts, len(m.base) > 0)
	c := carrier{newline: newlineOf(texts[1]), digest: merged.Digest()}
	if !c.take(mergeLines(texts, c.newline)) && !c.take(lines(texts[1])) {
		return nil, fmt.Errorf("the layouts of %s and %s cannot be brought together; run 'atomrace spec fmt' on both and merge again", ours.File(), theirs.File())
	}
	for _, side := range []*atomicity.Spec{ours, theirs} {
		if err := c.carry(side, m.comments.lost(side, merged, c.comments)); err != nil {
			return nil, err
		}
	}
	return []byte(strings.Join(c.lines, "")), nil
}

// oneNewline gives all texts the line breaks of ours, unless only theirs has changed
// those of the common origin.
func oneNewline(texts [][]byte, hasBase bool) {
	base, ours, theirs := newlineOf(texts[0]), newlineOf(texts[1]), newlineOf(texts[2])
	if ours == theirs && ours == base {
		return
	}
	if hasBase && ours == base {
		ours = theirs
	}
	for i, text := range texts {
		texts[i] = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte(ours))
	}
}

// mergeLines merges base, ours and theirs line by line.
func mergeLines(texts [][]byte, newline string) []string {
	var comments map[int]string
	if spec, err := atomicity.Parse("", texts[2]); err == nil { // as With has found
		comments = spec.Comments()
	}
	var out []string
	for _, part := range diff.Merge(lines(texts[0]), lines(texts[1]), lines(texts[2])) {
		if !part.Conflict {
			out = append(out, part.Lines...)
			continue
		}
		// Where both sides changed the layout, ours stays; a comment that
		// only theirs has gets a line of its own above.
		for i, line := range part.Theirs {
			c := comments[part.At+i+1]
			if c != "" && !holds(part.Base, c) && !holds(part.Ours, c) {
				out = append(out, indentOf(line)+c+newline)
			}
		}
		out = append(out, part.Ours...)
	}
	return out
}

func holds(lines []string, comment string) bool {
	for _, line := range lines {
		if strings.HasSuffix(strings.TrimRight(line, " \t\r\n"), comment) {
			return true
		}
	}
	return false
}

// lines are the lines of a text with their ends.
func lines(text []byte) []string {
	list := strings.SplitAfter(string(text), "\n")
	if last := len(list) - 1; list[last] == "" {
		list = list[:last]
	}
	return list
}

func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

// newlineOf is the line break of the text's first line.
func newlineOf(text []byte) string {
	if first, _, _ := strings.Cut(string(text), "\n"); strings.HasSuffix(first, "\r") {
		return "\r\n"
	}
	return "\n"
}

// mark returns a text with both sides where they differ.
func mark(ours, theirs []byte) []byte {
	text, _ := diff.Conflicts(lines(ours), lines(theirs))
	return []byte(strings.Join(text, ""))
}
