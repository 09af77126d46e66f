package healthfan

import (
	"context"
	"sync"
	"time"
)

type Probe interface {
	Name() string
	Check(ctx context.Context) error
}

type Result struct {
	Name string
	Err  error
	Took time.Duration
}

type Checker struct {
	probes  []Probe
	timeout time.Duration
}

func NewChecker(timeout time.Duration, probes ...Probe) *Checker {
	return &Checker{probes: probes, timeout: timeout}
}

func (c *Checker) Round(ctx context.Context) (failed int, results []Result) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	results = make([]Result, len(c.probes))
	var wg sync.WaitGroup
	for i, p := range c.probes {
		wg.Add(1)
		go func() {
			defer wg.Done()
			start := time.Now()
			results[i] = Result{Name: p.Name(), Err: p.Check(ctx)}
			results[i].Took = time.Since(start)
		}()
	}
	wg.Wait()
	for _, r := range results {
		if r.Err != nil {
			failed++
		}
	}
	return failed, results
}
