package broken

import "sync"

// attempts is one for all.
type attempts struct {
	mu   sync.RWMutex
	file string
}

var configured = attempts{}

func (a *attempts) remember(file string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.file = file
}

func mayConfigure(file string) bool {
	configured.mu.RLock()
	defer configured.mu.RUnlock()
	return configured.file == "" && file != ""
}

// Configure reads the file, once.
func Configure(file string, read func(string) error) error {
	if !mayConfigure(file) { // want `two goroutines can both pass the test of configured.file \(in mayConfigure\) and both set it: configured.mu is held for reading first`
		return nil
	}
	if err := read(file); err != nil {
		return err
	}
	configured.remember(file)
	return nil
}
