package broken

import "sync"

// door is one of a hall's.
type door struct {
	mu    sync.Mutex
	guest *string
	knock int
}

// Hall has doors, through which guests come from both sides.
type Hall struct {
	mu    sync.Mutex
	doors map[string]*door
}

func (h *Hall) door(name string) *door {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := h.doors[name]
	if d == nil {
		d = &door{}
		h.doors[name] = d
	}
	return d
}

// Leave is the way out.
func (h *Hall) Leave(name, guest string) {
	d := h.door(name)
	go func() {
		d.mu.Lock()
		d.guest = &guest
		d.mu.Unlock()
	}()
}

// Enter looks under the lock of the hall, and not of the door.
func (h *Hall) Enter(name, guest string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	d := h.doors[name]
	if d.guest != nil { // want `d.guest is tested before d.mu is taken, under which it is set here and in \(\*Hall\).Leave: h.mu, held here, does not keep that out`
		return false
	}
	d.mu.Lock()
	d.guest = &guest
	d.mu.Unlock()
	return true
}
