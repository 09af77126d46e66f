package fine

import (
	"io"
	"net/http"
	"sync/atomic"
)

// Tagged tags requests; it is set up before it is used.
type Tagged struct {
	Next  http.RoundTripper
	tags  int
	label string
	sent  atomic.Int64
}

// Tag is no part of the contract.
func (t *Tagged) Tag(label string) {
	t.tags++
	t.label = label
}

func (t *Tagged) RoundTrip(req *http.Request) (*http.Response, error) {
	t.sent.Add(1)
	tries := 0
	for {
		tries++
		again := req.Clone(req.Context())
		again.Header.Set("X-Tag", t.label)
		if resp, err := t.Next.RoundTrip(again); err == nil || tries > 3 {
			return resp, err
		}
	}
}

// fakeTransport answers the requests of a test.
type fakeTransport struct{ calls int }

func (f *fakeTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	f.calls++
	return &http.Response{StatusCode: http.StatusOK, Request: req}, nil
}

var _ http.RoundTripper = &fakeTransport{}

// Ream reads at an offset, and its pages belong to who has it.
type Ream struct {
	pages []string
	turns int
}

// Turn is not one of the methods that the contract is about.
func (r *Ream) Turn() { r.turns++ }

func (r *Ream) ReadAt(p []byte, off int64) (int, error) {
	return copy(p, r.pages[off]), io.EOF
}
