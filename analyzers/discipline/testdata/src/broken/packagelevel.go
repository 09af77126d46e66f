package broken

import (
	"net"
	"sync"
)

type dialectOf struct{ quote string }

// What is said of fields holds for variables of the package beside its lock.
var (
	dialectMu      sync.RWMutex
	dialects       = map[string]*dialectOf{}
	defaultDialect *dialectOf
	dialectSocket  net.Listener
)

func AddDialect(name string, d *dialectOf) {
	dialectMu.Lock()
	defer dialectMu.Unlock()
	dialects[name] = d
}

func DropDialect(name string) {
	dialectMu.Lock()
	defer dialectMu.Unlock()
	delete(dialects, name)
}

func QuoteOf(name string) string {
	if d, ok := dialects[name]; ok { // want `dialects\[name\] is accessed here without the lock that all other functions hold for it: dialectMu in AddDialect`
		return d.quote
	}
	return ""
}

func UseDialect(d *dialectOf) {
	dialectMu.Lock()
	defaultDialect = d
	dialectMu.Unlock()
}

func DefaultDialect() *dialectOf {
	dialectMu.RLock()
	defer dialectMu.RUnlock()
	return defaultDialect
}

func DefaultQuote() string {
	return defaultDialect.quote // want `defaultDialect is read here without dialectMu, which all functions hold that write it, as UseDialect does`
}

func ServeDialects() error {
	dialectMu.Lock()
	defer dialectMu.Unlock()
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		return err
	}
	dialectSocket = l
	go acceptDialects()
	return nil
}

func acceptDialects() {
	for {
		c, err := dialectSocket.Accept() // want `dialectSocket is read here without dialectMu: what ServeDialects begins with the lock held runs on when it is released, while HangUpDialects writes it with the lock held`
		if err != nil {
			return
		}
		_ = c.Close()
	}
}

func HangUpDialects() {
	dialectMu.Lock()
	defer dialectMu.Unlock()
	if dialectSocket != nil {
		_ = dialectSocket.Close()
		dialectSocket = nil
	}
}
