package certrotate

import (
	"crypto"
	"crypto/tls"
	"fmt"
	"log"
	"sync"
	"time"
)

type Issuer interface {
	Issue(domain string) (chain [][]byte, key crypto.Signer, err error)
}

type Rotator struct {
	domain string
	issuer Issuer

	mu    sync.RWMutex
	chain [][]byte
	key   crypto.Signer
}

func NewRotator(domain string, iss Issuer) (*Rotator, error) {
	r := &Rotator{domain: domain, issuer: iss}
	if err := r.Rotate(); err != nil {
		return nil, err
	}
	time.AfterFunc(12*time.Hour, func() {
		if err := r.Rotate(); err != nil {
			log.Print(err)
		}
	})
	return r, nil
}

func (r *Rotator) Rotate() error {
	chain, key, err := r.issuer.Issue(r.domain)
	if err != nil {
		return fmt.Errorf("issue %s: %w", r.domain, err)
	}
	r.mu.Lock()
	r.chain, r.key = chain, key
	r.mu.Unlock()
	return nil
}

func (r *Rotator) Chain() [][]byte {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.chain
}

func (r *Rotator) Key() crypto.Signer {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.key
}

// TLSCertificate plugs into tls.Config.GetCertificate.
func (r *Rotator) TLSCertificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	return &tls.Certificate{
		Certificate: r.Chain(),
		PrivateKey:  r.Key(),
	}, nil
}
