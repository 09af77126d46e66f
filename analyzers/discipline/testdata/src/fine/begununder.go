package fine

import "sync"

// Kiln takes the lock in the goroutine, or is given what it needs.
type Kiln struct {
	mu    sync.Mutex
	fire  string
	trays chan string
	quit  chan struct{}
	wg    sync.WaitGroup
}

func (k *Kiln) Light(with string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	go func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		k.fire = with
	}()
}

func (k *Kiln) Fire() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.fire
}

func (k *Kiln) Put(tray string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.trays == nil {
		k.trays = make(chan string, 4)
		go k.bake(k.trays)
	}
	k.trays <- tray
}

func (k *Kiln) bake(trays chan string) {
	for t := range trays {
		println(t)
	}
}

func (k *Kiln) Clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.trays != nil {
		close(k.trays)
		k.trays = nil
	}
}

// Heat begins a goroutine that Cool waits for before it takes its channel away.
func (k *Kiln) Heat() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.quit != nil {
		return
	}
	k.quit = make(chan struct{})
	k.wg.Add(1)
	go func() {
		defer k.wg.Done()
		<-k.quit
	}()
}

func (k *Kiln) Cool() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.quit == nil {
		return
	}
	close(k.quit)
	k.wg.Wait()
	k.quit = nil
}

// Oast sets everything up before the goroutine starts, once.
type Oast struct {
	mu   sync.Mutex
	name string
	on   bool
}

func (o *Oast) Open(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.on {
		return
	}
	o.on, o.name = true, name
	go func() { println(o.name) }()
}

func (o *Oast) Name() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.name
}
