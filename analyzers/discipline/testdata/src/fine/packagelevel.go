package fine

import (
	"os"
	"sync"
)

type units struct{ suffix string }

var (
	unitsMu      sync.Mutex
	unitsOf      = map[string]*units{}
	defaultUnits *units
	knownUnits   = map[string]*units{}
)

// The package adds its own before anybody else comes.
func init() {
	unitsOf["m"] = &units{suffix: "m"}
	knownUnits["m"] = &units{suffix: "m"}
	defaultUnits = unitsOf["m"]
}

func AddUnits(name string, u *units) {
	unitsMu.Lock()
	defer unitsMu.Unlock()
	unitsOf[name] = u
}

func DropUnits(name string) {
	unitsMu.Lock()
	defer unitsMu.Unlock()
	delete(unitsOf, name)
}

func UnitsOf(name string) *units {
	unitsMu.Lock()
	defer unitsMu.Unlock()
	return unitsOf[name]
}

// Nobody changes knownUnits any more: the lock is there for others.
func Known(name string) *units {
	unitsMu.Lock()
	defer unitsMu.Unlock()
	return knownUnits[name]
}

func KnownToo(name string) bool {
	_, ok := knownUnits[name]
	return ok
}

// The programs that set it have not begun yet.
func SetupUnits() {
	if os.Getenv("IMPERIAL") != "" {
		unitsMu.Lock()
		defaultUnits = unitsOf["ft"]
		unitsMu.Unlock()
	}
}

func DefaultUnits() *units {
	unitsMu.Lock()
	defer unitsMu.Unlock()
	return defaultUnits
}

func DefaultSuffix() string { return defaultUnits.suffix }
