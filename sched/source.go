package sched

// A source is a stream of random numbers that is equal on all machines and in all
// versions of Go: SplitMix64.
type source struct{ state uint64 }

// newSource returns the stream number stream of the seed.
func newSource(seed, stream uint64) source {
	s := source{seed}
	s.state = s.next() ^ stream*0xd1342543de82ef95
	s.next()
	return s
}

func (s *source) next() uint64 {
	s.state += 0x9e3779b97f4a7c15
	z := s.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// intn returns a number in [0, n). The upper half of the bits times n: as good as
// uniform for the few alternatives that there ever are.
func (s *source) intn(n int) int {
	return int(s.next() >> 32 * uint64(n) >> 32)
}

// coin is heads or tails.
func (s *source) coin() bool { return s.next()>>63 == 1 }
