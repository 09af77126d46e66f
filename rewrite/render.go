package rewrite

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/format"
	"go/parser"
	"go/token"
	"go/version"
	"os"
	"strconv"
	"strings"

	"github.com/dave/dst/decorator"
)

// render prints the rewritten file. For the compiler, line directives give
// every token the line it has in the original; for people there are none. The
// second result tells the proxy of the cover tool what is where.
func (p *pass) render(o Options, home []*tables) (out, cover []byte, err error) {
	for _, t := range home {
		p.usesHeal = p.usesHeal || !t.empty()
	}
	tail := p.tail(o, home)
	restorer := decorator.NewRestorer().FileRestorer()
	restored, err := restorer.RestoreFile(p.root)
	if err != nil {
		return nil, nil, err
	}
	var b bytes.Buffer
	if err := format.Node(&b, restorer.Fset, restored); err != nil {
		return nil, nil, fmt.Errorf("printing the rewritten file: %w", err)
	}
	text := b.Bytes()
	if p.isOld() {
		text = raiseVersion(text, genericsVersion)
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, fmt.Errorf("the rewritten file does not parse: %w", err)
	}
	edits := []edit{{fset.Position(file.Name.End()).Offset, p.imports(o)}}
	if o.Readable {
		out, err = format.Source(append(apply(text, edits), tail...))
		return out, nil, err
	}
	l := lines{pass: p, restorer: restorer, fset: fset}
	edits = append(edits, l.directives(restored, file)...)
	if p.plan.control || p.plan.thin { // coverage is not counted in these builds
		return append(apply(text, edits), tail...), nil, nil
	}
	source, err := os.ReadFile(p.plan.file(p.file.Package))
	if err != nil {
		return nil, nil, err
	}
	points, err := l.coverPoints(source, text, file)
	if err != nil {
		return nil, nil, err
	}
	return append(apply(text, edits), tail...), coverFile(source, points, edits), nil
}

// imports is the text that brings the runtime into the file, after the package
// clause: on its line, unless for people.
func (p *pass) imports(o Options) string {
	path, open, sep, end := o.shadowRuntime(), "; import (", "; ", ")"
	if o.Readable {
		path, open, sep, end = o.healImport(), "\n\n"+rewrittenMark+rewrittenText+"\n\nimport (\n", "\n", "\n)\n"
	}
	var specs []string
	if p.usesHeal {
		specs = append(specs, p.plan.runtimeName()+" "+strconv.Quote(path))
	}
	if p.usesPtr {
		specs = append(specs, unsafeName+` "unsafe"`)
	}
	if p.usesTesting {
		specs = append(specs, testingName+` "testing"`)
	}
	if len(specs) == 0 {
		return ""
	}
	return open + strings.Join(specs, sep) + end
}

// tail is what follows the file's own declarations.
func (p *pass) tail(o Options, home []*tables) string {
	var b strings.Builder
	for _, t := range home {
		if p.plan.control {
			b.WriteString("\n" + t.controlSource(p.plan.pkg.PkgPath))
		} else {
			b.WriteString("\n" + t.source())
			p.usesPtr = p.usesPtr || t.usesUnsafe()
		}
	}
	for _, name := range p.kept {
		fmt.Fprintf(&b, "\nvar _ = %s\n", name)
	}
	isMain := p.plan.pkg.Name == "main" && p.declaresMain()
	isTest := p.plan.isTest(p.file.Package)
	if p.file == p.plan.testMain {
		p.usesHeal, p.usesTesting = true, true
		fmt.Fprintf(&b, "\nfunc TestMain(m *%s.M) { %s.RunTests(m) }\n", testingName, healName)
	}
	if o.Defaults != "" && (isMain || isTest) {
		p.usesHeal = true
		fmt.Fprintf(&b, "\nfunc init() { %s.Defaults(%q) }\n", healName, o.Defaults)
	}
	return b.String()
}

func (p *pass) declaresMain() bool {
	for _, d := range p.file.Decls {
		if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "main" {
			return true
		}
	}
	return false
}

// isOld says whether the module's language version has no generics.
func (p *pass) isOld() bool {
	m := p.plan.pkg.Module
	if m == nil {
		return false
	}
	return m.GoVersion == "" || version.Compare("go"+m.GoVersion, "go1.18") < 0
}

// genericsVersion is the first language version that a build constraint may ask
// for in an older module. The hooks are generic; it is before 1.22, which would
// change the meaning of loop variables.
const genericsVersion = "go1.21"

// raiseVersion sets the file's language version by a build constraint.
func raiseVersion(text []byte, want string) []byte {
	all := strings.SplitAfter(string(text), "\n")
	found := false
	for i, line := range all {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "package "):
			if !found {
				return append([]byte("//go:build "+want+"\n\n"), strings.Join(all, "")...)
			}
			return []byte(strings.Join(all, ""))
		case constraint.IsGoBuild(trimmed):
			if e, err := constraint.Parse(trimmed); err == nil {
				found = true
				all[i] = "//go:build " + (&constraint.AndExpr{X: e, Y: &constraint.TagExpr{Tag: want}}).String() + "\n"
			}
		case constraint.IsPlusBuild(trimmed):
			all[i] = "//\n" // would contradict the line above it
		}
	}
	return text
}

// edit inserts text at an offset.
type edit struct {
	offset int
	text   string
}

func apply(text []byte, edits []edit) []byte {
	sortByOffset(edits)
	var b bytes.Buffer
	at := 0
	for _, e := range edits {
		b.Write(text[at:e.offset])
		b.WriteString(e.text)
		at = e.offset
	}
	b.Write(text[at:])
	return b.Bytes()
}
