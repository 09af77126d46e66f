package atomicity

import (
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"
)

// fill writes the elements of a list that was [].
func (e *editor) fill(n, key, value *yaml.Node, f *field, v reflect.Value, inFlow bool) {
	from, to := e.doc.offset(value), e.doc.end(value, n.Column)
	if inFlow {
		text := strings.TrimSuffix(strings.TrimPrefix(e.enc.flow(f, v, true), "["), "]")
		e.replace(to-1, to-1, text)
		return
	}
	pad := strings.Repeat(" ", n.Column-1)
	var lines []string
	// Comments between the brackets become lines of their own.
	for line := range strings.SplitSeq(string(e.doc.data[from+1:to-1]), "\n") {
		if comment := strings.TrimSpace(line); comment != "" {
			lines = append(lines, pad+"  "+comment)
		}
	}
	for i := range v.Len() {
		lines = append(lines, e.enc.item(f, item(v, i), n.Column+1)...)
	}
	colon := e.doc.colon(key, n.Column)
	e.replace(colon, to, "")
	e.insertLines(e.doc.nextLine(to), lines)
}

// flowList rewrites a list in brackets whose elements come, go or move.
func (e *editor) flowList(value *yaml.Node, f *field, v reflect.Value, was []*yaml.Node, inner map[*yaml.Node][]splice, all []splice) {
	var items []string
	appended := true // the old elements are all still there, in front
	for i, c := range was {
		if c == nil {
			items = append(items, e.enc.flowObject(f.elem, item(v, i)))
			appended = appended && i >= len(value.Content)
			continue
		}
		appended = appended && i < len(value.Content) && value.Content[i] == c
		from, to := e.doc.offset(c), e.doc.end(c, value.Column)
		items = append(items, string(e.apply(from, to, inner[c])))
	}
	first, last := value.Content[0], value.Content[len(value.Content)-1]
	end := e.doc.end(last, value.Column)
	if appended && len(was) > len(value.Content) {
		e.splices = append(e.splices, all...)
		e.replace(end, end, ", "+strings.Join(items[len(value.Content):], ", "))
		return
	}
	e.replace(e.doc.offset(first), end, strings.Join(items, ", "))
}

// blockList rewrites a list with dashes whose elements come, go or move. Each
// element takes the lines with it that belong to it: the comments and blank
// lines above its dash, and the comments below that are indented more deeply.
func (e *editor) blockList(n, key, value *yaml.Node, f *field, v reflect.Value, was []*yaml.Node, inner map[*yaml.Node][]splice) {
	from, ends := e.chunks(value)
	chunk := map[*yaml.Node][2]int{}
	start := from
	for i, c := range value.Content {
		chunk[c] = [2]int{start, ends[i]}
		start = ends[i]
	}
	to := ends[len(ends)-1]
	if len(was) == 0 {
		colon := e.doc.colon(key, n.Column)
		e.replace(colon, colon, " []")
		e.replace(from, to, "")
		return
	}
	blank := e.blankBetween(value, ends)
	var out strings.Builder
	for i, c := range was {
		text := ""
		if c == nil {
			lines := e.enc.item(f, item(v, i), value.Column-1)
			if blank && i > 0 {
				lines = append([]string{""}, lines...)
			}
			text = e.lines(lines)
		} else {
			at := chunk[c]
			text = string(e.apply(at[0], at[1], inner[c]))
		}
		if out.Len() > 0 && !strings.HasSuffix(out.String(), "\n") {
			out.WriteString(e.doc.newline) // the old last line of the file
		}
		out.WriteString(text)
	}
	e.replace(from, to, out.String())
}

// chunks cuts the lines of a list in block style into its elements: the first
// starts at from, and element i ends at ends[i].
func (e *editor) chunks(value *yaml.Node) (from int, ends []int) {
	dash := value.Column - 1
	from = e.doc.lineStart(e.doc.offset(value))
	for from > e.doc.start { // comments directly above the first dash, at its indentation
		above := e.doc.lineStart(from - 1)
		if text := e.lineAt(above); !isComment(text) || indentOf(text) != dash {
			break
		}
		from = above
	}
	for i, c := range value.Content {
		end := e.doc.nextLine(e.doc.end(c, value.Column))
		ends = append(ends, e.trailing(end, dash, i == len(value.Content)-1))
	}
	return from, ends
}

// trailing extends the end of an element over the comments that belong to it:
// those indented more deeply than its dash, also behind blank lines, and for
// the last element those that stand directly below, under the dash.
func (e *editor) trailing(end, dash int, last bool) int {
	direct := true
	for at := end; at < len(e.doc.data); at = e.doc.nextLine(at) {
		text := e.lineAt(at)
		switch {
		case strings.TrimSpace(text) == "":
			direct = false
		case isComment(text) && (indentOf(text) > dash || last && direct && indentOf(text) == dash):
			end = e.doc.nextLine(at)
		default:
			return end
		}
	}
	return end
}

// blankBetween reports whether the last two elements have a blank line between
// them, which new ones then get as well.
func (e *editor) blankBetween(value *yaml.Node, ends []int) bool {
	last := len(ends) - 1
	return last > 0 && strings.TrimSpace(e.lineAt(ends[last-1])) == ""
}

// lineAt returns the line that starts at an offset, without its break.
func (e *editor) lineAt(at int) string {
	return strings.TrimRight(string(e.doc.data[at:e.doc.breakAfter(at)]), "\r")
}

func isComment(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " \t"), "#")
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
