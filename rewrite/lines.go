package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"reflect"
	"slices"

	"github.com/dave/dst/decorator"
)

// lines compares where the tokens of the printed file stand with where they
// stood in the original. The restored tree knows, through dst, which original
// node each of its nodes came from; the parsed tree of the printed text has
// the same shape and knows where things ended up.
type lines struct {
	pass     *pass
	restorer *decorator.FileRestorer
	fset     *token.FileSet // of the printed text
	marks    []lineMark

	// Where statements, tokens and if statements of the original are in the
	// printed text; a statement begins with what was put before it.
	starts, ends map[ast.Stmt]token.Pos
	tokenAt      map[token.Pos]token.Pos
	ifs          map[*ast.IfStmt]*ast.IfStmt
}

// lineMark says that the token at an offset of the printed text belongs to a
// line and column of the original.
type lineMark struct {
	offset, physical int
	line, column     int
}

// directives are the line directives that make every token report its original
// line. The first names the file; the others only correct the line.
func (l *lines) directives(restored, parsed *ast.File) []edit {
	l.starts, l.ends = map[ast.Stmt]token.Pos{}, map[ast.Stmt]token.Pos{}
	l.tokenAt, l.ifs = map[token.Pos]token.Pos{}, map[*ast.IfStmt]*ast.IfStmt{}
	l.walk(reflect.ValueOf(restored), reflect.ValueOf(parsed), token.Position{})
	slices.SortStableFunc(l.marks, func(a, b lineMark) int { return a.offset - b.offset })
	name := l.pass.plan.file(l.pass.file.Package)
	start := l.pass.position(l.pass.file.Package)
	at := l.fset.Position(parsed.Package)
	edits := []edit{{at.Offset, fmt.Sprintf("/*line %s:%d:%d*/", name, start.Line, start.Column)}}
	shift := start.Line - at.Line // reported minus physical line
	for _, m := range l.marks {
		if m.offset > at.Offset && m.physical+shift != m.line {
			// The space keeps the directive apart from a division sign.
			edits = append(edits, edit{m.offset, fmt.Sprintf(" /*line :%d:%d*/", m.line, m.column)})
			shift = m.line - m.physical
		}
	}
	return edits
}

func (p *pass) position(pos token.Pos) token.Position {
	return p.plan.pkg.Fset.PositionFor(pos, false)
}

var (
	nodeType     = reflect.TypeFor[ast.Node]()
	positionType = reflect.TypeFor[token.Pos]()
)

// walk visits the same node in both trees. want is the original position that
// generated nodes below inherit.
func (l *lines) walk(restored, parsed reflect.Value, want token.Position) {
	if restored.Kind() == reflect.Interface {
		restored = restored.Elem()
	}
	if parsed.Kind() == reflect.Interface {
		parsed = parsed.Elem()
	}
	if !restored.IsValid() || !parsed.IsValid() || restored.IsZero() || parsed.IsZero() {
		return
	}
	restored, parsed = l.unparen(restored, parsed)
	if restored.Type() != parsed.Type() {
		return // printed differently: what is below inherits
	}
	r, ok := restored.Interface().(ast.Node)
	if !ok {
		return
	}
	n := parsed.Interface().(ast.Node)
	switch n.(type) {
	case *ast.CommentGroup, *ast.Comment:
		return
	}
	d := l.restorer.Dst.Nodes[r]
	var source ast.Node
	original := false
	if d != nil {
		source, original = l.pass.dec.Ast.Nodes[d]
		if !original {
			source = l.pass.origin[d]
		}
	}
	if source != nil && source.Pos().IsValid() {
		want = l.pass.position(source.Pos())
	}
	if _, isFile := n.(*ast.File); !isFile {
		l.mark(n.Pos(), want)
	}
	l.place(source, n)
	if original && reflect.TypeOf(source) == parsed.Type() {
		l.tokens(reflect.ValueOf(source).Elem(), parsed.Elem())
	}
	l.children(restored.Elem(), parsed.Elem(), want)
}

// place remembers where a statement of the original went.
func (l *lines) place(source ast.Node, n ast.Node) {
	s, ok := source.(ast.Stmt)
	printed, isStmt := n.(ast.Stmt)
	if !ok || !isStmt {
		return
	}
	if at, seen := l.starts[s]; !seen || printed.Pos() < at {
		l.starts[s] = printed.Pos()
	}
	l.ends[s] = max(l.ends[s], printed.End())
	from, isIf := s.(*ast.IfStmt)
	if to, ok := n.(*ast.IfStmt); ok && isIf && l.ifs[from] == nil {
		l.ifs[from] = to
	}
}

func (l *lines) children(restored, parsed reflect.Value, want token.Position) {
	for i := range restored.NumField() {
		a, b := restored.Field(i), parsed.Field(i)
		switch {
		case a.Type().Implements(nodeType):
			l.walk(a, b, want)
		case a.Kind() == reflect.Slice && a.Type().Elem().Implements(nodeType):
			if statements, ok := a.Interface().([]ast.Stmt); ok {
				a, b = reflect.ValueOf(nonEmpty(statements)), reflect.ValueOf(nonEmpty(b.Interface().([]ast.Stmt)))
			}
			if a.Len() != b.Len() || restored.Type() == reflect.TypeFor[ast.File]() && isFileIndex(restored.Type().Field(i).Name) {
				continue
			}
			for j := range a.Len() {
				l.walk(a.Index(j), b.Index(j), want)
			}
		}
	}
}

// nonEmpty leaves out the empty statements of a list, which are not printed.
func nonEmpty(list []ast.Stmt) []ast.Stmt {
	return slices.DeleteFunc(slices.Clone(list), func(s ast.Stmt) bool {
		_, ok := s.(*ast.EmptyStmt)
		return ok
	})
}

// isFileIndex says whether a field of ast.File repeats what Decls holds.
func isFileIndex(field string) bool {
	return field == "Imports" || field == "Unresolved" || field == "Comments"
}

// unparen drops parentheses that only one of the trees has: the printer leaves
// out doubled ones.
func (l *lines) unparen(restored, parsed reflect.Value) (reflect.Value, reflect.Value) {
	for restored.Type() != parsed.Type() {
		if r, ok := restored.Interface().(*ast.ParenExpr); ok {
			restored = reflect.ValueOf(r.X)
		} else if n, ok := parsed.Interface().(*ast.ParenExpr); ok {
			parsed = reflect.ValueOf(n.X)
		} else {
			break
		}
	}
	return restored, parsed
}

// tokens marks the brackets, operators and keywords inside a node: the runtime
// reports a call at its parenthesis, a return at the closing brace.
func (l *lines) tokens(source, parsed reflect.Value) {
	for i := range source.NumField() {
		if source.Type().Field(i).Type != positionType {
			continue
		}
		switch source.Type().Field(i).Name {
		case "FileStart", "FileEnd", "EndPos", "Package", "TypePos", "Semicolon", "From", "To", "ValueEnd":
			continue
		}
		from, to := token.Pos(source.Field(i).Int()), token.Pos(parsed.Field(i).Int())
		if from.IsValid() && to.IsValid() {
			l.mark(to, l.pass.position(from))
			l.tokenAt[from] = to
		}
	}
}

func (l *lines) mark(at token.Pos, want token.Position) {
	if !at.IsValid() || !want.IsValid() {
		return
	}
	here := l.fset.Position(at)
	l.marks = append(l.marks, lineMark{here.Offset, here.Line, want.Line, want.Column})
}
