package docs

import (
	"fmt"
	"strings"
)

// Page is the web page with an entry for every check, docs/checks.md.
const Page = "https://github.com/atomrace/atomrace/blob/main/docs/checks.md"

// CheckURL is the address of the entry of the check with the given id.
func CheckURL(id string) string { return Page + "#" + id }

// A Check is what is known about one category of diagnostics of one analyzer,
// taken from the analyzer's doc.go. Two analyzers may share an id: then each
// has a Check of its own.
type Check struct {
	// ID is the category: lower case, words joined by hyphens, stable.
	ID string
	// Analyzer is the name of the analyzer that reports it.
	Analyzer string
	// Title is one sentence without its full stop.
	Title string
	// Text says more, in paragraphs; it may be empty.
	Text string
	// Before is Go code that is reported; After is the same code mended, and
	// Remedy says in words how. The code has no indentation in front.
	Before, Remedy, After string
	// Since is the first version that reports it, such as "0.2".
	Since string
	// Severity is "error", "warning" or "note": how bad it is when it happens,
	// in the words of SARIF.
	Severity string
}

// Checks takes the checks out of an analyzer's Doc, in its order. Each is
// written
//
//	## ID
//
//	Title. More text.
//
//		code before
//
//	What to do instead.
//
//		code after
//
//	Since 0.2, severity: warning.
//
// and anything else is an error that names the check.
func Checks(analyzer, doc string) ([]Check, error) {
	var checks []Check
	for _, part := range strings.Split("\n"+doc, "\n## ")[1:] {
		id, body, _ := strings.Cut(part, "\n")
		c := Check{ID: strings.TrimSpace(id), Analyzer: analyzer}
		if err := c.parse(body); err != nil {
			return nil, fmt.Errorf("%s: check %s: %w", analyzer, c.ID, err)
		}
		checks = append(checks, c)
	}
	return checks, nil
}

func (c *Check) parse(body string) error {
	var text, remedy []string
	for _, p := range paragraphs(body) {
		code, isCode := unindent(p)
		if c.Since != "" {
			return fmt.Errorf("there is text behind the line with severity")
		}
		switch {
		case isCode && c.Before == "":
			c.Before = code
		case isCode && c.After == "":
			c.After = code
		case isCode:
			return fmt.Errorf("more than two pieces of code")
		case strings.HasPrefix(p, "Since ") && strings.Contains(p, "severity: "):
			if err := c.parseSince(p); err != nil {
				return err
			}
		case c.Before == "":
			text = append(text, fold(p))
		case c.After == "":
			remedy = append(remedy, fold(p))
		default:
			return fmt.Errorf("there is text behind the code that is mended")
		}
	}
	switch {
	case len(text) == 0:
		return fmt.Errorf("no title")
	case c.Before == "" || c.After == "":
		return fmt.Errorf("no code before and after")
	case c.Since == "":
		return fmt.Errorf(`no line "Since 0.1, severity: warning."`)
	}
	c.Title, text[0] = sentence(text[0])
	c.Text = strings.TrimSpace(strings.Join(text, "\n\n"))
	c.Remedy = strings.Join(remedy, "\n\n")
	return nil
}

func (c *Check) parseSince(line string) error {
	since, severity, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(line, "Since "), "."), ", severity: ")
	switch severity {
	case "error", "warning", "note":
	default:
		return fmt.Errorf("severity %q is not error, warning or note", severity)
	}
	c.Since, c.Severity = since, severity
	return nil
}

// paragraphs splits at empty lines, except inside code.
func paragraphs(body string) []string {
	var list []string
	for p := range strings.SplitSeq(strings.Trim(body, "\n"), "\n\n") {
		p = strings.TrimRight(p, "\n")
		if n := len(list); n > 0 && isIndented(p) && isIndented(list[n-1]) {
			list[n-1] += "\n\n" + p
		} else if p != "" {
			list = append(list, p)
		}
	}
	return list
}

func isIndented(p string) bool { return strings.HasPrefix(p, "\t") }

func unindent(p string) (code string, ok bool) {
	if !isIndented(p) {
		return "", false
	}
	return strings.ReplaceAll(p[1:], "\n\t", "\n"), true
}

func fold(p string) string { return strings.Join(strings.Fields(p), " ") }

// sentence cuts the first sentence off a paragraph.
func sentence(p string) (first, rest string) {
	first, rest, _ = strings.Cut(p, ". ")
	return strings.TrimSuffix(first, "."), rest
}
