package broken

import (
	"context"
	"crypto/tls"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
)

// Numbered numbers the requests that go through it. Its contract lets them come from several
// goroutines.
type Numbered struct {
	Next http.RoundTripper
	sent int
	by   map[string]int
}

func (n *Numbered) RoundTrip(req *http.Request) (*http.Response, error) {
	n.sent++         // want `two goroutines can both read n.sent before either stores it, and one update is lost`
	n.by[req.Host]++ // want `two goroutines can both read n.by\[req.Host\] before either stores it`
	again := req.Clone(req.Context())
	again.Header.Set("X-Number", strconv.Itoa(n.sent))
	return n.Next.RoundTrip(again)
}

// Alarms counts the errors of a log.
type Alarms struct {
	slog.Handler
	seen int
}

func (a *Alarms) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelError {
		a.seen++ // want `two goroutines can both read a.seen before either stores it`
	}
	return a.Handler.Handle(ctx, r)
}

// Biscuits keeps what the last server has set.
type Biscuits struct {
	kept []*http.Cookie
	sets int
}

func (b *Biscuits) SetCookies(u *url.URL, cookies []*http.Cookie) {
	b.sets++ // want `two goroutines can both read b.sets before either stores it`
	b.kept = cookies
}

func (b *Biscuits) Cookies(u *url.URL) []*http.Cookie { return b.kept }

// Resumed counts the sessions that are taken up again.
type Resumed struct {
	tls.ClientSessionCache
	hits int
}

func (r *Resumed) Get(key string) (*tls.ClientSessionState, bool) {
	r.hits++ // want `two goroutines can both read r.hits before either stores it`
	return r.ClientSessionCache.Get(key)
}

// Microfiche reads at an offset, where it was the last time if that will do.
type Microfiche struct {
	film  io.ReadSeeker
	reads int
}

func (m *Microfiche) ReadAt(p []byte, off int64) (int, error) {
	m.reads++ // want `two goroutines can both read m.reads before either stores it, and one update is lost`
	if _, err := m.film.Seek(off, io.SeekStart); err != nil {
		return 0, err
	}
	return io.ReadFull(m.film, p)
}

// UnimplementedOrderServer stands for what a generator makes.
type UnimplementedOrderServer struct{}

func (UnimplementedOrderServer) Place(context.Context, *int) (*int, error) { return nil, nil }

// Orders is served by whoever registers it.
type Orders struct {
	UnimplementedOrderServer
	placed int
}

func (o *Orders) Place(ctx context.Context, n *int) (*int, error) {
	o.placed += *n // want `two goroutines can both read o.placed before either stores it, and one update is lost`
	return n, nil
}
