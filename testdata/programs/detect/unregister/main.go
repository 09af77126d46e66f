// Unregister keeps the devices of a fleet in a sync.Map beside their number, and
// checks that the number is right when devices log off and time out at once.
//
// Broken: fleet.remove loads and then deletes. "Load device, Delete device" is
// expected to be one step; of two that find the device, both count it off.
// LoadAndDelete would do.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const devices = 40

type fleet struct {
	online sync.Map
	count  atomic.Int32
}

func (f *fleet) add(id int) {
	f.online.Store(id, time.Now())
	f.count.Add(1)
}

func (f *fleet) remove(id int) {
	if _, ok := f.online.Load(id); !ok {
		return
	}
	f.online.Delete(id)
	f.count.Add(-1)
}

func main() {
	f := new(fleet)
	for id := range devices {
		f.add(id)
	}
	var running sync.WaitGroup
	for range 2 { // log-off and time-out
		running.Go(func() {
			for id := range devices {
				time.Sleep(time.Duration(100+rand.IntN(900)) * time.Microsecond)
				f.remove(id)
			}
		})
	}
	running.Wait()
	if n := f.count.Load(); n != 0 {
		fmt.Printf("WRONG: %d devices after all have left\n", n)
		os.Exit(1)
	}
	fmt.Printf("ok: %d devices left\n", devices)
}
