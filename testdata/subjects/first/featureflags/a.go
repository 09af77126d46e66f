package featureflags

import (
	"encoding/json"
	"io"
	"net/http"
	"sync"
)

type Flags struct {
	mu    sync.RWMutex
	rules map[string]bool
	env   string
}

func New(env string) *Flags {
	return &Flags{env: env, rules: make(map[string]bool)}
}

func (f *Flags) Set(name string, on bool) {
	f.mu.Lock()
	f.rules[name] = on
	f.mu.Unlock()
}

func (f *Flags) Enabled(name string) bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.rules[name]
}

type exported struct {
	Env string   `json:"env"`
	On  []string `json:"on"`
	Off []string `json:"off"`
}

func (f *Flags) Export(w io.Writer) error {
	out := exported{Env: f.env}
	f.mu.RLock()
	rules := f.rules
	f.mu.RUnlock()
	for name, on := range rules {
		if on {
			out.On = append(out.On, name)
		} else {
			out.Off = append(out.Off, name)
		}
	}
	return json.NewEncoder(w).Encode(out)
}

func (f *Flags) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if err := f.Export(w); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}
