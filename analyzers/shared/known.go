package shared

import (
	"encoding/json"
	"go/types"
	"os"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// callersFile is the flag callers of Analyzer: a file with the [Known] of packages.
var callersFile string

func init() {
	Analyzer.Flags.StringVar(&callersFile, "callers", "", "the `file` that says who calls the functions of packages (see package callers)")
}

// Known says, by package and function (see [Caller.Name]), in which goroutines of the program other packages call
// it. Of a function that is not in it, nothing is known: anybody may call it.
type Known map[string]map[string][]string

// Who calls a function.
const (
	// FromMain is the goroutine of main and of the inits.
	FromMain = "main"
	// FromGoroutine precedes the name of a goroutine that is started once.
	FromGoroutine = "go "
	// WithLock precedes the class of a lock that all who call it hold.
	WithLock = "lock "
	// OnceEach is whoever has made the object, for whom the function starts goroutines.
	OnceEach = "once"
	// ForEach are goroutines of which each has an object of its own.
	ForEach = "each"
)

// readKnown reads what there is on the callers of the package.
func (r *Result) readKnown() error {
	if callersFile == "" {
		return nil
	}
	data, err := os.ReadFile(callersFile)
	if err != nil {
		return err
	}
	var known Known
	if err := json.Unmarshal(data, &known); err != nil {
		return err
	}
	r.known = known[r.pkg.Types.Path()]
	return nil
}

// rootsOfCallers are the roots of an exported function of whose callers all is known; it is
// not ok if nothing is. by has the roots made so far, api is that of all others.
func (r *Result) rootsOfCallers(fn *types.Func, by map[string]int) (roots []int, ok bool) {
	who, ok := r.known[fn.FullName()]
	if !ok || r.saysSafe(fn) {
		return nil, false
	}
	for _, caller := range who {
		if _, made := by[caller]; !made {
			switch {
			case caller == OnceEach:
				by[caller] = r.newRoot(API, false, "its caller")
			case caller == ForEach && fn.Signature().Recv() != nil:
				by[caller] = r.newRoot(Goroutine, true, "goroutines started in a loop")
				r.roots[by[caller]].waited = true
				r.roots[by[caller]].each = map[*types.TypeName]bool{}
				r.parts(accesses.TypeName(fn.Signature().Recv().Type()), r.roots[by[caller]].each, 0)
			case caller == FromMain: // which need not wait for the goroutines of this package
				by[caller] = r.newRoot(Goroutine, false, "the main goroutine")
			case strings.HasPrefix(caller, FromGoroutine):
				by[caller] = r.newRoot(Goroutine, false, "a goroutine")
			default:
				by[caller] = r.newRoot(API, false, "its caller")
			}
			r.roots[by[caller]].outside = true
		}
		roots = append(roots, by[caller])
	}
	slices.Sort(roots)
	return roots, true
}

// saysSafe says whether the comment of the method's type says that several goroutines may use it.
func (r *Result) saysSafe(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	if recv == nil {
		return false
	}
	tn := accesses.TypeName(recv.Type())
	return tn != nil && r.documented[tn]
}
