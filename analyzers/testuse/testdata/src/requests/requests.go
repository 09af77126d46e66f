// Package requests has handlers of a web framework.
package requests

import (
	"sync"

	"github.com/gin-gonic/gin"
)

type tally struct {
	n  int
	mu *sync.RWMutex
}

// Bounded turns away who comes when it is full.
func Bounded(most int) gin.HandlerFunc {
	t := &tally{mu: &sync.RWMutex{}}
	return func(c *gin.Context) {
		t.mu.RLock()
		if t.n >= most { // want `two goroutines can both pass the test of t.n and both set it`
			t.mu.RUnlock()
			c.Abort()
			return
		}
		t.mu.RUnlock()
		t.mu.Lock()
		t.n++
		t.mu.Unlock()
		c.Next()
		t.mu.Lock()
		t.n--
		t.mu.Unlock()
	}
}

// BoundedOnce looks with the lock that it counts under.
func BoundedOnce(most int) gin.HandlerFunc {
	t := &tally{mu: &sync.RWMutex{}}
	return func(c *gin.Context) {
		t.mu.Lock()
		if t.n >= most {
			t.mu.Unlock()
			c.Abort()
			return
		}
		t.n++
		t.mu.Unlock()
		c.Next()
		t.mu.Lock()
		t.n--
		t.mu.Unlock()
	}
}

// page is made for each request.
type page struct {
	title string
	seen  int
}

func (p *page) show(c *gin.Context) {
	if p.title == "" {
		p.title = c.Param("title")
	}
	p.seen++
	c.JSON(200, p.title)
}

// Show makes a page of its own.
func Show(c *gin.Context) {
	p := &page{}
	p.show(c)
}
