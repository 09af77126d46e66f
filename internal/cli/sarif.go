package cli

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/token"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"

	"github.com/atomrace/atomrace/analyzers"
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

// printSARIF writes the findings of the graph's roots; broken has one line for
// each package that could not be analyzed.
func printSARIF(w io.Writer, graph *checker.Graph, broken []string) error {
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
	for act := range graph.All() {
		if act.Err != nil {
			broken = append(broken, fmt.Sprintf("%s: %v", act, act.Err))
		}
	}
	for _, line := range broken {
		invocation.ExecutionSuccessful = false
		invocation.ToolExecutionNotifications = append(invocation.ToolExecutionNotifications,
			&sarif.Notification{Level: "error", Message: sarif.Message{Text: line}})
	}
	done := map[string]bool{} // a file can belong to several packages
	for _, act := range graph.Roots {
		for _, d := range act.Diagnostics {
			key := fmt.Sprint(act.Package.Fset.Position(d.Pos), act.Analyzer.Name, d.Message)
			if !done[key] {
				done[key] = true
				s.add(act.Package.Fset, act.Analyzer.Name, d)
			}
		}
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
func (s *sarifWriter) add(fset *token.FileSet, analyzer string, d analysis.Diagnostic) {
	r := &sarif.Result{
		RuleID:    d.Category,
		RuleIndex: s.rules[d.Category],
		Level:     s.levels[[2]string{analyzer, d.Category}],
		Message:   sarif.Message{Text: d.Message},
		Locations: []*sarif.Location{s.location(fset, d.Pos, d.End)},
	}
	for i, rel := range d.Related {
		l := s.location(fset, rel.Pos, rel.End)
		l.ID, l.Message = i+1, &sarif.Message{Text: rel.Message}
		r.RelatedLocations = append(r.RelatedLocations, l)
	}
	for _, fix := range d.SuggestedFixes {
		r.Fixes = append(r.Fixes, s.fix(fset, fix))
	}
	// Without line numbers: the finding stays the same one when the code
	// above it changes.
	uri := r.Locations[0].PhysicalLocation.ArtifactLocation.URI
	key := strings.Join([]string{d.Category, uri, d.Message}, "\n")
	s.seen[key]++
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%d", key, s.seen[key]))
	r.PartialFingerprints = map[string]string{"atomrace/v1": fmt.Sprintf("%x", sum[:16])}
	s.run.Results = append(s.run.Results, r)
}

func (s *sarifWriter) fix(fset *token.FileSet, fix analysis.SuggestedFix) *sarif.Fix {
	f := &sarif.Fix{Description: sarif.Message{Text: fix.Message}}
	for _, e := range fix.TextEdits {
		l := s.location(fset, e.Pos, e.End).PhysicalLocation
		i := slices.IndexFunc(f.ArtifactChanges, func(c *sarif.ArtifactChange) bool { return c.ArtifactLocation == l.ArtifactLocation })
		if i < 0 {
			i = len(f.ArtifactChanges)
			f.ArtifactChanges = append(f.ArtifactChanges, &sarif.ArtifactChange{ArtifactLocation: l.ArtifactLocation})
		}
		replacement := &sarif.Replacement{DeletedRegion: *l.Region}
		if len(e.NewText) > 0 {
			replacement.InsertedContent = &sarif.Content{Text: string(e.NewText)}
		}
		f.ArtifactChanges[i].Replacements = append(f.ArtifactChanges[i].Replacements, replacement)
	}
	return f
}

func (s *sarifWriter) location(fset *token.FileSet, pos, end token.Pos) *sarif.Location {
	from := fset.Position(pos)
	region := &sarif.Region{StartLine: max(from.Line, 1), StartColumn: s.column(from)}
	if end.IsValid() {
		to := fset.Position(end)
		region.EndLine, region.EndColumn = to.Line, s.column(to)
	}
	return &sarif.Location{PhysicalLocation: sarif.PhysicalLocation{ArtifactLocation: s.artifact(from.Filename), Region: region}}
}

func (s *sarifWriter) column(p token.Position) int {
	source, ok := s.sources[p.Filename]
	if !ok {
		// A file that is gone by now leaves the column out.
		source, _ = os.ReadFile(p.Filename)
		s.sources[p.Filename] = source
	}
	if source == nil {
		return 0
	}
	return sarif.Column(source, p.Line, p.Column)
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
