package meter

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

type Meter struct {
	usage sync.Map // tenant -> int64
	next  http.Handler
}

func Wrap(next http.Handler) *Meter {
	return &Meter{next: next}
}

func (m *Meter) Charge(tenant string, units int64) int64 {
	var have int64
	if v, ok := m.usage.Load(tenant); ok {
		have = v.(int64)
	}
	have += units
	m.usage.Store(tenant, have)
	return have
}

type countWriter struct {
	http.ResponseWriter
	n int64
}

func (w *countWriter) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.n += int64(n)
	return n, err
}

func (m *Meter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	tenant := r.Header.Get("X-Tenant")
	if tenant == "" {
		http.Error(w, "missing tenant", http.StatusUnauthorized)
		return
	}
	cw := &countWriter{ResponseWriter: w}
	m.next.ServeHTTP(cw, r)
	m.Charge(tenant, cw.n)
}

func (m *Meter) Dump(w io.Writer) error {
	out := map[string]int64{}
	m.usage.Range(func(k, v any) bool {
		out[k.(string)] = v.(int64)
		return true
	})
	return json.NewEncoder(w).Encode(out)
}
