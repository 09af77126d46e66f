package fine

import (
	"net/http"
	"os"
	"sync"
)

// Dais reads what it has been set up with.
type Dais struct {
	title string
}

// SetTitle is for before it is served.
func (d *Dais) SetTitle(title string) { d.title = title }

func (d *Dais) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	speaker := r.FormValue("speaker")
	w.Write([]byte(d.title + speaker))
}

// RemoveApart has an error for each of its goroutines.
func RemoveApart(files []string) error {
	errs := make(chan error, len(files))
	for _, f := range files {
		go func() {
			var err error
			if err = os.Remove(f); err != nil {
				errs <- err
				return
			}
			errs <- nil
		}()
	}
	var err error
	for range files {
		if e := <-errs; e != nil {
			err = e
		}
	}
	return err
}

// RemoveInTurn waits for each before the next one.
func RemoveInTurn(files []string) error {
	var err error
	for _, f := range files {
		var wg sync.WaitGroup
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err = os.Remove(f); err != nil {
				println(err.Error())
			}
		}()
		wg.Wait()
	}
	return err
}
