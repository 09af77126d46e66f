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

// What a package registers when it begins is looked up by all without the lock.
var (
	metric   = RegisterUnits("metre", &units{suffix: "m"})
	imperial = RegisterUnits("foot", &units{suffix: "ft"})

	registeredMu sync.Mutex
	registered   = map[string]*units{}
)

func RegisterUnits(name string, u *units) *units {
	registeredMu.Lock()
	defer registeredMu.Unlock()
	if _, ok := registered[name]; ok {
		panic("registered twice: " + name)
	}
	registered[name] = u
	return u
}

func Registered(name string) string {
	if u, ok := registered[name]; ok {
		return u.suffix
	}
	return metric.suffix + imperial.suffix
}
