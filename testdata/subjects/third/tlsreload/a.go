package tlsreload

import (
	"crypto/tls"
	"fmt"
	"os"
	"sync"
	"time"
)

type Reloader struct {
	certFile, keyFile string

	mu      sync.RWMutex
	certPEM []byte
	keyPEM  []byte
	modTime time.Time
}

func NewReloader(certFile, keyFile string) (*Reloader, error) {
	r := &Reloader{certFile: certFile, keyFile: keyFile}
	return r, r.reload()
}

func (r *Reloader) setCert(pem []byte) {
	r.mu.Lock()
	r.certPEM = pem
	r.modTime = time.Now()
	r.mu.Unlock()
}

func (r *Reloader) setKey(pem []byte) {
	r.mu.Lock()
	r.keyPEM = pem
	r.mu.Unlock()
}

func (r *Reloader) reload() error {
	cert, err := os.ReadFile(r.certFile)
	if err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	key, err := os.ReadFile(r.keyFile)
	if err != nil {
		return fmt.Errorf("key: %w", err)
	}
	if _, err := tls.X509KeyPair(cert, key); err != nil {
		return err
	}
	r.setCert(cert)
	r.setKey(key)
	return nil
}

func (r *Reloader) Pair(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	r.mu.RLock()
	cert, key := r.certPEM, r.keyPEM
	r.mu.RUnlock()
	c, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, err
	}
	return &c, nil
}

func (r *Reloader) Run(stop <-chan struct{}, onErr func(error)) {
	for {
		select {
		case <-stop:
			return
		case <-time.After(time.Minute):
			if err := r.reload(); err != nil {
				onErr(err)
			}
		}
	}
}
