package fine

import (
	"fmt"
	"net/http"
	"sync"
)

// A glyph is the shape of a letter.
type glyph struct{ text string }

func shapeOf(text string) (*glyph, error) { return &glyph{text}, nil }

// Foundry shows glyphs, which it keeps.
type Foundry struct {
	mu     sync.RWMutex
	glyphs map[string]*glyph
}

func (f *Foundry) Routes(mux *http.ServeMux) {
	mux.HandleFunc("/glyph", f.handleShow)
}

func (f *Foundry) find(id string) (*glyph, bool) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	g, ok := f.glyphs[id]
	return g, ok
}

func (f *Foundry) put(id string, g *glyph) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.glyphs[id] = g
}

func (f *Foundry) handleShow(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if g, ok := f.find(id); ok {
		w.WriteHeader(http.StatusOK)
		fmt.Fprintln(w, g.text)
		return
	}
	g, err := shapeOf(id)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	f.put(id, g)
	fmt.Fprintln(w, g.text)
}
