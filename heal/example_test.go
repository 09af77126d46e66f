//go:build !atomrace_off

package heal_test

import (
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

// The counters go to the log, too. (See Stats for expvar, which is not used here only because
// it brings net/http, and with it half of the library, into every build of these tests.)
func ExampleStats() {
	slog.Info("atomrace", "counters", heal.Stats(), "sections", heal.Sections())
}
