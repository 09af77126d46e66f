// Rollback marks machines as draining while they are looked at, puts the old
// state back if nothing was wrong, and checks that a machine that was switched
// off in between stays off.
//
// Broken, although every access is atomic: machine.inspect loads the state,
// stores another and puts the first one back. "Load state, Store state" is
// expected to be one step, and is none when somebody else has changed it.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	up int32 = iota
	draining
	off
)

const (
	racks    = 8
	machines = 6
)

type machine struct {
	state atomic.Int32
	looks int
}

func (m *machine) inspect() {
	old := m.state.Load()
	if old == off {
		return
	}
	m.state.Store(draining)
	m.looks++
	m.state.Store(old)
}

func (m *machine) switchOff() { m.state.Store(off) }

func patrol(rack []*machine, visit func(*machine)) {
	for _, m := range rack {
		time.Sleep(time.Duration(100+rand.IntN(900)) * time.Microsecond)
		visit(m)
	}
}

func main() {
	on := 0
	for range racks {
		rack := make([]*machine, machines)
		for i := range rack {
			rack[i] = new(machine)
		}
		var running sync.WaitGroup
		running.Go(func() { patrol(rack, (*machine).inspect) })
		running.Go(func() { patrol(rack, (*machine).switchOff) })
		running.Wait()
		for _, m := range rack {
			if m.state.Load() != off {
				on++
			}
		}
	}
	if on > 0 {
		fmt.Printf("WRONG: %d of %d machines are still on\n", on, racks*machines)
		os.Exit(1)
	}
	fmt.Printf("ok: %d machines off\n", racks*machines)
}
