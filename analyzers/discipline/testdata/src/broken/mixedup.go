package broken

import (
	"net/http"
	"os"
	"sync"
)

// Lectern keeps the speaker of a request where all requests find it.
type Lectern struct {
	speaker string
}

func (l *Lectern) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.speaker = r.FormValue("speaker") // want `l.speaker is one variable of many goroutines: each sets it here and reads it again`
	l.greet(w)
}

func (l *Lectern) greet(w http.ResponseWriter) { w.Write([]byte(l.speaker)) }

// RemoveEach removes the files, and says of one why it could not.
func RemoveEach(files []string) error {
	var err error
	var failed []string
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, f := range files {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err = os.Remove(f); err != nil { // want `err is one variable of many goroutines`
				mu.Lock()
				failed = append(failed, f)
				mu.Unlock()
			}
		}()
	}
	wg.Wait()
	return err
}
