package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
)

// findings are what analyzers say about packages, in the form in which both go vet
// and the drivers of x/tools print it with -json: by package and by analyzer a list
// of findings, or what went wrong.
type findings map[string]map[string]json.RawMessage

// finding is one of them; the fields are those of x/tools.
type finding struct {
	Category string `json:"category"`
	Posn     string `json:"posn"` // file:line:column
	End      string `json:"end"`  // the same as Posn where it is not known
	Message  string `json:"message"`
	Fixes    []fix  `json:"suggested_fixes"`
	Related  []spot `json:"related"`

	analyzer string
}

// spot is a position that a finding points at.
type spot struct {
	Posn    string `json:"posn"`
	End     string `json:"end"`
	Message string `json:"message"`
}

type fix struct {
	Message string `json:"message"`
	Edits   []edit `json:"edits"`
}

// edit replaces the bytes from Start to End.
type edit struct {
	Filename string `json:"filename"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	New      string `json:"new"`
}

// readFindings reads any number of JSON values, one for each package or for all.
func readFindings(r io.Reader) (findings, error) {
	all := findings{}
	for in := json.NewDecoder(r); ; {
		var some findings
		switch err := in.Decode(&some); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		}
		for id, byAnalyzer := range some {
			if all[id] == nil {
				all[id] = byAnalyzer
				continue
			}
			maps.Copy(all[id], byAnalyzer)
		}
	}
}

// list returns the findings in an order that does not change from run to run, each
// once (a file can belong to several packages), and one line for each analyzer that
// failed.
func (f findings) list() (list []*finding, failed []string) {
	seen := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(f)) {
		for _, name := range slices.Sorted(maps.Keys(f[id])) {
			var some []*finding
			if json.Unmarshal(f[id][name], &some) != nil {
				var wrong struct{ Error string }
				_ = json.Unmarshal(f[id][name], &wrong) // then it has no text
				failed = append(failed, name+": "+cmp.Or(wrong.Error, "failed"))
				continue
			}
			for _, d := range some {
				d.analyzer = name
				if key := strings.Join([]string{d.Posn, d.End, name, d.Message}, "\n"); !seen[key] {
					seen[key] = true
					list = append(list, d)
				}
			}
		}
	}
	return list, failed
}

// printJSON prints everything as one value.
func (f findings) printJSON(w io.Writer) error {
	data, err := json.MarshalIndent(f, "", "\t")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s\n", data)
	return err
}

// printText prints the findings as go vet does, each with so many lines around it,
// or none if context is negative.
func printText(w io.Writer, list []*finding, context int) error {
	var text strings.Builder
	for _, d := range list {
		spot{d.Posn, d.End, d.Message}.print(&text, context)
		for _, r := range d.Related {
			r.Message = "\t" + r.Message
			r.print(&text, context)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}

func (p spot) print(w io.Writer, context int) {
	fmt.Fprintf(w, "%s: %s\n", p.Posn, p.Message)
	if context < 0 {
		return
	}
	file, first, _ := splitPosition(p.Posn)
	_, last, _ := splitPosition(p.End)
	data, _ := os.ReadFile(file) // a file that is gone has no lines
	lines := strings.Split(string(data), "\n")
	for i := max(first-context, 1); i <= min(last+context, len(lines)); i++ {
		fmt.Fprintf(w, "%d\t%s\n", i, lines[i-1])
	}
}

// splitPosition takes file:line:column apart; what is missing is 0.
func splitPosition(posn string) (file string, line, column int) {
	file, last, ok := cutLast(posn)
	if !ok {
		return posn, 0, 0
	}
	if before, first, ok := cutLast(file); ok {
		return before, first, last
	}
	return file, last, 0
}

func cutLast(posn string) (before string, n int, ok bool) {
	i := strings.LastIndexByte(posn, ':')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.Atoi(posn[i+1:])
	return posn[:i], n, err == nil
}
