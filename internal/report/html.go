package report

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
)

var (
	//go:embed page.html
	pageText string
	//go:embed page.css
	pageStyle string
	//go:embed page.js
	pageScript string

	// page is parsed at its first use: every command of atomrace would pay for it.
	page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageText)) })
)

// pageData is what the template shows. Style and script are ours; everything
// else comes from the log or the source and is escaped by html/template.
type pageData struct {
	Style       template.CSS
	Script      template.JS
	Policy      string // no request leaves the page, and no other script runs in it
	Sum         string
	Span        string
	Filters     []filter
	Cards       []card
	Findings    []finding
	Remarks     []string
	Notices     []string
	Problems    []Problem
	OneExpanded bool
}

// filter is one of the choices above the list.
type filter struct {
	Name    string // of the data attribute
	Label   string
	Options []option
}

type option struct {
	Value string
	Count int
}

// card is one violation.
type card struct {
	*Violation
	Number   int
	Lanes    []lane
	Steps    []step
	Stacks   []stack
	Excerpts []Excerpt
	Where    string
	Search   string
}

// lane is one goroutine of the timeline.
type lane struct {
	Column int
	Name   string
	Role   string // owner or intruder
	Start  string
}

// step is one access of the timeline, in the order of time.
type step struct {
	*Access
	Row, Column int
	Intruder    bool
	Says        string
}

type stack struct {
	Title string
	Text  string
}

// WriteHTML writes one page that needs nothing else. Without a source there are
// no excerpts.
func (l *Log) WriteHTML(w io.Writer, source *Source) error {
	d := pageData{
		Style: template.CSS(pageStyle), Script: template.JS(pageScript),
		Policy: fmt.Sprintf("default-src 'none'; base-uri 'none'; form-action 'none'; style-src '%s'; script-src '%s'", digest(pageStyle), digest(pageScript)),
		Sum:    l.Sum(), Notices: l.Notices, Problems: l.Problems,
		OneExpanded: true,
	}
	if n := len(l.Violations); n > 0 {
		const layout = "2006-01-02 15:04:05"
		first, last := l.Violations[0].Time.Local(), l.Violations[n-1].Time.Local()
		d.Span = first.Format(layout)
		if !last.Equal(first) {
			d.Span += " – " + last.Format(layout)
		}
	}
	for i, v := range l.Violations {
		d.Cards = append(d.Cards, newCard(i, v, source))
	}
	d.Findings, d.Remarks = l.findings()
	d.Filters = l.filters(d.Findings)
	if len(l.Campaigns) > 0 {
		d.Sum = l.sumOfAll(d.Findings)
	}
	var b bytes.Buffer // an error must not leave half a page
	if err := page().Execute(&b, d); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// digest is the hash by which a content security policy allows text.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func (l *Log) filters(findings []finding) []filter {
	all := []filter{{Name: "kind", Label: "kind"}, {Name: "package", Label: "package"}, {Name: "variable", Label: "variable"}, {Name: "pattern", Label: "pattern"}}
	for i := range all {
		counts := map[string]int{}
		for _, v := range l.Violations {
			counts[[]string{v.Kind, v.Package, v.Variable, v.Pattern}[i]]++
		}
		for _, f := range findings {
			counts[[]string{f.Kind, f.Package, f.Variable, f.Pattern}[i]]++
		}
		delete(counts, "")
		for _, value := range slices.Sorted(maps.Keys(counts)) {
			all[i].Options = append(all[i].Options, option{value, counts[value]})
		}
		slices.SortStableFunc(all[i].Options, func(a, b option) int { return cmp.Compare(b.Count, a.Count) })
	}
	return all
}

func newCard(i int, v *Violation, source *Source) card {
	c := card{Violation: v, Number: i + 1}
	if source != nil {
		c.Excerpts = source.Excerpts(v)
	}
	for j := range v.Accesses {
		a := &v.Accesses[j]
		intruder := a.Role == "foreign" || a.Role == "second"
		at := c.lane(a, intruder)
		row := j + 2
		if v.IsRace() {
			row = 2 // side by side
		}
		c.Steps = append(c.Steps, step{a, row, at, intruder, says(a, v)})
		if len(a.Stack) > 0 {
			c.Stacks = append(c.Stacks, stack{fmt.Sprintf("%s of %s (%s)", a.Act(), a.who(), a.Role), stackText(a)})
		}
	}
	var where []string
	for _, a := range v.Accesses {
		where = append(where, fmt.Sprintf("%s:%d", a.base(), a.Line))
	}
	c.Where = strings.Join(where, " → ")
	c.Search = strings.ToLower(strings.Join([]string{v.Variable, v.Section, v.ID, c.Where, v.Package, v.Accesses[0].Function}, " "))
	return c
}

// lane returns the column of a's goroutine, which gets one if it has none. A
// goroutine that is not known has one of its own.
func (c *card) lane(a *Access, intruder bool) int {
	name := a.who()
	for _, l := range c.Lanes {
		if l.Name == name && (a.Goroutine != 0 || (l.Role == "intruder") == intruder) {
			return l.Column
		}
	}
	l := lane{Column: len(c.Lanes) + 1, Name: name, Role: "owner"}
	if intruder {
		l.Role = "intruder"
	}
	if a.Created != nil {
		l.Start = fmt.Sprintf("started at %s:%d in %s", base(a.Created.File), a.Created.Line, a.Created.Function)
	}
	c.Lanes = append(c.Lanes, l)
	return l.Column
}

// says is what the step does to the violation.
func says(a *Access, v *Violation) string {
	switch a.Role {
	case "entry":
		return "section begins"
	case "foreign":
		return "breaks in" + a.often()
	case "end":
		return "section ends; it allows " + v.allowed()
	case "first":
		return "under way"
	case "second":
		return "at the same time"
	}
	return a.Role
}

func stackText(a *Access) string {
	var b strings.Builder
	for _, f := range a.Stack {
		fmt.Fprintf(&b, "%s()\n    %s:%d\n", f.Function, f.File, f.Line)
	}
	if c := a.Created; c != nil {
		fmt.Fprintf(&b, "started by %s\n    %s:%d\n", c.Function, c.File, c.Line)
	}
	return b.String()
}

func (a *Access) base() string { return base(a.File) }

func base(file string) string { return file[strings.LastIndexAny(file, `/\`)+1:] }
