package fine

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A ReconciledPods starts a watch for each pod, whose name one worker has at a time.
type ReconciledPods struct {
	mu      sync.Mutex
	watched map[string]chan struct{}
}

func (r *ReconciledPods) Reconcile(_ context.Context, req reconcile.Request) (reconcile.Result, error) {
	r.collect(req.Name)
	return reconcile.Result{}, nil
}

func (r *ReconciledPods) collect(name string) {
	r.mu.Lock()
	_, ok := r.watched[name]
	r.mu.Unlock()
	if ok {
		return
	}
	stop := make(chan struct{})
	r.mu.Lock()
	r.watched[name] = stop
	r.mu.Unlock()
	go r.watch(name, stop)
}

func (r *ReconciledPods) watch(name string, stop chan struct{}) {
	<-stop
	r.mu.Lock()
	delete(r.watched, name)
	r.mu.Unlock()
}
