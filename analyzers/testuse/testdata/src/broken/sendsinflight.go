package broken

import "sync"

// flightGroup runs what it is given once at a time for each key.
type flightGroup struct {
	mu    sync.Mutex
	calls map[string]*sync.WaitGroup
}

func (g *flightGroup) Do(key string, f func() string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return f()
}

// Loader hands what it has loaded to a goroutine that files it. It is safe for concurrent use.
type Loader struct {
	flights flightGroup
	filed   chan string
	files   sync.Map
	filing  sync.WaitGroup
}

func NewLoader() *Loader {
	l := &Loader{filed: make(chan string, 100)}
	l.filing.Add(1)
	go l.file()
	return l
}

func (l *Loader) file() {
	defer l.filing.Done()
	for s := range l.filed {
		l.files.Store(s, true)
	}
}

// Find sends from within what it has run at once.
func (l *Loader) Find(key string) string {
	return l.flights.Do(key, func() string {
		if _, ok := l.files.Load(key); ok {
			return key
		}
		l.filed <- key // want `l.filed can be closed by \(\*Loader\).Close before or during this send`
		return key
	})
}

// Close lets what was loaded be filed.
func (l *Loader) Close() error {
	close(l.filed) // want `l.filed is closed without a look`
	l.filing.Wait()
	return nil
}
