package broken

import (
	"context"
	"sync"

	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// A ReconciledPods starts a watch for each pod, and others ask for one as well.
type ReconciledPods struct {
	mu      sync.Mutex
	watched map[string]chan struct{}
}

func (r *ReconciledPods) Reconcile(_ context.Context, req reconcile.Request) (reconcile.Result, error) {
	r.collect(req.Name)
	return reconcile.Result{}, nil
}

func (r *ReconciledPods) Watch(name string) { r.collect(name) }

func (r *ReconciledPods) collect(name string) {
	r.mu.Lock()
	_, ok := r.watched[name] // want `two goroutines can both pass the test of r.watched\[name\] and both set it: r.mu is released in between`
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
