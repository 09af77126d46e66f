//go:build !atomrace_off

package heal

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// The file of ATOMRACE's control key lets people who run a program change its
// healing while it runs. It is read before the first section begins. Nothing waits
// for it to change: functions with sections look at its time stamp when they
// return, once a second at most. A line is
//
//	suspend           nothing is healed, whatever else is said
//	POLICY            off, auto, yield or lock, for all sections without a word of their own
//	POLICY SECTION    for the section with that id
//	# …               a comment
//
// What a later version of the file does not say any more is taken back. A file
// that is not there, or is empty, says nothing; one that cannot be understood
// changes nothing.
var control struct {
	sync.Mutex
	path  string
	next  time.Time // do not look before
	stamp time.Time // of the version that was read
	size  int64
	said  orders
}

// orders are what a control file says.
type orders struct {
	suspend  bool
	all      Policy
	sections map[string]Policy
}

// polling is not 0 while there is a control file; polls counts the calls that
// might look at it.
var polling, polls uint64

const (
	pollEach    = 16 // calls
	pollPause   = time.Second
	maxControls = 1 << 16 // bytes of the file
)

// poll looks at the control file if it is time to.
//
//go:norace
//go:noinline
func poll() {
	quiet()
	n := atomic.AddUint64(&polls, 1)
	loud()
	if n%pollEach == 1 {
		settings().look(time.Now())
	}
}

// watch sees to it that c's control file is looked at.
func (c *config) watch() {
	on := uint64(0)
	if c.control != "" && !c.off {
		on = 1
	}
	atomic.StoreUint64(&polling, on)
}

// look reads the control file if it is another one than before, and puts in force
// what it says. Nobody waits for the lock of control.
func (c *config) look(now time.Time) {
	if c.control == "" || !control.TryLock() {
		return
	}
	defer control.Unlock()
	if control.path != c.control {
		control.path, control.next, control.stamp, control.size = c.control, time.Time{}, time.Time{}, 0
	}
	// A bubble's clock may be behind.
	if left := control.next.Sub(now); left > 0 && left <= pollPause {
		return
	}
	control.next = now.Add(pollPause)
	text, fresh, err := changed(c.control)
	if !fresh {
		return
	}
	var o orders
	if err == nil {
		o, err = parseOrders(text)
	}
	if err != nil {
		notify(c, fmt.Sprintf("control: %v; nothing changed", err))
		return
	}
	o.follow(control.said)
	control.said = o
	notify(c, "control: "+o.String())
}

// changed returns the text of the file if it is not the version that was read
// last. The lock of control must be held.
func changed(path string) (text string, fresh bool, err error) {
	var stamp time.Time
	var size int64
	info, err := os.Stat(path)
	switch {
	case err == nil:
		stamp, size = info.ModTime(), info.Size()
	case !errors.Is(err, fs.ErrNotExist):
		return "", false, nil // it may be back in a second
	}
	if stamp.Equal(control.stamp) && size == control.size {
		return "", false, nil
	}
	control.stamp, control.size = stamp, size
	if err != nil {
		return "", true, nil
	}
	text, err = readPlain(path, maxControls)
	return text, true, err
}

// readPlain reads a file of at most so many bytes. From what is no regular file nothing is
// read: who opens a named pipe waits until somebody writes to it.
func readPlain(path string, most int64) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", fmt.Errorf("%s is no regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s is longer than %d bytes", path, most)
	}
	return string(data), err
}

// parseOrders reads the text of a control file.
func parseOrders(text string) (o orders, err error) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		word, section, _ := strings.Cut(line, " ")
		section = strings.TrimSpace(section)
		switch p, ok := policyNamed(word); {
		case line == "" || line[0] == '#':
		case line == "suspend":
			o.suspend = true
		case !ok || p == PolicyInherit:
			return orders{}, fmt.Errorf("line %d: %q is neither suspend nor begins with off, auto, yield or lock%s", n, line, notPriority(word))
		case section == "":
			o.all = p
		default:
			if o.sections == nil {
				o.sections = make(map[string]Policy)
			}
			o.sections[section] = p
		}
	}
	return o, nil
}

// follow puts o in force, in the place of before.
func (o *orders) follow(before orders) {
	for s := range before.sections {
		if _, ok := o.sections[s]; !ok {
			SetPolicy(s, PolicyInherit)
		}
	}
	for s, p := range o.sections {
		SetPolicy(s, p)
	}
	if o.all != before.all {
		SetPolicy("", o.all)
	}
	if o.suspend != before.suspend {
		Suspend(o.suspend)
	}
}

func (o *orders) String() string {
	s := "heal=" + o.all.String()
	if o.all == PolicyInherit {
		s = "heal as ATOMRACE says"
	}
	if n := len(o.sections); n > 0 {
		s += fmt.Sprintf(", %d section(s) by name", n)
	}
	if o.suspend {
		s += ", all healing suspended"
	}
	return s
}
