package fine

import (
	"net/http"
	"slices"
)

var defaultHeaders = &http.Request{Header: http.Header{}}

// A request of its own is nobody else's, whatever the variable referred to before.
type gateway struct {
	base *http.Request
	hits int
}

func (g *gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	go func() {
		req := defaultHeaders
		if g.base != nil {
			req = g.base
		}
		req = req.Clone(r.Context())
		if !slices.Contains(req.TransferEncoding, "identity") {
			req.TransferEncoding = append(req.TransferEncoding, "identity")
		}
		_, _ = http.DefaultClient.Do(req)
	}()
}
