package broken

import (
	"net/http"
	"slices"
)

var pattern = &http.Request{Header: http.Header{}}

// A copy that is kept where others find it is not the function's own any more.
type relay struct {
	base *http.Request
}

func (g *relay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go func() {
		req := pattern
		if g.base != nil {
			req = g.base
		}
		req = req.Clone(r.Context())
		g.base = req
		if !slices.Contains(req.TransferEncoding, "identity") { // want `both pass the test of req.TransferEncoding`
			req.TransferEncoding = append(req.TransferEncoding, "identity")
		}
		_, _ = http.DefaultClient.Do(req)
	}()
}
