package curate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/internal/diff"
)

// remarks are the comments of the sides of a merge. What a person wrote there must not
// get lost: not with a section that the other side removed, nor with a layout that
// gave way to another.
type remarks struct {
	base map[string][]string // by section; "" is the whole file
	side map[*atomicity.Spec]map[*atomicity.Section][]int
}

func newRemarks(base, ours, theirs *atomicity.Spec) remarks {
	r := remarks{base: map[string][]string{}, side: map[*atomicity.Spec]map[*atomicity.Section][]int{}}
	texts := base.Comments()
	r.base[""] = slices.Collect(maps.Values(texts))
	for s, at := range base.Commented() {
		r.base[s.ID] = pick(texts, at)
	}
	for _, side := range []*atomicity.Spec{ours, theirs} {
		r.side[side] = side.Commented()
	}
	return r
}

func pick(texts map[int]string, at []int) []string {
	var list []string
	for _, line := range at {
		list = append(list, texts[line])
	}
	return list
}

// isRemarked says whether a section of the side has a comment that neither it nor
// another one had in the base.
func (r remarks) isRemarked(side *atomicity.Spec, s *atomicity.Section) bool {
	texts := side.Comments()
	own := pick(texts, r.side[side][s])
	all := slices.Collect(maps.Values(texts))
	return slices.ContainsFunc(own, func(text string) bool {
		return count(own, text) > count(r.base[s.ID], text) && count(all, text) > count(r.base[""], text)
	})
}

func count(list []string, text string) int {
	n := 0
	for _, have := range list {
		if have == text {
			n++
		}
	}
	return n
}

// A remark is a comment and its line.
type remark struct {
	line int // from 1
	text string
}

// lost are the comments that the side has added and the result does not have, in their
// order; without those of sections that are not in the merged values, for these are one
// side of a conflict, or were removed with it.
func (r remarks) lost(side, merged *atomicity.Spec, result map[int]string) []remark {
	texts := side.Comments()
	gone := map[int]bool{}
	for s, at := range r.side[side] {
		if merged.Section(s.ID) == nil {
			for _, line := range at {
				gone[line] = true
			}
		}
	}
	all, have := slices.Collect(maps.Values(texts)), slices.Collect(maps.Values(result))
	var list []remark
	for _, line := range slices.Sorted(maps.Keys(texts)) {
		text := texts[line]
		if !gone[line] && count(all, text) > count(r.base[""], text) && !slices.Contains(have, text) {
			list = append(list, remark{line, text})
		}
	}
	return list
}

// A carrier is a text in the making, to which comments are added.
type carrier struct {
	newline  string
	digest   string // that the text must have
	lines    []string
	comments map[int]string
}

// take makes the lines the text, unless they mean something else.
func (c *carrier) take(lines []string) bool {
	spec, err := atomicity.Parse("", []byte(strings.Join(lines, "")))
	if err != nil || spec.Digest() != c.digest {
		return false
	}
	c.lines, c.comments = lines, spec.Comments()
	return true
}

// carry gives each of the comments of the side a line of its own, above what follows it
// there, or as near to that as may be: not within a text.
func (c *carrier) carry(side *atomicity.Spec, list []remark) error {
	if len(list) == 0 {
		return nil
	}
	text, err := side.Bytes()
	if err != nil {
		return err
	}
	theirs := withoutComments(lines(text), side.Comments())
	for _, r := range list {
		at := len(c.lines)
		for i, line := range diff.Match(theirs, withoutComments(c.lines, c.comments)) {
			if i >= r.line-1 && line >= 0 && theirs[i] != "" {
				at = line
				break
			}
		}
		if !c.insert(r.text, at) {
			return fmt.Errorf("%s:%d: the comment has no place in the merged file; move it to the head of the file and merge again", side.File(), r.line)
		}
	}
	return nil
}

// insert puts the comment above the line, or the next one above or below where it is
// one.
func (c *carrier) insert(text string, line int) bool {
	try := func(at int) bool {
		indent := ""
		if at < len(c.lines) {
			indent = indentOf(c.lines[at])
		}
		had := len(c.comments)
		before := c.lines[:at]
		if at > 0 && !strings.HasSuffix(before[at-1], "\n") {
			before = append(slices.Clone(before[:at-1]), before[at-1]+c.newline)
		}
		old := *c
		if c.take(slices.Concat(before, []string{indent + text + c.newline}, c.lines[at:])) && len(c.comments) == had+1 {
			return true
		}
		*c = old
		return false
	}
	for at := line; at >= 0; at-- {
		if try(at) {
			return true
		}
	}
	for at := line + 1; at <= len(c.lines); at++ {
		if try(at) {
			return true
		}
	}
	return false
}

// withoutComments are the lines as they would be without their comments, for comparing.
func withoutComments(lines []string, comments map[int]string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(line, " \t\r\n"), comments[i+1]))
	}
	return list
}
