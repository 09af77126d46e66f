package rewrite

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"go/ast"
	"go/token"
	"slices"
)

// The cover tool inserts counters into source text, at the starts of blocks and
// statements, and counts the statements it sees. Run on rewritten source it
// would count those that the rewriter made. So it is run on the original, and
// what it inserts there is moved to the same places of the rewritten file
// (coverproxy). Blocks, positions and counts are the original's by
// construction.

// A coverPoint is a place of the original at which the cover tool may insert
// text, and where that place is in the rewritten file.
type coverPoint struct {
	from, to int // byte offsets
	kind     byte
}

const (
	pointPlain     = '.'
	pointOpen      = '{' // after else, where the tool opens a block
	pointClose     = '}' // where it closes it
	pointSeparated = ';' // the text needs a semicolon before it
)

// wantedPoint is a coverPoint that has still to be found in the rewritten file.
type wantedPoint struct {
	from int
	kind byte
	to   func() token.Pos
}

// coverPoints lists the places in the order of the original.
func (l *lines) coverPoints(source []byte, printed []byte, root *ast.File) ([]coverPoint, error) {
	w := &pointWalker{lines: l, source: source, printed: printed, tokens: l.pass.plan.pkg.Fset.File(l.pass.file.Package)}
	w.add(l.pass.file.Name.End(), pointPlain, func() token.Pos { return root.Name.End() })
	ast.Inspect(l.pass.file, w.visit)
	slices.SortStableFunc(w.wanted, func(a, b wantedPoint) int { return cmp.Compare(a.from, b.from) })
	points := make([]coverPoint, 0, len(w.wanted))
	for i, x := range w.wanted {
		if i > 0 && x.kind == pointPlain && w.wanted[i-1].kind == pointPlain && w.wanted[i-1].from == x.from {
			continue
		}
		to := x.to()
		if !to.IsValid() {
			return nil, fmt.Errorf("line %d: no place for a coverage counter in the rewritten file", w.tokens.Line(w.tokens.Pos(x.from)))
		}
		points = append(points, coverPoint{x.from, l.fset.Position(to).Offset, x.kind})
	}
	return points, nil
}

type pointWalker struct {
	lines           *lines
	source, printed []byte
	tokens          *token.File // of the original
	wanted          []wantedPoint
}

func (w *pointWalker) add(from token.Pos, kind byte, to func() token.Pos) {
	w.wanted = append(w.wanted, wantedPoint{w.tokens.Offset(from), kind, to})
}

// token adds the place n bytes behind a token that has one original position.
func (w *pointWalker) token(at token.Pos) {
	w.add(at+1, pointPlain, func() token.Pos {
		if to := w.lines.tokenAt[at]; to.IsValid() {
			return to + 1
		}
		return token.NoPos
	})
}

func (w *pointWalker) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Name.Name != "_" // cannot run, so has no counters
	case *ast.BlockStmt:
		if len(n.List) == 0 || !isClause(n.List[0]) {
			w.token(n.Lbrace)
			w.statements(n.List, n.Rbrace)
		}
	case *ast.CaseClause:
		w.token(n.Colon)
		w.statements(n.Body, token.NoPos)
	case *ast.CommClause:
		w.token(n.Colon)
		w.statements(n.Body, token.NoPos)
	case *ast.IfStmt:
		w.elseBlock(n)
	}
	return true
}

// statements adds the starts of the statements of a list, which the brace
// closes if it is a block's.
func (w *pointWalker) statements(list []ast.Stmt, brace token.Pos) {
	for i, s := range list {
		if e, ok := s.(*ast.EmptyStmt); ok {
			if !e.Implicit {
				w.empty(e, list[:i], list[i+1:], brace)
			}
			continue
		}
		w.start(s)
		for {
			label, ok := s.(*ast.LabeledStmt)
			if !ok {
				break
			}
			s = label.Stmt
			w.start(s)
		}
	}
}

func (w *pointWalker) start(s ast.Stmt) {
	w.add(s.Pos(), pointPlain, func() token.Pos { return w.lines.starts[s] })
}

// empty adds the place of an empty statement, which is not printed: what comes
// next stands there, or the end of the list.
func (w *pointWalker) empty(e *ast.EmptyStmt, before, after []ast.Stmt, brace token.Pos) {
	w.add(e.Pos(), pointSeparated, func() token.Pos {
		for _, s := range after {
			if _, ok := s.(*ast.EmptyStmt); !ok {
				return w.lines.starts[s]
			}
		}
		if brace.IsValid() {
			return w.lines.tokenAt[brace]
		}
		for i := len(before) - 1; i >= 0; i-- {
			if _, ok := before[i].(*ast.EmptyStmt); !ok {
				return w.lines.ends[before[i]]
			}
		}
		return token.NoPos
	})
}

// elseBlock adds the places of the block that the cover tool makes around what
// follows else.
func (w *pointWalker) elseBlock(n *ast.IfStmt) {
	if n.Else == nil {
		return
	}
	from := findElse(w.source, w.tokens.Offset(n.Body.End()))
	if from < 0 {
		return
	}
	opens := func(behind token.Pos) func() token.Pos {
		return func() token.Pos {
			printed := w.lines.ifs[n]
			if printed == nil {
				return token.NoPos
			}
			to := findElse(w.printed, w.lines.fset.Position(printed.Body.End()).Offset)
			if to < 0 {
				return token.NoPos
			}
			return w.lines.fset.File(printed.Pos()).Pos(to) + behind
		}
	}
	at := w.tokens.Pos(from)
	w.add(at+4, pointOpen, opens(4))
	w.add(at+5, pointPlain, opens(5))
	w.add(n.Else.End(), pointClose, func() token.Pos {
		if printed := w.lines.ifs[n]; printed != nil && printed.Else != nil {
			return printed.Else.End()
		}
		return token.NoPos
	})
}

// findElse is the offset of the next else that is not in a comment.
func findElse(text []byte, i int) int {
	for i < len(text) {
		rest := text[i:]
		end := -1
		switch {
		case bytes.HasPrefix(rest, []byte("else")):
			return i
		case bytes.HasPrefix(rest, []byte("//")):
			end = bytes.IndexByte(rest, '\n')
		case bytes.HasPrefix(rest, []byte("/*")):
			end = bytes.Index(rest, []byte("*/")) + 1
		default:
			end = 0
		}
		if end < 0 {
			return -1
		}
		i += end + 1
	}
	return -1
}

// coverFile is what the proxy of the cover tool reads: the digest of the
// original, and the points with their places in the text after the edits.
func coverFile(source []byte, points []coverPoint, edits []edit) []byte {
	sortByOffset(edits)
	sum := sha256.Sum256(source)
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\n", hex.EncodeToString(sum[:]))
	for _, p := range points {
		shift := 0
		for _, e := range edits {
			if e.offset >= p.to {
				break
			}
			shift += len(e.text)
		}
		fmt.Fprintf(&b, "%d %d %c\n", p.from, p.to+shift, p.kind)
	}
	return b.Bytes()
}
