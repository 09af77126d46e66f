// Singleton compiles the template of each page when it is first shown, and
// checks that each was compiled once.
//
// Broken: page.template tests and sets compiled with no lock. "Test compiled,
// set compiled" is expected to be one step.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"text/template"
	"time"
)

const (
	visitors = 3
	pages    = 20
)

type page struct {
	name     string
	compiles atomic.Int32
	compiled *template.Template
}

func (p *page) template() *template.Template {
	if p.compiled == nil {
		p.compiles.Add(1)
		p.compiled = template.Must(template.New(p.name).Parse("<h1>{{.}}</h1>"))
	}
	return p.compiled
}

func main() {
	site := make([]*page, pages)
	for i := range site {
		site[i] = &page{name: fmt.Sprint("page", i)}
	}
	var running sync.WaitGroup
	for range visitors {
		running.Go(func() {
			for _, p := range site {
				time.Sleep(time.Duration(100+rand.IntN(1000)) * time.Microsecond)
				p.template()
			}
		})
	}
	running.Wait()
	for _, p := range site {
		if n := p.compiles.Load(); n != 1 {
			fmt.Printf("WRONG: %s was compiled %d times\n", p.name, n)
			os.Exit(1)
		}
	}
	fmt.Printf("ok: %d pages\n", pages)
}
