package accesses

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/internal/pattern"
)

var callerHolds = pattern.New(`\block(s|ed)?\b[^.]*\b(held|taken|acquired)\b|\b(hold|holds|holding|held)\b[^.]*(\block|mutex|\bmu\b|mu\b)|(mutex|\bmu\b|mu\b)[^.]*\b(held|locked)\b|\b(must|should|is|be)\b[^.]*\blocked\b|called (with|under) [^.]*lock|not\s+(be\s+)?(called\s+)?(safe|concurrent|thread|goroutine)[- ]`)

// aboutLocks are of which one is in all that callerHolds matches: most sentences have none, and
// looking for them is cheaper.
var aboutLocks = []string{"lock", "mu", "safe", "concurrent", "thread", "goroutine"}

// callerDoesNotHold matches what forbids to hold the lock, or says that there is
// no need to.
var callerDoesNotHold = pattern.New(`(\bnot|\bnever|n't|\bcannot|\bwithout)\s+(\w+\s+){0,3}(held|hold|holding|locked|taken|acquired)\b`)

// SaysLocked says whether name or comment of the function say that its caller holds a
// lock or otherwise keeps others out.
func SaysLocked(d *ast.FuncDecl) bool {
	name := strings.ToLower(d.Name.Name)
	for _, part := range []string{"locked", "withlock", "underlock", "nolock", "unlocked", "lockheld", "unsafe"} {
		if strings.HasSuffix(name, part) {
			return true
		}
	}
	if d.Doc == nil {
		return false
	}
	for sentence := range strings.SplitSeq(strings.ToLower(d.Doc.Text()), ".") {
		if slices.ContainsFunc(aboutLocks, func(word string) bool { return strings.Contains(sentence, word) }) && callerHolds.MatchString(sentence) && !callerDoesNotHold.MatchString(sentence) {
			return true
		}
	}
	return false
}

var runNames = pattern.New(`^(Run|Start|Serve|Loop|Init|Initialize|Setup|Bootstrap)$`)

// Runs says whether the name is that of a method by which an object is set going once.
func Runs(name string) bool { return runNames.MatchString(name) }

var settingGoing = pattern.New(`^(?i:(on)?(run|start|serve|loop|init|initiali[sz]e|setup|bootstrap|open|connect|reset|load|restore|recover))($|[^a-z])`)

// oneOfMany are the names of methods that begin like these and are called for each request, key or
// peer.
var oneOfMany = pattern.New(`^(?i:serve(HTTP|DNS|Conn|Request|Codec)|load(Or|And)[A-Z])`)

// goingOn begins the names of functions that go on as long as what they are given does.
var goingOn = pattern.New(`^(?i:run|serve|loop)($|[^a-z])`)

// GoesOn says whether the name is that of a function that serves one thing, such as a
// connection, until that ends.
func GoesOn(name string) bool { return goingOn.MatchString(name) }

// startsOver are the names of methods that begin to count anew while others go on.
var startsOver = pattern.New(`^(?i:reset\w*(stat|count|metric|total|usage|window|quota))`)

// SetsGoing says whether the name is that of a function that readies an object, for the
// first time or again.
func SetsGoing(name string) bool {
	return settingGoing.MatchString(name) && !startsOver.MatchString(name) && !oneOfMany.MatchString(name)
}

var copying = pattern.New(`(?i)clone|copy|intern|tostring|string$`)

// Copies says whether the name is that of a function whose result is what it was given, in another place
// or form: as a key it is the same one.
func Copies(name string) bool { return copying.MatchString(name) }
