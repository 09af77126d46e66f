package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers"
	"github.com/atomrace/atomrace/internal/pattern"
	"github.com/atomrace/atomrace/internal/sarif"
)

// sourceRoot is what the places in a SARIF file are relative to: code scanning
// puts the root of the repository in its place.
const sourceRoot = "%SRCROOT%"

// sarifWriter turns findings into results.
type sarifWriter struct {
	root    string            // of the module
	sources map[string][]byte // by file name, for columns
	rules   map[string]int    // index by check
	levels  map[[2]string]string
	seen    map[string]int // results with the same fingerprint so far
	run     *sarif.Run
}

// printSARIF writes the findings; broken has one line for each package that could
// not be analyzed.
func printSARIF(w io.Writer, list []*finding, broken []string) error {
	s := &sarifWriter{sources: map[string][]byte{}, rules: map[string]int{}, levels: map[[2]string]string{}, seen: map[string]int{}}
	s.root, _ = moduleRoot("")
	invocation := &sarif.Invocation{ExecutionSuccessful: true}
	s.run = &sarif.Run{
		Invocations:        []*sarif.Invocation{invocation},
		OriginalURIBaseIDs: map[string]*sarif.ArtifactLocation{sourceRoot: {Description: &sarif.Message{Text: "The root directory of the module."}}},
		ColumnKind:         "utf16CodeUnits",
		Results:            []*sarif.Result{},
	}
	s.addRules()
	for _, line := range broken {
		invocation.ExecutionSuccessful = false
		invocation.ToolExecutionNotifications = append(invocation.ToolExecutionNotifications,
			&sarif.Notification{Level: "error", Message: sarif.Message{Text: line}})
	}
	for _, d := range list {
		s.add(d)
	}
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	out.SetIndent("", "\t")
	return out.Encode(sarif.New(s.run))
}

// addRules describes every check, also those that found nothing, so that code
// scanning can tell a finding that is gone from a check that is gone.
func (s *sarifWriter) addRules() {
	s.run.Tool.Driver = sarif.Driver{Name: "atomrace", InformationURI: "https://github.com/atomrace/atomrace"}
	for _, c := range analyzers.Checks() {
		s.levels[[2]string{c.Analyzer, c.ID}] = c.Severity
		if i, ok := s.rules[c.ID]; ok { // another analyzer has it too
			full := &s.run.Tool.Driver.Rules[i].FullDescription
			full.Text += " " + c.Title + ". " + c.Text
			continue
		}
		text, _ := analyzers.Explain(c.ID)
		s.rules[c.ID] = len(s.run.Tool.Driver.Rules)
		s.run.Tool.Driver.Rules = append(s.run.Tool.Driver.Rules, &sarif.Rule{
			ID:                   c.ID,
			Name:                 pascalCase(c.ID),
			ShortDescription:     sarif.Message{Text: c.Title + "."},
			FullDescription:      sarif.Message{Text: strings.TrimSpace(c.Title + ". " + c.Text)},
			HelpURI:              analyzers.CheckURL(c.ID),
			Help:                 sarif.Message{Text: text, Markdown: analyzers.Markdown(c.ID)},
			DefaultConfiguration: &sarif.Configuration{Level: c.Severity},
			Properties:           &sarif.Properties{Tags: []string{"concurrency", "atomicity"}},
		})
	}
}

func pascalCase(id string) string {
	words := strings.Split(id, "-")
	for i, w := range words {
		words[i] = strings.ToUpper(w[:1]) + w[1:]
	}
	return strings.Join(words, "")
}

// add turns one diagnostic into a result.
func (s *sarifWriter) add(d *finding) {
	r := &sarif.Result{
		RuleID:    d.Category,
		RuleIndex: s.rules[d.Category],
		Level:     s.levels[[2]string{d.analyzer, d.Category}],
		Message:   sarif.Message{Text: d.Message},
		Locations: []*sarif.Location{s.location(d.Posn, known(d.End, d.Posn))},
	}
	for i, rel := range d.Related {
		l := s.location(rel.Posn, known(rel.End, rel.Posn))
		l.ID, l.Message = i+1, &sarif.Message{Text: rel.Message}
		r.RelatedLocations = append(r.RelatedLocations, l)
	}
	for _, fix := range d.Fixes {
		r.Fixes = append(r.Fixes, s.fix(fix))
	}
	// Without line numbers, and without the number of places: the finding stays the
	// same one when the code above it changes, or more of it is written elsewhere.
	uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI
	key := strings.Join([]string{d.Category, uri, likewise.Regexp().ReplaceAllString(d.Message, "")}, "\n")
	s.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", key, s.seen[key]))
	r.PartialFingerprints = map[string]string{"atomrace/v1": fmt.Sprintf("%x", sum[:16])}
	s.run.Results = append(s.run.Results, r)
}

// likewise is what a message says of other places.
var likewise = pattern.New(` \(likewise in [^)]*\)`)

func (s *sarifWriter) fix(fix fix) *sarif.Fix {
	f := &sarif.Fix{Description: sarif.Message{Text: fix.Message}}
	for _, e := range fix.Edits {
		l := s.location(s.position(e.Filename, e.Start), s.position(e.Filename, e.End)).PhysicalLocation
		i := slices.IndexFunc(f.ArtifactChanges, func(c *sarif.ArtifactChange) bool { return c.ArtifactLocation == l.ArtifactLocation })
		if i < 0 {
			i = len(f.ArtifactChanges)
			f.ArtifactChanges = append(f.ArtifactChanges, &sarif.ArtifactChange{ArtifactLocation: l.ArtifactLocation})
		}
		replacement := &sarif.Replacement{DeletedRegion: *l.Region}
		if e.New != "" {
			replacement.InsertedContent = &sarif.Content{Text: e.New}
		}
		f.ArtifactChanges[i].Replacements = append(f.ArtifactChanges[i].Replacements, replacement)
	}
	return f
}

// known is the end of what begins at posn, or nothing: see finding.
func known(end, posn string) string {
	if end == posn {
		return ""
	}
	return end
}

// location is the place between two positions as findings have them; without an end
// it is the rest of the line.
func (s *sarifWriter) location(posn, end string) *sarif.Location {
	file, line, column := splitPosition(posn)
	region := &sarif.Region{StartLine: max(line, 1), StartColumn: s.column(file, line, column)}
	if end != "" {
		_, line, column := splitPosition(end)
		region.EndLine, region.EndColumn = line, s.column(file, line, column)
	}
	return &sarif.Location{PhysicalLocation: sarif.PhysicalLocation{ArtifactLocation: s.artifact(file), Region: region}}
}

// position is where the byte at the offset stands.
func (s *sarifWriter) position(file string, offset int) string {
	before := s.source(file)
	before = before[:min(offset, len(before))]
	line := bytes.Count(before, []byte("\n")) + 1
	return fmt.Sprintf("%s:%d:%d", file, line, len(before)-bytes.LastIndexByte(before, '\n'))
}

func (s *sarifWriter) column(file string, line, column int) int {
	source := s.source(file)
	if source == nil {
		return 0
	}
	return sarif.Column(source, line, column)
}

// source is what the file contains; one that is gone by now leaves columns out.
func (s *sarifWriter) source(file string) []byte {
	source, ok := s.sources[file]
	if !ok {
		source, _ = os.ReadFile(file)
		s.sources[file] = source
	}
	return source
}

// artifact names a file relative to the root of the module. Files elsewhere, as
// in another module of the workspace, keep their full name.
func (s *sarifWriter) artifact(file string) sarif.ArtifactLocation {
	rel, err := filepath.Rel(s.root, file)
	if s.root == "" || err != nil || !filepath.IsLocal(rel) {
		return sarif.ArtifactLocation{URI: (&url.URL{Scheme: "file", Path: filepath.ToSlash(file)}).String()}
	}
	return sarif.ArtifactLocation{URI: (&url.URL{Path: filepath.ToSlash(rel)}).EscapedPath(), URIBaseID: sourceRoot}
}
