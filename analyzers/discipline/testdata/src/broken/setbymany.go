package broken

import (
	"net/http"
	"os"
	"strconv"
	"sync"
)

// Rostrum keeps who spoke last, for whoever asks.
type Rostrum struct {
	last string
}

func (r *Rostrum) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.last = req.FormValue("speaker") // want `r.last is one variable of many goroutines: each sets it here, at the same time, and what is read can be half of one value and half of another`
	w.WriteHeader(http.StatusNoContent)
}

func (r *Rostrum) Last() string { return r.last }

// RenameEach renames the files, and says of one why it could not.
func RenameEach(files []string) error {
	var failure error
	var wg sync.WaitGroup
	for _, f := range files {
		wg.Go(func() {
			if e := os.Rename(f, f+".old"); e != nil {
				failure = e // want `failure is one variable of many goroutines: each sets it here, at the same time`
			}
		})
	}
	wg.Wait()
	return failure
}

// StartEach sets things going, and the map that it makes for it is one of all its goroutines.
func StartEach(n int) map[string]bool {
	going := map[string]bool{}
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			going[strconv.Itoa(i)] = true // want `StartEach.going\[\] is changed here by goroutines of which there are many`
		})
	}
	wg.Wait()
	return going
}
