package broken

import "net/http"

type docket struct{ lines []string }

// Clerk goes on with the docket that is there, if there is one.
type Clerk struct {
	docket *docket
	last   string
}

func (c *Clerk) Note(w http.ResponseWriter, r *http.Request) {
	if c.docket == nil {
		c.docket = &docket{}
	}
	for k := range r.Header {
		c.docket.lines = append(c.docket.lines, k) // want `two goroutines can both read c.docket.lines before either stores it, and one update is lost: no lock is held`
	}
}
