package report

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Source reads excerpts from the files beneath one directory. A log may come from
// anywhere and name any file: nothing else is opened.
type Source struct {
	root  *os.Root
	dir   string
	files map[string]*sourceFile
}

type sourceFile struct {
	lines    [][]byte // nil: not to be had
	modified time.Time
}

// maxSource bounds the size of a source file in bytes.
const maxSource = 8 << 20

// OpenSource opens the directory.
func OpenSource(dir string) (*Source, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(abs)
	if err != nil {
		return nil, err
	}
	return &Source{root: root, dir: abs, files: map[string]*sourceFile{}}, nil
}

// Close closes the directory.
func (s *Source) Close() error { return s.root.Close() }

// Shorten names the files of the violations beneath the directory relative to it.
func (s *Source) Shorten(l *Log) {
	prefix := s.dir + string(filepath.Separator)
	short := func(file *string) { *file = strings.TrimPrefix(*file, prefix) }
	for _, v := range l.Violations {
		for i := range v.Accesses {
			a := &v.Accesses[i]
			short(&a.File)
			for j := range a.Stack {
				short(&a.Stack[j].File)
			}
			if a.Created != nil {
				short(&a.Created.File)
			}
		}
	}
}

// Excerpt is a few lines around accesses of one file.
type Excerpt struct {
	File     string
	Lines    []SourceLine
	Doubtful bool // the file was changed after the report, or does not look like it
}

// SourceLine is one line of an Excerpt.
type SourceLine struct {
	Number int // 0: lines are left out here
	Text   string
	Roles  []string // of the accesses on it
}

// around is the number of lines shown above and below an access.
const around = 3

// Excerpts are the lines around the accesses of v, a file each.
func (s *Source) Excerpts(v *Violation) []Excerpt {
	var all []Excerpt
	for _, a := range v.Accesses {
		f := s.file(a.File)
		if a.Line > len(f.lines) {
			continue
		}
		i := slices.IndexFunc(all, func(e Excerpt) bool { return e.File == a.File })
		if i < 0 {
			i = len(all)
			all = append(all, Excerpt{File: a.File, Doubtful: f.modified.After(v.Time)})
		}
		all[i].add(f, a)
		all[i].Doubtful = all[i].Doubtful || !bytes.Contains(f.lines[a.Line-1], []byte(v.lastName(&a)))
	}
	for i := range all {
		all[i].join()
	}
	return all
}

// add shows a and what is around it.
func (e *Excerpt) add(f *sourceFile, a Access) {
	for n := max(a.Line-around, 1); n <= min(a.Line+around, len(f.lines)); n++ {
		i, found := slices.BinarySearchFunc(e.Lines, n, func(l SourceLine, n int) int { return l.Number - n })
		if !found {
			text := strings.ReplaceAll(strings.ToValidUTF8(string(f.lines[n-1]), "\uFFFD"), "\t", "    ")
			e.Lines = slices.Insert(e.Lines, i, SourceLine{Number: n, Text: text})
		}
		if n == a.Line && !slices.Contains(e.Lines[i].Roles, a.Role) {
			e.Lines[i].Roles = append(e.Lines[i].Roles, a.Role)
		}
	}
}

// join marks the gaps between the lines shown.
func (e *Excerpt) join() {
	for i := len(e.Lines) - 1; i > 0; i-- {
		if e.Lines[i].Number > e.Lines[i-1].Number+1 {
			e.Lines = slices.Insert(e.Lines, i, SourceLine{})
		}
	}
}

// file finds a source file by the name in a report: a path beneath the directory,
// or, for a program that was built elsewhere or with -trimpath, the longest end
// of the path that exists there.
func (s *Source) file(name string) *sourceFile {
	if f := s.files[name]; f != nil {
		return f
	}
	f := new(sourceFile)
	s.files[name] = f
	if filepath.Ext(name) != ".go" {
		return f
	}
	rel := filepath.FromSlash(name)
	if in, err := filepath.Rel(s.dir, rel); err == nil && filepath.IsAbs(rel) && filepath.IsLocal(in) {
		s.load(f, in)
		return f
	}
	rel = strings.TrimPrefix(rel, filepath.VolumeName(rel))
	for rel = strings.TrimLeft(rel, `/\`); rel != ""; {
		if s.load(f, rel) {
			return f
		}
		_, rest, ok := strings.Cut(rel, string(filepath.Separator))
		if !ok {
			break
		}
		rel = rest
	}
	return f
}

func (s *Source) load(f *sourceFile, rel string) bool {
	if !filepath.IsLocal(rel) {
		return false
	}
	info, err := s.root.Stat(rel)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxSource {
		return false
	}
	data, err := s.root.ReadFile(rel)
	if err != nil {
		return false
	}
	f.modified = info.ModTime()
	f.lines = bytes.Split(bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n")), []byte("\n"))
	return true
}
