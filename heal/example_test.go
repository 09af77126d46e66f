//go:build !atomrace_off

package heal_test

import (
	"expvar"
	"log/slog"

	"github.com/atomrace/atomrace/heal"
)

// Violations go to the program's own log, each distinct one once.
func ExampleOnViolation() {
	heal.OnViolation(func(x heal.Violation) {
		if x.Count == 1 {
			slog.Warn(x.Kind, x.Attrs()...)
		}
	})
}

// The counters are published among the program's others.
func ExampleStats() {
	expvar.Publish("atomrace", expvar.Func(func() any { return heal.Stats() }))
	expvar.Publish("atomrace.sections", expvar.Func(func() any { return heal.Sections() }))
}
