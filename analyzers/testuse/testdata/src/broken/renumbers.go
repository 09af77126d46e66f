package broken

import (
	"os"
	"sync"
	"sync/atomic"
)

const lastTicket = 9999

// TicketRoll numbers what several goroutines ask for, and begins anew at the end.
type TicketRoll struct {
	next  atomic.Int64
	drawn int64
}

func (t *TicketRoll) Tear() int64 {
	number := int64(1)
	if t.next.Load() < lastTicket { // want `two goroutines can both pass the test of t.next and both set it: two atomic operations are not one`
		number = t.next.Add(1)
	} else {
		t.next.Store(number)
	}
	return number
}

func (t *TicketRoll) Draw() int {
	if atomic.LoadInt64(&t.drawn) >= lastTicket { // want `two goroutines can both pass the test of t.drawn and both set it: two atomic operations are not one`
		atomic.StoreInt64(&t.drawn, 0)
	}
	return int(atomic.AddInt64(&t.drawn, 1))
}

// There is one of it, whose type has no name.
var printed struct {
	*manifestOf
	mu sync.Mutex
}

type manifestOf struct{ host string }

// PrintedManifest is made by those that come first.
func PrintedManifest() *manifestOf {
	if printed.manifestOf == nil { // want `two goroutines can both pass the test of printed.manifestOf and both set it: printed.mu is taken only afterwards`
		printManifest()
	}
	return printed.manifestOf
}

func printManifest() {
	printed.mu.Lock()
	defer printed.mu.Unlock()
	printed.manifestOf = readManifest()
}

func readManifest() *manifestOf {
	host, err := os.Hostname()
	if err != nil {
		host = "none"
	}
	return &manifestOf{host: host}
}
