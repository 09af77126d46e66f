package containers

// Set has no lock of its own.
type Set[K comparable] map[K]struct{}

// Has says whether k is in it.
func (s Set[K]) Has(k K) bool {
	_, ok := s[k]
	return ok
}

// Insert puts keys into it.
func (s Set[K]) Insert(keys ...K) Set[K] {
	for _, k := range keys {
		s[k] = struct{}{}
	}
	return s
}
