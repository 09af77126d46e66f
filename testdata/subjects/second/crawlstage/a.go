package crawlstage

import (
	"context"
	"net/http"
	"time"
)

type Page struct {
	URL    string
	Status int
	Err    error
}

type Fetcher struct {
	Client *http.Client
	Delay  time.Duration
}

func (f *Fetcher) fetch(ctx context.Context, url string) Page {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return Page{URL: url, Err: err}
	}
	resp, err := f.Client.Do(req)
	if err != nil {
		return Page{URL: url, Err: err}
	}
	defer resp.Body.Close()
	return Page{URL: url, Status: resp.StatusCode}
}

func Crawl(ctx context.Context, f *Fetcher, urls []string) <-chan Page {
	out := make(chan Page)
	go func() {
		closed := false
		finish := func() {
			if !closed {
				closed = true
				close(out)
			}
		}
		defer finish()
		for _, u := range urls {
			select {
			case out <- f.fetch(ctx, u):
			case <-ctx.Done():
				finish()
				return
			}
			time.Sleep(f.Delay)
		}
	}()
	return out
}
