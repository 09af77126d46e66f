package docs

import (
	"fmt"
	"strings"
)

// Markdown is the entry of one id for docs/checks.md and for the rules of a
// SARIF report: heading of the given level, then what each analyzer says.
func Markdown(level int, checks []Check) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", strings.Repeat("#", level), checks[0].ID)
	for _, c := range checks {
		fmt.Fprintf(&b, "\n**%s.** (%s, since %s, %s)\n", c.Title, c.Analyzer, c.Since, c.Severity)
		paragraph(&b, c.Text)
		fmt.Fprintf(&b, "\nBefore:\n\n```go\n%s\n```\n", c.Before)
		paragraph(&b, c.Remedy)
		fmt.Fprintf(&b, "\nAfter:\n\n```go\n%s\n```\n", c.After)
	}
	return b.String()
}

// Text is the same for a terminal.
func Text(checks []Check) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", checks[0].ID)
	for _, c := range checks {
		fmt.Fprintf(&b, "\n%s.\n(%s, since %s, %s)\n", c.Title, c.Analyzer, c.Since, c.Severity)
		paragraph(&b, c.Text)
		fmt.Fprintf(&b, "\nBefore:\n\n%s\n", indent(c.Before))
		paragraph(&b, c.Remedy)
		fmt.Fprintf(&b, "\nAfter:\n\n%s\n", indent(c.After))
	}
	fmt.Fprintf(&b, "\n%s\n", CheckURL(checks[0].ID))
	return b.String()
}

func paragraph(b *strings.Builder, text string) {
	for p := range strings.SplitSeq(text, "\n\n") {
		if p != "" {
			fmt.Fprintf(b, "\n%s\n", wrap(p, 80))
		}
	}
}

func indent(code string) string {
	return strings.ReplaceAll("\t"+strings.ReplaceAll(code, "\n", "\n\t"), "\t\n", "\n")
}

// wrap breaks text at spaces so that lines have at most width bytes where the
// words allow it.
func wrap(text string, width int) string {
	var b strings.Builder
	n := 0
	for _, word := range strings.Fields(text) {
		switch {
		case n == 0:
		case n+1+len(word) > width:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
	}
	return b.String()
}
