package shared

import (
	"go/types"

	"github.com/atomrace/atomrace/analyzers/accesses"
	"github.com/atomrace/atomrace/internal/pattern"
)

// contracts are the interfaces, by import path, whose documentation asks of all that implement them
// that several goroutines can call the methods of one object at the same time.
var contracts = map[string][]string{
	"net/http":            {"RoundTripper", "CookieJar"}, // "must be safe for concurrent use by multiple goroutines"
	"log/slog":            {"Handler"},                   // "may be called concurrently with itself or with other methods"
	"crypto/tls":          {"ClientSessionCache"},        // "should expect to be called concurrently from different goroutines"
	"golang.org/x/oauth2": {"TokenSource"},               // "must be safe for concurrent use by multiple goroutines"
	"github.com/prometheus/client_golang/prometheus": {"Collector"}, // "may be called concurrently and must therefore be implemented in a concurrency safe way"
	"google.golang.org/grpc/balancer":                {"Picker"},    // picks for each call of a connection
}

// standIns are the names of types that take the place of others in tests, which call one method
// after the other.
var standIns = pattern.New(`(?i)fake|mock|stub|dummy|spy|test|record|replay`)

// findContracted finds the methods of the package that such an interface asks for. What a type has
// besides, to be set up with, is not among them.
func (r *Result) findContracted() {
	r.contracted = map[*types.Func]bool{}
	for _, imported := range r.pkg.Types.Imports() {
		for _, name := range contracts[imported.Path()] {
			tn, ok := imported.Scope().Lookup(name).(*types.TypeName)
			if !ok {
				continue
			}
			contract, ok := tn.Type().Underlying().(*types.Interface)
			if !ok {
				continue
			}
			for fn := range r.pkg.ByFunc {
				recv := fn.Signature().Recv()
				if recv == nil || !asksFor(contract, fn.Name()) {
					continue
				}
				own := accesses.TypeName(recv.Type())
				if own == nil || r.forOne[own] || standIns.MatchString(own.Name()) {
					continue
				}
				if named, ok := own.Type().(*types.Named); ok && named.TypeParams().Len() == 0 && types.Implements(types.NewPointer(named), contract) {
					r.contracted[fn] = true
				}
			}
		}
	}
}

// Contracted says whether the body is that of a method which several goroutines can call on one
// object by the contract of the interface that asks for it.
func (r *Result) Contracted(b *accesses.Body) bool { return b.Func != nil && r.contracted[b.Func] }

func asksFor(contract *types.Interface, method string) bool {
	for m := range contract.Methods() {
		if m.Name() == method {
			return true
		}
	}
	return false
}
