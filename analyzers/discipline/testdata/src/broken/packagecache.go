package broken

import (
	"net/http"
	"time"
)

var transports = map[time.Duration]*http.Transport{}

// TransportFor hands out one transport for each timeout.
func TransportFor(idle time.Duration) *http.Transport {
	if t, ok := transports[idle]; ok { // want `transports is looked up and filled here, and no lock is ever taken for it`
		return t
	}
	t := &http.Transport{IdleConnTimeout: idle}
	transports[idle] = t
	return t
}

var pools map[string]*pool

type pool struct{ size int }

func poolOf(name string) *pool {
	p := pools[name] // want `pools is looked up and filled here, and no lock is ever taken for it`
	if p == nil {
		p = &pool{size: len(name)}
		pools[name] = p
	}
	return p
}

// PoolSize is what importers call.
func PoolSize(name string) int { return poolOf(name).size }
