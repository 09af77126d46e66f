package idempotency

import (
	"bytes"
	"net/http"
	"sync"
	"time"
)

type saved struct {
	status int
	body   []byte
	at     time.Time
}

var seen sync.Map

type recorder struct {
	http.ResponseWriter
	status int
	buf    bytes.Buffer
}

func (r *recorder) WriteHeader(code int) {
	r.status = code
	r.ResponseWriter.WriteHeader(code)
}

func (r *recorder) Write(p []byte) (int, error) {
	r.buf.Write(p)
	return r.ResponseWriter.Write(p)
}

// Middleware replays the first answer for each Idempotency-Key.
func Middleware(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		key := req.Header.Get("Idempotency-Key")
		if key == "" {
			next.ServeHTTP(w, req)
			return
		}
		if v, dup := seen.Load(key); dup {
			s := v.(*saved)
			w.WriteHeader(s.status)
			w.Write(s.body)
			return
		}
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(rec, req)
		seen.Store(key, &saved{status: rec.status, body: rec.buf.Bytes(), at: time.Now()})
	})
}
