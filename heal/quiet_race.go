//go:build !atomrace_off && race

package heal

import "runtime"

// raceBuild says that the race detector watches.
const raceBuild = true

// quiet and loud bracket heal's own synchronisation, so that the race
// detector neither takes it for the host's nor is blinded by its ordering.
func quiet() { runtime.RaceDisable() }
func loud()  { runtime.RaceEnable() }
