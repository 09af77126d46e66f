//go:build !unix && !atomrace_off

package heal

import "time"

var programBegan = time.Now()

// usedTime stands for the processor time where it is not to be had: it counts the
// time that the program waits as well, of all phases alike.
func usedTime() time.Duration { return time.Since(programBegan) }
