package tenants

import (
	"fmt"
	"sync"
)

type Namespace struct {
	name string

	sync.RWMutex
	used int64
	hard int64
}

func (ns *Namespace) UsedBytes() int64 {
	ns.RLock()
	defer ns.RUnlock()
	return ns.used
}

func (ns *Namespace) SetUsedBytes(n int64) {
	ns.Lock()
	defer ns.Unlock()
	ns.used = n
}

type Volume struct {
	Name      string
	Size      int64
	Namespace string
}

type Controller struct {
	namespaces map[string]*Namespace
	events     chan<- string
}

func NewController(hard map[string]int64, events chan<- string) *Controller {
	c := &Controller{namespaces: map[string]*Namespace{}, events: events}
	for name, h := range hard {
		c.namespaces[name] = &Namespace{name: name, hard: h}
	}
	return c
}

func (c *Controller) Bind(v Volume) error {
	ns := c.namespaces[v.Namespace]
	if ns == nil {
		return fmt.Errorf("volume %s: no namespace %q", v.Name, v.Namespace)
	}
	want := ns.UsedBytes() + v.Size
	if want > ns.hard {
		return fmt.Errorf("volume %s: namespace %s over quota", v.Name, ns.name)
	}
	ns.SetUsedBytes(want)
	c.events <- "bound " + v.Name
	return nil
}
