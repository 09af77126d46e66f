package fine

import (
	"math/rand"
	"sync"
	"time"
)

var (
	diceMu sync.Mutex
	dice   = rand.New(rand.NewSource(time.Now().UnixNano()))
)

// Roll holds a lock.
func Roll() int {
	diceMu.Lock()
	defer diceMu.Unlock()
	return 1 + dice.Intn(6)
}

// Toss uses the functions of the package, which have one.
func Toss() bool { return rand.Intn(2) == 0 }

var deck = rand.New(rand.NewSource(1))

// The table is filled once.
func init() {
	for range 52 {
		table = append(table, deck.Intn(52))
	}
}

var table []int

// Card is a look.
func Card(i int) int { return table[i] }

// Shuffle draws from what it has made.
func Shuffle(list []int) {
	r := rand.New(rand.NewSource(int64(len(list))))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}
