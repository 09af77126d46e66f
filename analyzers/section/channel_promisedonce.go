package section

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// promisedOnce says whether the comment of the method's type says of it by its name that it is called
// once, or that of the method in an interface which the type implements.
func (s *search) promisedOnce(fn *types.Func) bool {
	tn := accesses.TypeName(fn.Signature().Recv().Type())
	if tn == nil {
		return false
	}
	text := s.commentOf(tn)
	for clause := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(".,;:()", r) }) {
		if slices.Contains(strings.FieldsFunc(clause, notInName), fn.Name()) && saysOnce(clause) && !oftenDoc.MatchString(text) {
			return true
		}
	}
	for i := range s.namedInterfaces() {
		m, _, _ := types.LookupFieldOrMethod(i, false, s.pkg.Types, fn.Name())
		if m != nil && types.Implements(types.NewPointer(tn.Type()), i.Underlying().(*types.Interface)) && saysOnce(s.commentOf(m)) {
			return true
		}
	}
	return false
}

func notInName(r rune) bool {
	return r != '_' && (r < '0' || '9' < r) && (r < 'A' || 'Z' < r) && (r < 'a' || 'z' < r)
}

func saysOnce(text string) bool { return onceDoc.MatchString(text) && !oftenDoc.MatchString(text) }

var onceDoc = pattern.New(`(?i)\b(call\w*|clos\w+|stop\w*|end\w*|only|exactly|at most|just)\b[^.]*\bonce\b|\bonce only\b|\bone (caller|goroutine)\b`)

// oftenDoc is what speaks against it.
var oftenDoc = pattern.New(`(?i)more than once|at least once|\bnot\b[^.]*\bonce\b|\btwice\b|\bonce (it|the|all|that|everything)\b`)

// commentOf is the comment of a type of the package, or of a method of one of its interfaces.
func (s *search) commentOf(obj types.Object) string {
	if s.comments == nil {
		s.comments = map[types.Object]string{}
		for _, file := range s.pkg.Files {
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.GenDecl:
					for _, spec := range n.Specs {
						if ts, ok := spec.(*ast.TypeSpec); ok && len(n.Specs) == 1 {
							s.comments[s.pkg.Info.Defs[ts.Name]] = plainText(n.Doc)
						}
					}
				case *ast.TypeSpec:
					if n.Doc != nil {
						s.comments[s.pkg.Info.Defs[n.Name]] = plainText(n.Doc)
					}
				case *ast.InterfaceType:
					for _, m := range n.Methods.List {
						for _, id := range m.Names {
							s.comments[s.pkg.Info.Defs[id]] = plainText(m.Doc) + plainText(m.Comment)
						}
					}
				case *ast.BlockStmt:
					return false
				}
				return true
			})
		}
	}
	return s.comments[obj]
}

func plainText(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
