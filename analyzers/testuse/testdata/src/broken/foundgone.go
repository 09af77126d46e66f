package broken

import (
	"errors"
	"net/rpc"
	"sync"
)

type addOn struct {
	mu     sync.Mutex
	client *rpc.Client
	calls  int
}

type AddOns struct {
	mu  sync.RWMutex
	all map[string]*addOn
}

func (a *AddOns) get(name string) *addOn {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.all[name]
}

func (a *AddOns) Unload(name string) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	x := a.all[name]
	if x == nil {
		return errors.New("unknown")
	}
	delete(a.all, name)
	x.mu.Lock()
	defer x.mu.Unlock()
	err := x.client.Close()
	x.client = nil
	return err
}

func (a *AddOns) Call(name string, args, reply any) error {
	x := a.get(name) // want `by the time x.mu is taken, \(\*AddOns\).Unload can have deleted x from AddOns.all and taken x.client away, which is used here`
	if x == nil {
		return errors.New("unknown")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.calls++
	return x.client.Call("Do", args, reply)
}
