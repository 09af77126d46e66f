package report

import (
	"fmt"
	"io"
	"strings"
)

// WriteText renders the log for a terminal. Without a source there are no
// excerpts.
func (l *Log) WriteText(w io.Writer, source *Source) error {
	var b strings.Builder
	for i, v := range l.Violations {
		if i > 0 {
			b.WriteString("\n")
		}
		v.text(&b, source)
		if b.Len() > 1<<16 {
			if _, err := io.WriteString(w, b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	for _, n := range l.Notices {
		fmt.Fprintf(&b, "note: %s\n", printable(n))
	}
	if len(l.Violations) > 0 {
		b.WriteString("\n")
	}
	for _, c := range l.Campaigns {
		for line := range strings.Lines(c.Text()) {
			b.WriteString(printable(strings.TrimSuffix(line, "\n")) + "\n")
		}
	}
	if len(l.Violations) > 0 || len(l.Campaigns) == 0 {
		fmt.Fprintf(&b, "%s\n", l.Sum())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Sum says in one line what the log holds.
func (l *Log) Sum() string {
	if len(l.Violations) == 0 {
		return "no violations"
	}
	return fmt.Sprintf("%s in %s, seen %s", plural(len(l.Violations), "distinct violation"), plural(l.Processes(), "process"), times(l.Total()))
}

func plural(n int, what string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(what, "s"):
		what += "es"
	default:
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// allowed is what the end of the section allows.
func (v *Violation) allowed() string {
	set := "{" + strings.Join(v.Allow, ", ") + "}"
	if len(v.Also) > 0 {
		set += " and " + strings.Join(v.Also, ", ")
	}
	return set
}

func (v *Violation) text(b *strings.Builder, source *Source) {
	fmt.Fprintf(b, "%s on %s of package %s", printable(v.Kind), printable(v.Subject()), printable(v.Package))
	if v.Type != "" {
		fmt.Fprintf(b, ", type %s", printable(v.Type))
	}
	fmt.Fprintf(b, "  [%s]\n  seen %s in %s, first on %s\n", printable(v.ID), times(v.Count), plural(len(v.Processes), "process"),
		v.Time.Local().Format("2006-01-02 15:04:05"))
	if v.Section != "" {
		fmt.Fprintf(b, "  section %s (%s), which allows %s\n", printable(v.Section), printable(v.Pattern), printable(v.allowed()))
	}
	for _, a := range v.Accesses {
		fmt.Fprintf(b, "  %-8s%s of %s at %s\n", a.Role, printable(a.Act()), a.who(), printable(a.Where()))
		if s := a.Value(); s != "" {
			fmt.Fprintf(b, "          %s\n", printable(s))
		}
	}
	if v.More {
		b.WriteString("  and at further locations, beyond history\n")
	}
	if source != nil {
		for _, e := range source.Excerpts(v) {
			e.text(b)
		}
	}
	for _, a := range v.Accesses {
		if len(a.Stack) == 0 {
			continue
		}
		fmt.Fprintf(b, "  stack of %s:\n", a.Role)
		for _, f := range a.Stack {
			fmt.Fprintf(b, "    %s()\n        %s:%d\n", printable(f.Function), printable(f.File), f.Line)
		}
		if c := a.Created; c != nil {
			fmt.Fprintf(b, "    started by %s\n        %s:%d\n", printable(c.Function), printable(c.File), c.Line)
		}
	}
	if v.Doubt != "" {
		fmt.Fprintf(b, "  perhaps without harm: %s\n", printable(v.Doubt))
	}
	if v.Healing != "" {
		fmt.Fprintf(b, "  healing: %s\n", printable(v.Healing))
	}
	if v.Suggestion != "" {
		b.WriteString("  for atomicity.yaml:\n")
		for s := range strings.Lines(v.Suggestion) {
			fmt.Fprintf(b, "    %s\n", printable(strings.TrimRight(s, "\n")))
		}
	}
}

// Subject is the variable, with the key of a map entry.
func (v *Violation) Subject() string {
	if v.Key != "" {
		return v.Variable + " key " + v.Key
	}
	return v.Variable
}

// Where is the place of the access and its code.
func (a *Access) Where() string {
	s := fmt.Sprintf("%s:%d", a.File, a.Line)
	if a.Column > 0 {
		s += fmt.Sprintf(":%d", a.Column)
	}
	if a.Function != "" {
		s += " in " + a.Function
	}
	if a.Code != "" {
		s += ": " + a.Code
	}
	return s + a.often()
}

func (a *Access) often() string {
	switch {
	case a.Times < 2:
		return ""
	case a.Several:
		return fmt.Sprintf(" (%d times, by others, too)", a.Times)
	}
	return fmt.Sprintf(" (%d times)", a.Times)
}

func (a *Access) who() string {
	if a.Goroutine == 0 {
		return "an unknown goroutine"
	}
	return fmt.Sprintf("goroutine %d", a.Goroutine)
}

func (e *Excerpt) text(b *strings.Builder) {
	fmt.Fprintf(b, "  %s%s\n", printable(e.File), e.Doubt())
	for _, l := range e.Lines {
		switch {
		case l.Number == 0:
			b.WriteString("          …\n")
		case len(l.Roles) > 0:
			fmt.Fprintf(b, "  > %5d  %s  <- %s\n", l.Number, printable(l.Text), strings.Join(l.Roles, ", "))
		default:
			fmt.Fprintf(b, "    %5d  %s\n", l.Number, printable(l.Text))
		}
	}
}

// Doubt warns where the source may not be that of the report.
func (e *Excerpt) Doubt() string {
	if e.Doubtful {
		return " (may have changed since the report)"
	}
	return ""
}

// printable replaces what would control a terminal.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '\uFFFD'
		}
		return r
	}, s)
}
