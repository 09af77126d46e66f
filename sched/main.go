package sched

// Variable is the environment variable that Main obeys.
const Variable = "ATOMRACE_SCHED"

// Exit codes of a program under Main. Those of the program itself stay as they are.
const (
	ExitDeadlock = 67 // nobody can run any more; the report is on standard error
	ExitLimit    = 68 // Options.Limit decisions were not enough
	ExitOptions  = 69 // ATOMRACE_SCHED cannot be read; nothing was run
)

// Main calls run in the calling goroutine, under control if the environment
// variable ATOMRACE_SCHED is set and plainly otherwise. Its value is a list of
// settings, name=value separated by commas, as ParseOptions reads them.
//
// Main returns when run returns; the goroutines that are left then stay where
// they are. Under control it ends the process with ExitDeadlock or ExitLimit
// where those are the outcome. A panic and Goexit pass through it. In each of
// these cases the Result is written first, if Options.Record says where.
func Main(run func()) { run() }

// Active says whether the calling goroutine is under control.
func Active() bool { return false }

// Flush writes the Result as it is now to Options.Record. It belongs before
// os.Exit, which no goroutine returns from; code is the process's exit code.
func Flush(code int) {}

// Go is the go statement: it starts f as a goroutine under control if the caller
// is, and as a plain one otherwise.
func Go(f func()) { go f() }

// Yield is runtime.Gosched: a scheduling point and nothing else.
func Yield() bool { return false }

// Intn returns a number in [0, n) that follows from the seed, for map iteration
// order and the like. Outside of control it is as random as math/rand.
func Intn(n int) int { return 0 }

// Uint64 returns 64 bits that follow from the seed, and true under control.
func Uint64() (uint64, bool) { return 0, false }
