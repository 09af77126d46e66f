package cirunner

import (
	"context"
	"fmt"
	"sync"
)

type Step interface {
	Name() string
	Exec(ctx context.Context) error
}

type Stage struct {
	name  string
	steps []Step

	mu       sync.Mutex
	failures []error
	finished map[string]bool
}

func NewStage(name string, steps ...Step) *Stage {
	return &Stage{name: name, steps: steps, finished: make(map[string]bool)}
}

func (st *Stage) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	for _, step := range st.steps {
		wg.Add(1)
		go func() {
			defer wg.Done()
			if err := step.Exec(ctx); err != nil {
				st.failures = append(st.failures, fmt.Errorf("%s/%s: %w", st.name, step.Name(), err))
				return
			}
			st.mu.Lock()
			st.finished[step.Name()] = true
			st.mu.Unlock()
		}()
	}
	wg.Wait()
	if errs := st.Failures(); len(errs) > 0 {
		return errs[0]
	}
	return nil
}

func (st *Stage) Failures() []error {
	st.mu.Lock()
	defer st.mu.Unlock()
	return append([]error(nil), st.failures...)
}

func (st *Stage) Finished(step string) bool {
	st.mu.Lock()
	defer st.mu.Unlock()
	return st.finished[step]
}
