package certreload

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"time"
)

var ErrNoCertificate = errors.New("certreload: no certificate for name")

type pair struct {
	cert     *tls.Certificate
	notAfter time.Time
}

// Keyring serves certificates by SNI name. Hosts can be added while it runs.
type Keyring struct {
	log      *slog.Logger
	fallback string

	certsMu sync.RWMutex
	certs   map[string]pair
}

func NewKeyring(fallback string, log *slog.Logger) *Keyring {
	return &Keyring{log: log, fallback: fallback, certs: map[string]pair{}}
}

func load(certFile, keyFile string) (pair, error) {
	c, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return pair{}, err
	}
	leaf, err := x509.ParseCertificate(c.Certificate[0])
	if err != nil {
		return pair{}, fmt.Errorf("parse leaf: %w", err)
	}
	c.Leaf = leaf
	return pair{cert: &c, notAfter: leaf.NotAfter}, nil
}

// Install reads a key pair from disk and serves it for the host from now on.
func (k *Keyring) Install(host, certFile, keyFile string) error {
	host = strings.ToLower(host)

	k.certsMu.RLock()
	updated := maps.Clone(k.certs)
	k.certsMu.RUnlock()

	p, err := load(certFile, keyFile)
	if err != nil {
		return fmt.Errorf("install %s: %w", host, err)
	}
	if time.Now().After(p.notAfter) {
		return fmt.Errorf("install %s: expired %s", host, p.notAfter.Format(time.RFC3339))
	}
	for name, old := range updated {
		if time.Now().After(old.notAfter) {
			delete(updated, name)
		}
	}
	updated[host] = p

	k.certsMu.Lock()
	k.certs = updated
	k.certsMu.Unlock()
	k.log.Info("certificate installed", "host", host, "expires", p.notAfter)
	return nil
}

// GetCertificate has the type that tls.Config wants.
func (k *Keyring) GetCertificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	k.certsMu.RLock()
	defer k.certsMu.RUnlock()
	for _, name := range []string{strings.ToLower(hello.ServerName), k.fallback} {
		if p, ok := k.certs[name]; ok {
			return p.cert, nil
		}
	}
	return nil, fmt.Errorf("%w: %q", ErrNoCertificate, hello.ServerName)
}

func (k *Keyring) TLSConfig() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: k.GetCertificate}
}
