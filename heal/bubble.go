//go:build !atomrace_off

package heal

import "time"

// inBubble reports whether the caller runs in a bubble of testing/synctest. There a sleep
// is what nothing else is: it lets synctest.Wait return, which orders what was done before,
// and moves the clock. What the program does not ask for must not sleep there. Only a
// bubble's clock has no monotonic reading.
func inBubble() bool {
	now := time.Now()
	return now == now.Round(0)
}
