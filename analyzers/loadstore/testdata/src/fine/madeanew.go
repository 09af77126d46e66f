package fine

import "net/http"

type docket struct{ lines []string }

// Clerk writes a new docket for each errand, from its beginning.
type Clerk struct {
	docket *docket
	last   string
}

func (c *Clerk) Note(w http.ResponseWriter, r *http.Request) {
	c.docket = &docket{}
	for k := range r.Header {
		c.docket.lines = append(c.docket.lines, k)
	}
}
