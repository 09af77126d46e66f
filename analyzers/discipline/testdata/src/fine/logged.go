package fine

import (
	"log"
	"sync"
)

// Uplink tells the log where it is connected to, by whatever value it finds.
type Uplink struct {
	mu       sync.Mutex
	endpoint string
	tallies  Tallies
}

type Tallies struct {
	From int
	Seen map[string]int
}

func (u *Uplink) Move(to string) {
	u.mu.Lock()
	u.endpoint = to
	u.mu.Unlock()
}

func (u *Uplink) Moved(to string) {
	u.mu.Lock()
	u.endpoint = to
	u.tallies.Seen[to]++
	u.mu.Unlock()
}

func (u *Uplink) Read(fail error) {
	u.mu.Lock()
	gone := u.endpoint == ""
	u.mu.Unlock()
	if !gone {
		log.Printf("cannot read from %s: %v", u.endpoint, fail)
	}
}

// takeOut puts a new struct into the place of the one that it gives away.
func (u *Uplink) takeOut() Tallies {
	was := u.tallies
	u.tallies = Tallies{Seen: map[string]int{}}
	return was
}

func (u *Uplink) count(name string, n int) {
	u.mu.Lock()
	u.tallies.Seen[name] += n
	u.mu.Unlock()
}

func (u *Uplink) Flush(send func(Tallies) error) {
	u.mu.Lock()
	mine := u.takeOut()
	u.mu.Unlock()
	if send(mine) != nil {
		for name, n := range mine.Seen {
			u.count(name, n)
		}
	}
}
