package fine

import (
	"errors"
	"net/rpc"
	"sync"
)

type addOn struct {
	mu     sync.Mutex
	client *rpc.Client
	gone   bool
	calls  int
}

type AddOns struct {
	mu  sync.RWMutex
	all map[string]*addOn
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
	x.gone = true
	err := x.client.Close()
	x.client = nil
	return err
}

func (a *AddOns) get(name string) *addOn {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.all[name]
}

// Call asks whether it is there still.
func (a *AddOns) Call(name string, args, reply any) error {
	x := a.get(name)
	if x == nil {
		return errors.New("unknown")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.client == nil {
		return errors.New("gone")
	}
	x.calls++
	return x.client.Call("Do", args, reply)
}

// Ask looks at another field.
func (a *AddOns) Ask(name string, args, reply any) error {
	x := a.get(name)
	if x == nil {
		return errors.New("unknown")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.gone {
		return errors.New("gone")
	}
	return x.client.Call("Ask", args, reply)
}

// Under keeps the lock of the map.
func (a *AddOns) Under(name string, args, reply any) error {
	a.mu.RLock()
	defer a.mu.RUnlock()
	x := a.all[name]
	if x == nil {
		return errors.New("unknown")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.client.Call("Do", args, reply)
}
