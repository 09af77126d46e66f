package broken

import (
	"math/rand"
	randv2 "math/rand/v2"
	"time"
)

var dice = rand.New(rand.NewSource(time.Now().UnixNano()))

var cards *randv2.Rand

func init() { cards = randv2.New(randv2.NewPCG(1, 2)) }

// Roll returns the points.
func Roll() int {
	return 1 + dice.Intn(6) // want `two goroutines can both draw from dice and get the same numbers, or an index out of range: no lock is held, and a rand.Rand of its own source has none`
}

// Name draws each letter, by a function of its own.
func Name(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = letter()
	}
	return string(b)
}

func letter() byte {
	return 'a' + byte(cards.IntN(26)) // want `two goroutines can both draw from cards`
}
