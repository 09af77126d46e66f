//go:build !atomrace_off

package heal

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// Enabled says that this build of the package watches and heals.
const Enabled = true

// active points to the settings in force, a *config; nil until the first hook
// that needs them, for a program's environment is nobody's business before.
var active unsafe.Pointer

var settingUp struct {
	sync.Mutex
	baked     string // what Defaults was given
	read      bool   // the environment has been read: the program may change its own later on
	env       string // what ATOMRACE was then
	said      string // what was wrong with either
	heal      Policy // what SetPolicy has said; PolicyInherit is nothing
	suspended bool   // what Suspend has said
}

// settings returns the settings in force.
//
//go:norace
func settings() *config {
	if c := (*config)(loadPointer(&active)); c != nil {
		return c
	}
	return configure()
}

// configure reads the environment, once, and the control file, whose word counts from
// the first section on.
func configure() *config {
	settingUp.Lock()
	c := (*config)(atomic.LoadPointer(&active))
	if c != nil {
		settingUp.Unlock()
		return c
	}
	c = apply()
	settingUp.Unlock()
	c.look(time.Now()) // SetPolicy takes the lock
	return (*config)(atomic.LoadPointer(&active))
}

// apply puts the baked defaults, overridden key by key by ATOMRACE, in force.
func apply() *config {
	if !settingUp.read {
		settingUp.read, settingUp.env = true, os.Getenv("ATOMRACE")
	}
	c := defaults()
	from, err := "heal.Defaults", c.parse(settingUp.baked)
	if err == nil {
		from, err = "ATOMRACE", c.parse(settingUp.env)
	}
	if err != nil {
		if msg := fmt.Sprintf("atomrace: %s: %v; detection is off\n", from, err); msg != settingUp.said {
			settingUp.said = msg
			writeStream(stderr, []byte(msg))
		}
		c = defaults()
		c.off = true
	}
	if settingUp.heal != PolicyInherit {
		c.heal = settingUp.heal
	}
	c.suspended = settingUp.suspended
	for _, file := range []*string{&c.log, &c.doubts, &c.control, &c.noise.file} {
		*file = fromStart(*file)
	}
	c = c.unseen()
	c.enforce()
	return c
}

// startedIn is the directory in which the program has started, as far as it is known.
var startedIn, _ = os.Getwd()

// fromStart is the file of a setting for a program that may be in another directory by now.
func fromStart(file string) string {
	if file == "" || file == "stderr" || file == "stdout" || startedIn == "" ||
		os.IsPathSeparator(file[0]) || filepath.VolumeName(file) != "" {
		return file
	}
	return startedIn + string(filepath.Separator) + file // not cleaned: .. may come after a link
}

// enforce puts c in force.
func (c *config) enforce() {
	atomic.StorePointer(&active, unsafe.Pointer(c))
	atomic.StoreUint64(&alert, c.alert())
	c.keepBudget()
	c.decideAll()
	c.watch()
}

// alert says whether c needs every light hook to be seen to.
func (c *config) alert() uint64 {
	if c.off || c.noise.perMille > 0 {
		return 1
	}
	return 0
}

// unseen is a copy of c whose making the race detector does not see: it does not
// see either that hooks get it by an atomic load, for that would order the
// accesses of the program.
//
//go:norace
func (c *config) unseen() *config {
	u := new(config)
	*u = *c
	return u
}

// Defaults sets what holds where the environment variable ATOMRACE is silent,
// in the same form; `atomrace build` bakes a call of it into the program. It
// may be called at any time, from any goroutine; the last call wins.
func Defaults(s string) {
	settingUp.Lock()
	defer settingUp.Unlock()
	settingUp.baked = s
	if (*config)(atomic.LoadPointer(&active)) != nil {
		apply()
	}
}
