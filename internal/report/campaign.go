package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/internal/fuzz"
)

// campaignHead is how much of a file tells a report of atomrace fuzz from a log, and
// maxCampaign bounds the size of one, in bytes.
const (
	campaignHead = 64
	maxCampaign  = 256 << 20
)

// readCampaign adds a report of atomrace fuzz.
func (l *Log) readCampaign(name string, r io.Reader) {
	text, err := io.ReadAll(io.LimitReader(r, maxCampaign+1))
	switch {
	case err != nil:
		l.problem(name, 0, "%v", reason(err))
		return
	case len(text) > maxCampaign:
		l.problem(name, 0, "a report of more than %d bytes; left out", maxCampaign)
		return
	}
	c, err := fuzz.ReadReport(name, text)
	if err != nil {
		l.problem(name, 0, "%s; left out", strings.TrimPrefix(err.Error(), name+": "))
		return
	}
	l.Campaigns = append(l.Campaigns, c)
}

// finding is one thing that a campaign has found.
type finding struct {
	fuzz.Item
	Number  int
	Package string
	Head    string // the message's first line
	Search  string
	Run     *run
}

// run is an interleaving as a table: a column for each goroutine, a row for each turn.
type run struct {
	*fuzz.Interleaving
	Sum   string
	Lanes []laneOfRun
	Turns []turn
}

type laneOfRun struct {
	Name, Start string
	id          int
}

// turn is what one goroutine did before another one did something.
type turn struct {
	First, Last uint64 // decisions
	Gap, Rest   int    // columns before and after
	Preempts    bool
	From        string // whom the turn was taken from
	Steps       []fuzz.Step
}

// findings are those of all campaigns, numbered after the violations.
func (l *Log) findings() (list []finding, remarks []string) {
	for _, c := range l.Campaigns {
		items, more := c.Items()
		remarks = append(remarks, more...)
		for _, item := range items {
			head, _, _ := strings.Cut(item.Message, "\n")
			f := finding{Item: item, Number: len(l.Violations) + len(list) + 1, Package: c.Package, Head: cmp.Or(head, item.Directed)}
			f.Search = strings.ToLower(strings.Join([]string{item.Name, item.Directed, item.Places, item.Message, item.Variable, c.Package}, " "))
			if item.Interleaving != nil {
				f.Run = newRun(item.Interleaving, c.Package)
			}
			list = append(list, f)
		}
	}
	return list, remarks
}

// sumOfAll says in one line what the log and the campaigns hold.
func (l *Log) sumOfAll(findings []finding) string {
	targets := 0
	for _, c := range l.Campaigns {
		targets += len(c.Targets)
	}
	sum := fmt.Sprintf("%s of atomrace fuzz in %s", plural(len(findings), "finding"), plural(targets, "test"))
	if len(l.Violations) > 0 {
		sum = l.Sum() + "; " + sum
	}
	return sum
}

// newRun lays an interleaving out. Variables of the package itself are named without it.
func newRun(i *fuzz.Interleaving, pkg string) *run {
	r := &run{Interleaving: i}
	r.Sum = fmt.Sprintf("%s, %s", plural(int(i.Decisions), "decision"), plural(i.Preemptions, "preemption"))
	if i.Before > i.Preemptions {
		r.Sum += fmt.Sprintf(" (%d in the run that was found)", i.Before)
	}
	if i.Left > 0 {
		r.Sum += fmt.Sprintf("; the first %s are left out", plural(i.Left, "step"))
	}
	column := func(g int) int { return slices.IndexFunc(r.Lanes, func(l laneOfRun) bool { return l.id == g }) }
	for _, s := range i.Steps {
		c := column(s.Goroutine)
		if c < 0 {
			c = len(r.Lanes)
			r.Lanes = append(r.Lanes, laneOfRun{Name: fmt.Sprintf("goroutine %d", s.Goroutine), id: s.Goroutine})
		}
		if strings.HasSuffix(s.Operation, "start") {
			r.Lanes[c].Start = s.Location
		}
	}
	slices.SortFunc(r.Lanes, func(a, b laneOfRun) int { return cmp.Compare(a.id, b.id) })
	last := 0
	for _, s := range i.Steps {
		if s.Goroutine != last {
			at := column(s.Goroutine)
			t := turn{First: s.Decision, Gap: at, Rest: len(r.Lanes) - at - 1, Preempts: s.Preempts && last != 0}
			if t.Preempts {
				t.From = fmt.Sprintf("goroutine %d", last)
			}
			r.Turns = append(r.Turns, t)
			last = s.Goroutine
		}
		t := &r.Turns[len(r.Turns)-1]
		s.Operation = strings.Replace(s.Operation, " "+pkg+".", " ", 1)
		t.Last, t.Steps = s.Decision, append(t.Steps, s)
	}
	return r
}
