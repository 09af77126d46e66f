// Recall scores what atomrace check has found on labelled bugs, for the section
// "Recall on labelled bugs" of docs/evaluation.md:
//
//	go run ./internal/recall BUGS RESULTS [FIXED]
//
// BUGS is a table such as docs/bugs.tsv: one bug a line, fields separated by
// tabs and named by the first line; the file path, the function, its variables
// and the lines from the first access of the broken sequence to the last.
// RESULTS/ID.json is what atomrace check -json printed for the package of bug
// ID. A bug is found when a report, or one of its related positions, is in the
// file and at most three lines off the lines. FIXED has the same for the
// commits that mended the bugs: a bug remains when the same function and
// variable is reported there still.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	if len(os.Args) != 3 && len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: recall BUGS RESULTS [FIXED]")
		os.Exit(2)
	}
	fixed := ""
	if len(os.Args) == 4 {
		fixed = os.Args[3]
	}
	if err := run(os.Args[1], os.Args[2], fixed); err != nil {
		fmt.Fprintln(os.Stderr, "recall:", err)
		os.Exit(1)
	}
}

// tolerance is how many lines off the labelled ones a report may be.
const tolerance = 3

// score counts the bugs of one class.
type score struct{ found, of int }

func run(bugs, results, fixed string) error {
	list, err := read(bugs)
	if err != nil {
		return err
	}
	scores := map[string]*score{}
	count := func(class string, found bool) {
		if scores[class] == nil {
			scores[class] = &score{}
		}
		scores[class].of++
		if found {
			scores[class].found++
		}
	}
	var remaining []string
	for _, b := range list {
		first, last, err := b.lines()
		if err != nil {
			return fmt.Errorf("%s: bug %s: %w", bugs, b["id"], err)
		}
		reports, err := reportsIn(filepath.Join(results, b["id"]+".json"))
		if err != nil {
			return err
		}
		verdict := "missed"
		for _, r := range reports {
			if r.at(b["path"], first-tolerance, last+tolerance) {
				verdict = r.Category + ": " + r.Message
				break
			}
		}
		found := verdict != "missed"
		fmt.Printf("%-16s %-40s %s\n", b["id"], b["class"], verdict)
		class, _, _ := strings.Cut(b["class"], ":")
		count(class, found)
		count("~all", found) // sorts last
		if b["race_detector_visible"] == "no" {
			count("~ invisible to the race detector", found)
		}
		if !found || fixed == "" {
			continue
		}
		after, err := reportsIn(filepath.Join(fixed, b["id"]+".json"))
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(after, b.isAbout); i >= 0 {
			remaining = append(remaining, b["id"]+": "+after[i].Posn+": "+after[i].Message)
		}
	}
	fmt.Println("\n| class | found | of |\n|---|---:|---:|")
	for _, class := range sorted(scores) {
		s := scores[class]
		fmt.Printf("| %s | %d | %d |\n", strings.TrimLeft(class, "~ "), s.found, s.of)
	}
	if fixed != "" {
		fmt.Printf("\n%d of the found bugs are reported after their mending:\n%s\n", len(remaining), strings.Join(remaining, "\n"))
	}
	return nil
}

func sorted(scores map[string]*score) []string {
	var classes []string
	for class := range scores {
		classes = append(classes, class)
	}
	slices.Sort(classes)
	return classes
}

// bug is one line of the table, by the names of its fields.
type bug map[string]string

func read(table string) ([]bug, error) {
	data, err := os.ReadFile(table)
	if err != nil {
		return nil, err
	}
	var list []bug
	lines := strings.Split(strings.TrimRight(string(data), "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	for n, line := range lines[1:] {
		fields := strings.Split(line, "\t")
		if len(fields) != len(names) {
			return nil, fmt.Errorf("%s:%d: %d fields, where the first line names %d", table, n+2, len(fields), len(names))
		}
		b := bug{}
		for i, name := range names {
			b[name] = fields[i]
		}
		list = append(list, b)
	}
	return list, nil
}

func (b bug) lines() (first, last int, err error) {
	from, to, isRange := strings.Cut(b["lines"], "-")
	if !isRange {
		to = from
	}
	if first, err = strconv.Atoi(from); err == nil {
		last, err = strconv.Atoi(to)
	}
	return first, last, err
}

// isAbout says whether the report is about a variable of the bug, in its
// function, as the source that was analyzed has it.
func (b bug) isAbout(r report) bool {
	text := r.Message
	for _, p := range r.Related {
		text += " " + p.Message
	}
	named := false
	for v := range strings.SplitSeq(b["variables"], ",") {
		v = strings.Trim(v[strings.LastIndexByte(v, '.')+1:], "*[] ")
		named = named || regexp.MustCompile(`\b`+regexp.QuoteMeta(v)+`\b`).MatchString(text)
	}
	if !named {
		return false
	}
	name := b["func"][strings.LastIndexByte(b["func"], '.')+1:]
	declares := regexp.MustCompile(`^func (\([^)]*\) )?` + regexp.QuoteMeta(name) + `[\[(]`)
	for _, p := range append(r.Related, r.position) {
		file, line := p.split()
		if !strings.HasSuffix(file, b["path"]) {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		lines := strings.Split(string(source), "\n")
		for i := min(line, len(lines)) - 1; i >= 0; i-- {
			if strings.HasPrefix(lines[i], "func ") {
				if declares.MatchString(lines[i]) {
					return true
				}
				break
			}
		}
	}
	return false
}

// position is a place in the source, and what is said of it.
type position struct {
	Posn    string `json:"posn"` // FILE:LINE:COLUMN
	Message string `json:"message"`
}

func (p position) split() (file string, line int) {
	rest, _, _ := cutLast(p.Posn)
	file, number, _ := cutLast(rest)
	line, _ = strconv.Atoi(number)
	return file, line
}

func cutLast(s string) (before, after string, found bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+1:], true
}

// report is one diagnostic.
type report struct {
	position
	Category string     `json:"category"`
	Related  []position `json:"related"`
}

// at says whether the report or one of its related positions is in the file,
// between the lines.
func (r report) at(path string, first, last int) bool {
	return slices.ContainsFunc(append(r.Related, r.position), func(p position) bool {
		file, line := p.split()
		return strings.HasSuffix(file, path) && first <= line && line <= last
	})
}

// reportsIn reads {package: {analyzer: [report …]}}. There is none in a file
// that is missing, of a package that could not be analyzed.
func reportsIn(file string) ([]report, error) {
	data, err := os.ReadFile(file)
	if os.IsNotExist(err) || err == nil && len(data) == 0 {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var tree map[string]map[string]json.RawMessage
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var list []report
	for _, byAnalyzer := range tree {
		for _, raw := range byAnalyzer {
			var reports []report
			if json.Unmarshal(raw, &reports) == nil { // or else an error of the analyzer
				list = append(list, reports...)
			}
		}
	}
	slices.SortFunc(list, func(a, b report) int { return strings.Compare(a.Posn, b.Posn) })
	return list, nil
}
