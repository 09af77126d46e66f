package shared

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// askedFields are the fields of structs, by their full names, whose functions are called for each connection or
// request that comes, or by each goroutine that uses the value.
var askedFields = map[string][]string{
	"crypto/tls.Config":                         {"GetCertificate", "GetConfigForClient"},
	"net/http.Transport":                        {"Proxy", "DialContext", "Dial", "DialTLS", "DialTLSContext"},
	"net/http.Server":                           {"ConnState", "ConnContext"},
	"net/http/httputil.ReverseProxy":            {"Director", "Rewrite", "ModifyResponse", "ErrorHandler"},
	"sync.Pool":                                 {"New"},
	"github.com/gorilla/websocket.Upgrader":     {"CheckOrigin", "Error"},
	"golang.org/x/crypto/acme/autocert.Manager": {"HostPolicy"},
}

// givenToServers adds the literals and methods that the package puts into such a field, unless it does so for
// one request:
//
//	&http.Transport{DialContext: d.dial}
//	config.GetCertificate = c.get
func (r *Result) givenToServers() {
	given := func(b *accesses.Body, of types.Type, field string, value ast.Expr) {
		tn := accesses.TypeName(of)
		if tn == nil || tn.Pkg() == nil || !slices.Contains(askedFields[tn.Pkg().Path()+"."+tn.Name()], field) || r.givenRequest(b) || r.forTests(b) {
			return
		}
		switch e := ast.Unparen(value).(type) {
		case *ast.FuncLit:
			r.remote[r.pkg.ByNode[e]] = true
		case *ast.SelectorExpr:
			if fn, ok := r.pkg.Info.Uses[e.Sel].(*types.Func); ok && r.pkg.ByFunc[fn.Origin()] != nil {
				r.remote[r.pkg.ByFunc[fn.Origin()]] = true
			}
		}
	}
	for _, b := range r.pkg.Bodies {
		ast.Inspect(b.Block, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false // a body of its own
			case *ast.CompositeLit:
				for _, e := range n.Elts {
					if kv, ok := e.(*ast.KeyValueExpr); ok {
						if key, ok := kv.Key.(*ast.Ident); ok {
							given(b, r.pkg.Info.TypeOf(n), key.Name, kv.Value)
						}
					}
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if sel, ok := ast.Unparen(l).(*ast.SelectorExpr); ok && len(n.Lhs) == len(n.Rhs) {
						given(b, r.pkg.Info.TypeOf(sel.X), sel.Sel.Name, n.Rhs[i])
					}
				}
			}
			return true
		})
	}
}
