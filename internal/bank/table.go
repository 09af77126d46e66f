package bank

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
)

// columns are the headings of both kinds of table.
var columns = []string{"program", "runs", "reported", "wrong", "crash", "timeout", "variables"}

// Variables lists the variables that were reported, for a table; "–" if none was.
// One that not every reporting run named carries the number of runs that did.
func (t Tally) Variables() string {
	return cmp.Or(strings.Join(t.variables(), ", "), "–")
}

func (t Tally) variables() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(t.Named)) {
		if n := t.Named[name]; n < t.Reported {
			name = fmt.Sprintf("%s (%d)", name, n)
		}
		list = append(list, name)
	}
	return list
}

// row returns the cells of t, one for each column.
func (t Tally) row() []string {
	variables := t.variables()
	if t.Raced > 0 {
		variables = append(variables, fmt.Sprintf("[go's race detector: %d]", t.Raced))
	}
	if t.Escaped > 0 {
		variables = append(variables, fmt.Sprintf("[broken although healed: %d]", t.Escaped))
	}
	cells := []string{t.Program.String(), fmt.Sprint(t.Runs), fmt.Sprint(t.Reported)}
	for _, o := range []Outcome{Wrong, Crash, Timeout} {
		cells = append(cells, fmt.Sprint(t.Outcomes[o]))
	}
	if len(variables) == 0 {
		variables = []string{"–"} // no empty cell: it would leave blanks at the end of the line
	}
	return append(cells, strings.Join(variables, ", "))
}

// WriteText writes a table for the terminal. The same tallies give the same
// bytes.
func WriteText(w io.Writer, tallies []Tally) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, strings.Join(columns, "\t"))
	for _, t := range tallies {
		fmt.Fprintln(tw, strings.Join(t.row(), "\t"))
	}
	return tw.Flush()
}

// WriteMarkdown writes a table for the documentation. The same tallies give
// the same bytes.
func WriteMarkdown(w io.Writer, tallies []Tally) error {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s |\n", strings.Join(columns, " | "))
	b.WriteString("|---" + strings.Repeat("|---:", len(columns)-2) + "|---|\n")
	for _, t := range tallies {
		cells := t.row()
		last := len(cells) - 1
		cells[last] = strings.ReplaceAll(cells[last], "|", `\|`)
		fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
