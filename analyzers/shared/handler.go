package shared

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// frameworks are the types of what a web framework gives a handler instead of a request and a writer
// of its own.
var frameworks = pattern.New(`^(\*github\.com/gin-gonic/gin\.Context|\*?github\.com/labstack/echo(/v\d+)?\.Context|\*?github\.com/gofiber/fiber(/v\d+)?\.Ctx|github\.com/(gliderlabs|charmbracelet)/ssh\.Session)$`)

// requests are the types of what servers of other protocols give a handler, after a context or a writer or
// before what it answers by.
var requests = pattern.New(`^(github\.com/miekg/dns\.ResponseWriter|\*google\.golang\.org/grpc\.(Unary|Stream)ServerInfo|\*connectrpc\.com/connect\.Request\[.*\]|\*github\.com/cloudwego/hertz/pkg/app\.RequestContext)$`)

// events are what handlers of events take that each have a goroutine: func(s *discordgo.Session, m *discordgo.MessageCreate).
var events = pattern.New(`^\*github\.com/bwmarrin/discordgo\.Session \*github\.com/bwmarrin/discordgo\.\w+$`)

// takesRequest says whether one of the first three parameters is such, or all are those of an event.
func takesRequest(sig *types.Signature) bool {
	for i := range min(sig.Params().Len(), 3) {
		if requests.MatchString(types.TypeString(sig.Params().At(i).Type(), nil)) {
			return true
		}
	}
	return sig.Params().Len() == 2 && sig.Results().Len() == 0 && events.MatchString(types.TypeString(sig.Params().At(0).Type(), nil)+" "+types.TypeString(sig.Params().At(1).Type(), nil))
}

// isHandler says whether the signature is that of an HTTP handler, or of one of a web framework,
// which a server calls in a goroutine of its own for each request:
//
//	func(w http.ResponseWriter, r *http.Request)
//	func(c *gin.Context)
//	func(c echo.Context) error
//	func(s ssh.Session)
//
// The servers of DNS, gRPC, Connect, Hertz and Discord do the same for theirs.
func isHandler(sig *types.Signature) bool {
	if sig == nil || sig.Params().Len() == 0 {
		return false
	}
	first := types.TypeString(sig.Params().At(0).Type(), nil)
	if sig.Params().Len() > 1 {
		return strings.HasSuffix(first, "net/http.ResponseWriter") || takesRequest(sig)
	}
	if !frameworks.MatchString(first) {
		return false
	}
	switch sig.Results().Len() {
	case 0:
		return answersItself(first)
	case 1:
		return types.TypeString(sig.Results().At(0).Type(), nil) == "error" && !answersItself(first)
	}
	return false
}

// answersItself says whether handlers that take the type return nothing.
func answersItself(taken string) bool {
	return strings.HasSuffix(taken, "gin.Context") || strings.HasSuffix(taken, "ssh.Session")
}

// capturedByHandlers marks as shared what literals that are handlers have from the function around
// them: all requests have it in common, unless that function runs for each of them.
//
//	func Limit(most int) gin.HandlerFunc {
//		l := &limiter{most: most}
//		return func(c *gin.Context) { … l.n++ … }
//	}
//
// In tests requests come one by one.
func (r *Result) capturedByHandlers() {
	for _, b := range r.pkg.Bodies {
		lit, ok := b.Node.(*ast.FuncLit)
		if !ok || b.Parent == nil || !r.Serves(b) || r.forTests(b) || r.runsForRequests(b.Parent) {
			continue
		}
		ast.Inspect(lit.Body, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok {
				return true
			}
			v, ok := r.pkg.Info.Uses[id].(*types.Var)
			if !ok || v.IsField() || accesses.IsGlobal(v) || lit.Pos() <= v.Pos() && v.Pos() < lit.End() {
				return true
			}
			r.publish(b.Parent, v, lit)
			r.cells[v] = Shared
			r.taken(v, Shared)
			return true
		})
	}
}

// runsForRequests says whether the body, or one around it, may run once for each request.
func (r *Result) runsForRequests(b *accesses.Body) bool {
	for ; b != nil; b = b.Parent {
		if r.givenRequest(b) {
			return true
		}
		for root := range r.of[b] {
			if r.roots[root].Kind == Handler {
				return true
			}
		}
	}
	return false
}

// forTests says whether the body is in a file of tests, or in one that helps them.
func (r *Result) forTests(b *accesses.Body) bool {
	for _, file := range r.pkg.Files {
		if file.Pos() <= b.Node.Pos() && b.Node.Pos() < file.End() {
			return slices.ContainsFunc(file.Imports, func(i *ast.ImportSpec) bool {
				return i.Path.Value == `"testing"` || i.Path.Value == `"net/http/httptest"`
			})
		}
	}
	return false
}
