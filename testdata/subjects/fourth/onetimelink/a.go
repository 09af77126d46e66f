package onetimelink

import (
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"
)

var ErrSpent = errors.New("link is unknown or spent")

type grant struct {
	path  string
	until time.Time
}

type Links struct {
	grants sync.Map
	files  http.FileSystem
}

func New(files http.FileSystem) *Links { return &Links{files: files} }

func (l *Links) Issue(path string, ttl time.Duration) string {
	tok := rand.Text()
	l.grants.Store(tok, grant{path: path, until: time.Now().Add(ttl)})
	return tok
}

func (l *Links) Redeem(tok string) (http.File, error) {
	if _, ok := l.grants.Load(tok); !ok {
		slog.Warn("unknown download token")
	}
	v, ok := l.grants.LoadAndDelete(tok)
	if !ok {
		return nil, ErrSpent
	}
	g := v.(grant)
	if time.Now().After(g.until) {
		return nil, ErrSpent
	}
	return l.files.Open(g.path)
}

func (l *Links) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, err := l.Redeem(r.FormValue("t"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusGone)
		return
	}
	defer f.Close()
	http.ServeContent(w, r, "", time.Time{}, f)
}
