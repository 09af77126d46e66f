package broken

import "sync"

// Larder counts what it has.
type Larder struct {
	mu    sync.Mutex
	jars  map[string][]byte
	grams uint64
}

func (l *Larder) Put(name string, jam []byte) {
	l.mu.Lock()
	if _, ok := l.jars[name]; ok {
		l.mu.Unlock()
		return
	}
	l.jars[name] = jam // want `the entry is put into l.jars in an earlier critical section than the one that counts it in l.grams: \(\*Larder\).Eat, which deletes and counts down in one, can come in between`
	l.mu.Unlock()
	l.weigh(uint64(len(jam)))
}

func (l *Larder) weigh(n uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.weighHeld(n)
}

func (l *Larder) weighHeld(n uint64) { l.grams += n }

func (l *Larder) Eat(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.eatHeld(name)
}

func (l *Larder) eatHeld(name string) {
	if jam, ok := l.jars[name]; ok {
		delete(l.jars, name)
		l.grams -= uint64(len(jam))
	}
}

func (l *Larder) Full() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.grams > 9000
}

// Atlas computes its index anew by itself, after it was changed.
type Atlas struct {
	mu    sync.Mutex
	pages map[string]int
	index []string
}

func (a *Atlas) Set(pages map[string]int) {
	a.mu.Lock()
	a.pages = pages // want `of two goroutines that change a.pages here, the one for which it is looked at earlier can store Atlas.index later, which then stays out of date`
	a.mu.Unlock()

	a.mu.Lock()
	now := a.pages
	a.mu.Unlock()
	var names []string
	for name := range now {
		names = append(names, name)
	}
	a.mu.Lock()
	a.index = names
	a.mu.Unlock()
}

func (a *Atlas) Find(i int) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.index[i]
}
