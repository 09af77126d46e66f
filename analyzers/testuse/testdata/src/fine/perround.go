package fine

// Each round has a channel of its own, which one of two goroutines closes.

type tunnelOfRound struct{ remote bool }

func shutTunnel(done chan struct{}, wait func()) {
	wait()
	close(done)
}

func PerRound(tunnels []tunnelOfRound, wait, serve func()) {
	for _, t := range tunnels {
		done := make(chan struct{})
		switch {
		case t.remote:
			go serve()
			go shutTunnel(done, wait)
		default:
			go shutTunnel(done, wait)
		}
	}
}
