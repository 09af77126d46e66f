package fine

import "sync/atomic"

// Roulette goes round: a place may come twice.
type Roulette struct {
	turn    atomic.Int64
	spins   atomic.Int64
	players []string
}

func (r *Roulette) Next() string {
	if r.turn.Load() >= 1<<20 {
		r.turn.Store(0)
	}
	return r.players[int(r.turn.Add(1))%len(r.players)]
}

// Spin counts, and nobody takes the number for a name.
func (r *Roulette) Spin() {
	if r.spins.Load() >= 1000 {
		r.spins.Store(0)
	}
	r.spins.Add(1)
}
