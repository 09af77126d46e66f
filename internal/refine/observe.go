package refine

import (
	"bufio"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
	"github.com/atomrace/atomrace/internal/curate"
	"github.com/atomrace/atomrace/internal/report"
)

// Places knows where the ends of sections stand in the source.
type Places struct {
	sections map[string]*located
}

// located is a section in the source; its positions are "import/path/file.go" with
// line and column.
type located struct {
	section *atomicity.Section
	entry   position
	ends    []position
}

type position struct {
	file         string
	line, column int
}

// Locate finds the candidates of spec in the code. Those that are not there are
// left out.
func Locate(spec *atomicity.Spec, code curate.Code) *Places {
	p := &Places{sections: map[string]*located{}}
	for place := range spec.All() {
		if place.Section.Status != atomicity.Candidate {
			continue
		}
		for _, pkg := range code.Packages[place.Package.Path] {
			entry, ends, ok := curate.Locate(pkg, place)
			if !ok {
				continue
			}
			l := &located{section: place.Section, entry: at(pkg, entry)}
			for _, e := range ends {
				l.ends = append(l.ends, at(pkg, e))
			}
			p.sections[place.Section.ID] = l
			break
		}
	}
	return p
}

// Entry returns file and line of the entry of a section, as noise_at wants them;
// empty if it is not in the code.
func (p *Places) Entry(section string) string {
	l := p.sections[section]
	if l == nil {
		return ""
	}
	return fmt.Sprintf("%s:%d", path.Base(l.entry.file), l.entry.line)
}

func at(pkg *access.Package, a *access.Access) position {
	pos := pkg.Fset.Position(a.Pos())
	return position{path.Join(pkg.Types.Path(), filepath.Base(pos.Filename)), pos.Line, pos.Column}
}

// Broken returns the ends at which the violations of a log ended, each once.
func (p *Places) Broken(violations []*report.Violation) []End {
	var ends []End
	for _, v := range violations {
		l := p.sections[v.Section]
		if l == nil {
			continue
		}
		for _, a := range v.Accesses {
			if a.Role != "end" {
				continue
			}
			if e := (End{v.Section, l.endAt(a)}); e.Index >= 0 && !slices.Contains(ends, e) {
				ends = append(ends, e)
			}
		}
	}
	return ends
}

// endAt returns the end that an access of a report is: the one at its place or,
// where the place is not told, the only one with its code.
func (l *located) endAt(a report.Access) int {
	found := -1
	for i, e := range l.section.Ends {
		if e.Access.Names()[0] != a.Mode && a.Mode != "read-write" {
			continue
		}
		if l.ends[i].line == a.Line && (l.ends[i].column == a.Column || a.Column == 0) {
			return i
		}
		if atomicity.SameCode(e.Code, a.Code) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	return found
}

// Ran returns the ends that a coverage profile has as executed together with
// their entry.
func (p *Places) Ran(profile io.Reader) ([]End, error) {
	blocks, err := readProfile(profile)
	if err != nil {
		return nil, err
	}
	var ends []End
	for id, l := range p.sections {
		for i, e := range l.ends {
			if blocks.ran(l.entry) && blocks.ran(e) {
				ends = append(ends, End{id, i})
			}
		}
	}
	return ends, nil
}

// block is a stretch of code that was executed.
type block struct{ line, column, endLine, endColumn int }

// executed has the executed blocks of each file.
type executed map[string][]block

// readProfile reads the text form of a coverage profile.
func readProfile(r io.Reader) (executed, error) {
	blocks := executed{}
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		text := lines.Text()
		if strings.HasPrefix(text, "mode:") {
			continue
		}
		file, rest, _ := strings.Cut(text, ".go:")
		var b block
		var statements, count int
		if _, err := fmt.Sscanf(rest, "%d.%d,%d.%d %d %d", &b.line, &b.column, &b.endLine, &b.endColumn, &statements, &count); err != nil {
			return nil, fmt.Errorf("coverage profile: %q: %w", text, err)
		}
		if count > 0 {
			blocks[file+".go"] = append(blocks[file+".go"], b)
		}
	}
	return blocks, lines.Err()
}

func (x executed) ran(p position) bool {
	return slices.ContainsFunc(x[p.file], func(b block) bool {
		return (b.line < p.line || b.line == p.line && b.column <= p.column) &&
			(p.line < b.endLine || p.line == b.endLine && p.column <= b.endColumn)
	})
}
