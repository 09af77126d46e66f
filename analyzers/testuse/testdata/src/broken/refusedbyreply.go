package broken

import (
	"net/http"
	"sync"
)

// A printJob is what is printed.
type printJob struct{ text string }

func jobFor(text string) (*printJob, error) { return &printJob{text}, nil }

// PrintDesk takes jobs.
type PrintDesk struct {
	mu   sync.RWMutex
	jobs map[string]any
}

func (d *PrintDesk) Routes(mux *http.ServeMux) {
	mux.HandleFunc("/new", d.handleNew)
}

func (d *PrintDesk) find(id string) (any, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	j, ok := d.jobs[id]
	return j, ok
}

func (d *PrintDesk) put(id string, j any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.jobs[id] = j
}

func (d *PrintDesk) handleNew(w http.ResponseWriter, r *http.Request) {
	id := r.FormValue("id")
	if j, ok := d.find(id); ok && j != nil { // want `two goroutines can both pass the test of d.jobs \(in d.find\) and both set it: d.mu is held for reading first and taken for writing later, without looking again`
		http.Error(w, "there is a job "+id, http.StatusConflict)
		return
	}
	j, err := jobFor(r.FormValue("text"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	d.put(id, j)
	w.WriteHeader(http.StatusCreated)
}
