package shared

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// contracts are the interfaces, by import path, whose documentation asks of all that implement them
// that several goroutines can call the methods of one object at the same time.
var contracts = map[string][]string{
	"context":                   {"Context"},                   // "may be called by multiple goroutines simultaneously"
	"crypto/tls":                {"ClientSessionCache"},        // "should expect to be called concurrently from different goroutines"
	"database/sql/driver":       {"Connector"},                 // makes connections "for use by multiple goroutines"
	"io":                        {"ReaderAt"},                  // "can execute parallel ReadAt calls on the same input source"
	"log/slog":                  {"Handler"},                   // "may be called concurrently with itself or with other methods"
	"net/http":                  {"RoundTripper", "CookieJar"}, // "must be safe for concurrent use by multiple goroutines"
	"golang.org/x/oauth2":       {"TokenSource"},               // "must be safe for concurrent use by multiple goroutines"
	"github.com/IBM/sarama":     {"ConsumerGroupHandler"},      // "likely be called from several goroutines concurrently"
	"github.com/Shopify/sarama": {"ConsumerGroupHandler"},      // the same by its former name
	"github.com/go-kit/kit/log": {"Logger"},                    // "must be safe for concurrent use by multiple goroutines"
	"github.com/go-kit/log":     {"Logger"},                    // the same by its later name
	"github.com/prometheus/client_golang/prometheus": {"Collector", "Metric"}, // "may be called concurrently and must therefore be implemented in a concurrency safe way"
	"github.com/sirupsen/logrus":                     {"Hook"},                // fired for each entry, without the lock of the logger
	"google.golang.org/grpc/balancer":                {"Picker"},              // picks for each call of a connection
	"google.golang.org/grpc/credentials":             {"PerRPCCredentials"},   // asked for each call of a connection
	"google.golang.org/grpc/encoding":                {"Codec", "CodecV2"},    // "must be thread safe; a Codec's methods can be called from concurrent goroutines"
	"google.golang.org/grpc/stats":                   {"Handler"},             // told of each call of a connection or server
}

// twoWays are interfaces of package net, whose documentation lets several goroutines call methods of one
// object at the same time: "Multiple goroutines may invoke methods on a Conn simultaneously." In practice one
// of them reads while another one writes, and a third one closes.
var twoWays = []string{"Conn", "Listener", "PacketConn"}

// onceEach are methods of such interfaces that are called once, before the others or after them.
var onceEach = map[string]bool{"Setup": true, "Cleanup": true} // of a ConsumerGroupHandler

// standIns are the names of types that take the place of others in tests, which call one method
// after the other.
var standIns = pattern.New(`(?i)fake|mock|stub|dummy|spy|test|record|replay`)

// findContracted finds the methods of the package that such an interface asks for. What a type has
// besides, to be set up with, is not among them.
func (r *Result) findContracted() {
	r.contracted, r.simultaneous = map[*types.Func]bool{}, map[*types.Func]bool{}
	for _, imported := range r.pkg.Types.Imports() {
		for _, name := range contracts[imported.Path()] {
			r.findMethodsOf(imported, name, r.contracted)
		}
		if imported.Path() == "net" {
			for _, name := range twoWays {
				r.findMethodsOf(imported, name, r.simultaneous)
			}
		}
	}
}

// findMethodsOf adds to found the methods that the interface of that name in the imported package asks
// for, of types that implement it. Who has a ReaderAt of the package's own mostly reads it alone.
func (r *Result) findMethodsOf(imported *types.Package, name string, found map[*types.Func]bool) {
	tn, ok := imported.Scope().Lookup(name).(*types.TypeName)
	if !ok {
		return
	}
	contract, ok := tn.Type().Underlying().(*types.Interface)
	if !ok {
		return
	}
	for fn := range r.pkg.ByFunc {
		recv := fn.Signature().Recv()
		if recv == nil || onceEach[fn.Name()] || !asksFor(contract, fn.Name()) {
			continue
		}
		own := accesses.TypeName(recv.Type())
		if own == nil || name == "ReaderAt" && !own.Exported() || r.forOne[own] || standIns.MatchString(own.Name()) {
			continue
		}
		if named, ok := own.Type().(*types.Named); ok && named.TypeParams().Len() == 0 && types.Implements(types.NewPointer(named), contract) {
			found[fn] = true
		}
	}
}

// Contracted says whether the body is that of a method which several goroutines can call on one
// object by the contract of the interface that asks for it.
func (r *Result) Contracted(b *accesses.Body) bool { return b.Func != nil && r.contracted[b.Func] }

// Simultaneous says whether the body is that of a method of a connection or listener, which goroutines
// call while another one calls another one of its methods.
func (r *Result) Simultaneous(b *accesses.Body) bool { return b.Func != nil && r.simultaneous[b.Func] }

func asksFor(contract *types.Interface, method string) bool {
	for m := range contract.Methods() {
		if m.Name() == method {
			return true
		}
	}
	return false
}
