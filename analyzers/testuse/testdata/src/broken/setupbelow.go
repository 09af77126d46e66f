package broken

import "sync"

// A Uplink is what several ask for at the same time, each for one of its own.
type Uplink struct{ level string }

type diagnosis struct {
	mu    sync.RWMutex
	level string
}

var diagnosed = diagnosis{}

func (d *diagnosis) raise(level string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.level = level
}

func undiagnosed(level string) bool {
	diagnosed.mu.RLock()
	defer diagnosed.mu.RUnlock()
	return diagnosed.level == "" && level != ""
}

// The link is new, but what is looked at here is the package's.
func diagnoseAnew(level string) error {
	if !undiagnosed(level) { // want `two goroutines can both pass the test of diagnosed.level \(in undiagnosed\) and both set it: diagnosed.mu is held for reading first`
		return nil
	}
	println(level)
	diagnosed.raise(level)
	return nil
}

// NewUplink makes one.
func NewUplink(level string) (*Uplink, error) {
	if err := diagnoseAnew(level); err != nil {
		return nil, err
	}
	l := &Uplink{level: level}
	return l, nil
}
