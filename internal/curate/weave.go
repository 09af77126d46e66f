package curate

import (
	"fmt"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/diff"
)

// weave returns the text of the merged values with the comments and layout of
// all sides. Each side's own text is first brought to the merged values, which
// its comments survive; the three texts then differ in nothing but comments and
// layout, and are merged line by line.
func weave(base, ours, theirs, merged *atomicity.Spec) ([]byte, error) {
	texts := make([][]byte, 3)
	for i, side := range []*atomicity.Spec{base, ours, theirs} {
		var err error
		if texts[i], err = side.With(merged); err != nil {
			return nil, fmt.Errorf("merging %s: %w", side.File(), err)
		}
	}
	comments := commentsOf(theirs.File(), texts[2])
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
				out = append(out, line[:len(line)-len(strings.TrimLeft(line, " "))]+c+"\n")
			}
		}
		out = append(out, part.Ours...)
	}
	text := []byte(strings.Join(out, ""))
	again, err := atomicity.Parse(ours.File(), text)
	if err == nil && again.Digest() == merged.Digest() {
		return text, nil
	}
	return nil, fmt.Errorf("the layouts of %s and %s cannot be brought together; run 'atomrace spec fmt' on both and merge again", ours.File(), theirs.File())
}

func commentsOf(file string, text []byte) map[int]string {
	spec, err := atomicity.Parse(file, text)
	if err != nil {
		return nil // With has parsed it already
	}
	return spec.Comments()
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

// mark returns a text with both sides where they differ.
func mark(ours, theirs []byte) []byte {
	text, _ := diff.Conflicts(lines(ours), lines(theirs))
	return []byte(strings.Join(text, ""))
}
