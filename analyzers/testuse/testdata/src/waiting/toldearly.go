package waiting

import "sync"

// Kiln tells those who wait before it stores what they wait for.
type Kiln struct {
	mu   sync.Mutex
	cold *sync.Cond
	off  bool
	why  error
	pots []string
	heat int
}

func NewKiln() *Kiln {
	k := &Kiln{}
	k.cold = sync.NewCond(&k.mu)
	return k
}

func (k *Kiln) Wait() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for !k.off {
		k.cold.Wait()
	}
}

func (k *Kiln) WaitWhy() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for k.why == nil {
		k.cold.Wait()
	}
	return k.why
}

func (k *Kiln) Take() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	for len(k.pots) == 0 {
		k.cold.Wait()
	}
	pot := k.pots[0]
	k.pots = k.pots[1:]
	return pot
}

func (k *Kiln) Switch() {
	k.mu.Lock()
	k.heat = 0
	k.cold.Broadcast() // want `k.cold.Broadcast is given in an earlier critical section than the one that stores k.off: who is woken by it in \(\*Kiln\).Wait can find it as it was, and waits again`
	k.mu.Unlock()

	k.mu.Lock()
	k.off = true
	k.mu.Unlock()
}

func (k *Kiln) setWhy(err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.why = err
}

// Fail stores it by another method.
func (k *Kiln) Fail(err error) {
	k.cold.Broadcast() // want `k.cold.Broadcast is given in an earlier critical section than the one that stores k.why`
	k.setWhy(err)
}

// Put signals without the lock.
func (k *Kiln) Put(pot string) {
	k.cold.Signal() // want `k.cold.Signal is given in an earlier critical section than the one that stores k.pots`
	k.mu.Lock()
	k.pots = append(k.pots, pot)
	k.mu.Unlock()
}

// PutFirst stores first.
func (k *Kiln) PutFirst(pot string) {
	k.mu.Lock()
	k.pots = append(k.pots, pot)
	k.mu.Unlock()
	k.cold.Signal()
}

// PutLocked signals first, in the same critical section.
func (k *Kiln) PutLocked(pot string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cold.Signal()
	k.pots = append(k.pots, pot)
}

// Relight makes them wait again.
func (k *Kiln) Relight() {
	k.mu.Lock()
	k.heat = 900
	k.cold.Broadcast()
	k.mu.Unlock()
	k.mu.Lock()
	k.off = false
	k.mu.Unlock()
}

// PutTwice signals once more.
func (k *Kiln) PutTwice(pot string) {
	k.mu.Lock()
	k.cold.Broadcast()
	k.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	k.pots = append(k.pots, pot)
	k.cold.Signal()
}

// Deferred signals at its end.
func (k *Kiln) Deferred() {
	defer k.cold.Broadcast()
	k.cold.Broadcast()
	k.mu.Lock()
	k.off = true
	k.mu.Unlock()
}

// Both has stored the one when it tells, and goes on to the other.
func (k *Kiln) Both(err error) {
	k.mu.Lock()
	k.why = err
	k.cold.Broadcast()
	k.mu.Unlock()
	k.mu.Lock()
	k.off = true
	k.cold.Broadcast()
	k.mu.Unlock()
}

func (k *Kiln) wake() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.cold.Broadcast()
}

// End gives the signal by a method.
func (k *Kiln) End() {
	k.wake() // want `k.wake is given in an earlier critical section than the one that stores k.off`
	k.mu.Lock()
	defer k.mu.Unlock()
	k.off = true
}

// EndFirst stores first.
func (k *Kiln) EndFirst() {
	k.mu.Lock()
	k.off = true
	k.mu.Unlock()
	k.wake()
}

// add stores in the method that signals.
func (k *Kiln) add(pot string) {
	k.pots = append(k.pots, pot)
	k.cold.Signal()
}

func (k *Kiln) AddAll(pots []string) {
	for _, pot := range pots {
		k.mu.Lock()
		k.add(pot)
		k.mu.Unlock()
	}
}

func (k *Kiln) AddAndSwitch(pot string) {
	k.mu.Lock()
	k.add(pot)
	k.mu.Unlock()
	k.mu.Lock()
	k.off = true
	k.mu.Unlock()
}
