package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// row is a line of the table of modules.
type row struct {
	module          string
	packages, lines int
	reports         int
	seconds         float64
	peak            int64 // MiB
	broken          int   // lines about packages that do not type-check
}

func (r *row) add(s row) {
	r.module = "all"
	r.packages += s.packages
	r.lines += s.lines
	r.reports += s.reports
	r.seconds += s.seconds
	r.peak = max(r.peak, s.peak)
	r.broken += s.broken
}

func (r row) String() string {
	broken := ""
	if r.broken > 0 {
		broken = fmt.Sprintf(" (%d with errors)", r.broken)
	}
	return fmt.Sprintf("| %s | %d%s | %d | %d | %.2f | %.1f | %d |", strings.Replace(r.module, "@", " ", 1), r.packages, broken, r.lines, r.reports, float64(r.reports)*1e4/float64(max(r.lines, 1)), r.seconds, r.peak)
}

// report is one diagnostic; end is the line of its second position.
type report struct {
	module, file   string
	line, end      int
	check, message string
}

func (r report) String() string {
	return fmt.Sprintf("%s %s:%d-%d [%s] %s", r.module, r.file, r.line, r.end, r.check, r.message)
}

// parse reads the output of atomrace check -json, with files relative to dir.
func parse(out []byte, dir, module string) ([]report, error) {
	var tree map[string]map[string]json.RawMessage
	if err := json.Unmarshal(out, &tree); err != nil {
		return nil, fmt.Errorf("its output cannot be read: %w", err)
	}
	var list []report
	for _, analyzers := range tree {
		for _, raw := range analyzers {
			var diagnostics []struct {
				Category, Posn, Message string
				Related                 []struct{ Posn string }
			}
			if err := json.Unmarshal(raw, &diagnostics); err != nil {
				return nil, fmt.Errorf("an analyzer failed: %s", raw)
			}
			for _, d := range diagnostics {
				r := report{module: module, check: d.Category, message: d.Message}
				r.file, r.line = position(d.Posn, dir)
				r.end = r.line
				if n := len(d.Related); n > 0 {
					_, r.end = position(d.Related[n-1].Posn, dir)
				}
				list = append(list, r)
			}
		}
	}
	slices.SortFunc(list, func(a, b report) int {
		return cmp.Or(strings.Compare(a.file, b.file), cmp.Compare(a.line, b.line), cmp.Compare(a.end, b.end), strings.Compare(a.check+a.message, b.check+b.message))
	})
	return slices.Compact(list), nil
}

var lineColumn = regexp.MustCompile(`^(.*):(\d+):\d+$`)

func position(posn, dir string) (file string, line int) {
	m := lineColumn.FindStringSubmatch(posn)
	if m == nil {
		return posn, 0
	}
	line, _ = strconv.Atoi(m[2])
	if rel, err := filepath.Rel(dir, m[1]); err == nil {
		return rel, line
	}
	return m[1], line
}

// sources lists the files, tests left aside, of which the packages are built.
func sources(dir, pattern string) (files []string, packages int, err error) {
	cmd := exec.Command("go", "list", "-e", "-json=Dir,GoFiles,CgoFiles", pattern)
	cmd.Dir = dir
	if pattern != "std" {
		cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	}
	out, err := cmd.Output()
	if err != nil {
		return nil, 0, fmt.Errorf("go list: %w", err)
	}
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); {
		var p struct {
			Dir               string
			GoFiles, CgoFiles []string
		}
		if err := dec.Decode(&p); err != nil {
			return nil, 0, err
		}
		packages++
		for _, f := range append(p.GoFiles, p.CgoFiles...) {
			files = append(files, filepath.Join(p.Dir, f))
		}
	}
	return files, packages, nil
}

var generated = regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`)

// lines counts the lines of a file that a person wrote.
func lines(file string) (int, error) {
	text, err := os.ReadFile(file)
	if err != nil || generated.Match(text) {
		return 0, err
	}
	return bytes.Count(text, []byte("\n")), nil
}
