// Crawler walks a small web site, served on the loopback interface, with a
// goroutine for every link it finds, and checks that each page was fetched
// once and that its own statistics agree with what the server counted.
//
// crawler.visit looks a page up and marks it in one critical section, and the
// counters in stats are only changed under the mutex.
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	levels = 4
	width  = 6 // pages a level; each links to every page of the next level
	pages  = 1 + levels*width
	links  = width + (levels-1)*width*width
)

// site is the web site: /0/0 is the home page, /L/N a page of level L.
type site struct {
	hits  [levels + 1][width]atomic.Int64
	bytes atomic.Int64
}

func (s *site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var level, n int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d/%d", &level, &n); err != nil {
		http.NotFound(w, r)
		return
	}
	s.hits[level][n].Add(1)
	var page strings.Builder
	fmt.Fprintf(&page, "<title>page %d of level %d</title>\n", n, level)
	for i := 0; i < width && level < levels; i++ {
		fmt.Fprintf(&page, "<a href=\"/%d/%d\">next</a>\n", level+1, i)
	}
	s.bytes.Add(int64(page.Len()))
	io.WriteString(w, page.String())
}

type stats struct {
	pages, links, bytes int
}

type crawler struct {
	base    string
	client  *http.Client
	slots   chan struct{} // bounds the requests under way
	pending sync.WaitGroup

	mu      sync.Mutex
	visited map[string]bool
	stats   stats
}

// visit fetches the page unless somebody was there before, and follows its
// links.
func (c *crawler) visit(path string) {
	defer c.pending.Done()

	c.mu.Lock()
	if c.visited[path] {
		c.mu.Unlock()
		return
	}
	c.visited[path] = true
	c.mu.Unlock()

	body, err := c.fetch(path)
	if err != nil {
		log.Fatalf("fetching %s: %v", path, err)
	}
	c.mu.Lock()
	c.stats.pages++
	c.stats.bytes += len(body)
	c.mu.Unlock()
	for _, part := range strings.Split(body, `href="`)[1:] {
		next, _, _ := strings.Cut(part, `"`)
		c.mu.Lock()
		c.stats.links++
		c.mu.Unlock()
		c.pending.Add(1)
		go c.visit(next)
	}
}

func (c *crawler) fetch(path string) (string, error) {
	c.slots <- struct{}{}
	defer func() { <-c.slots }()
	resp, err := c.client.Get(c.base + path)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	s := new(site)
	server := &http.Server{Handler: s}
	go server.Serve(listener)
	defer server.Close()

	c := &crawler{
		base: "http://" + listener.Addr().String(),
		client: &http.Client{
			Transport: &http.Transport{MaxIdleConnsPerHost: width},
			Timeout:   10 * time.Second,
		},
		slots:   make(chan struct{}, width),
		visited: make(map[string]bool),
	}
	c.pending.Add(1)
	c.visit("/0/0")
	c.pending.Wait()

	twice := 0
	for level := range s.hits {
		for n := range s.hits[level] {
			if s.hits[level][n].Load() > 1 {
				twice++
			}
		}
	}
	got, want := c.stats, stats{pages: pages, links: links, bytes: int(s.bytes.Load())}
	if twice > 0 || got != want {
		fmt.Printf("WRONG: %d pages fetched more than once; counted %+v, expected %+v\n", twice, got, want)
		os.Exit(1)
	}
	fmt.Printf("ok: %d pages, %d links, %d bytes\n", got.pages, got.links, got.bytes)
}
