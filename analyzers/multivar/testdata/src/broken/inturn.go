package broken

import (
	"fmt"
	"net"
	"sync"
)

// Pier is given its parts one after the other.
type Pier struct {
	mu     sync.RWMutex
	host   string
	port   string
	user   string
	pass   string
	key    []byte
	cert   []byte
	region string
	zone   string
}

func (p *Pier) setHost(host string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.host = host
}

func (p *Pier) setPort(port string) {
	p.mu.Lock()
	p.port = port
	p.mu.Unlock()
}

// Moor sets both by methods, to the results of one call.
func (p *Pier) Moor(addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return err
	}
	p.setHost(host) // want `p.host and p.port are set in two critical sections, one after the other; \(\*Pier\).Addr reads both in one`
	p.setPort(port)
	return nil
}

func (p *Pier) Addr() string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return net.JoinHostPort(p.host, p.port)
}

type pass struct {
	user, pass string
	pair       *pair
}

type pair struct{ key, cert []byte }

// Login sets both itself, to fields of one value.
func (p *Pier) Login(with *pass) {
	p.mu.Lock()
	p.user = with.user // want `p.user and p.pass are set in two critical sections`
	p.mu.Unlock()
	p.mu.Lock()
	p.pass = with.pass
	p.mu.Unlock()
}

func (p *Pier) Credentials() (string, string) {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.user, p.pass
}

// Renew sets both to what it is given.
func (p *Pier) Renew(key, cert []byte) {
	p.setKey(key) // want `p.key and p.cert are set in two critical sections`
	if len(cert) > 0 {
		p.setCert(cert)
	}
}

func (p *Pier) setKey(key []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.key = key
}

func (p *Pier) setCert(cert []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cert = cert
}

func (p *Pier) Pair() *pair {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return &pair{key: p.key, cert: p.cert}
}

func (p *Pier) String() string {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return fmt.Sprint(p.region, p.zone)
}

// Place is told to people alone.
func (p *Pier) Place(region, zone string) {
	p.mu.Lock()
	p.region = region
	p.mu.Unlock()
	p.mu.Lock()
	p.zone = zone
	p.mu.Unlock()
}
