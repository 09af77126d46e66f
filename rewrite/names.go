package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/atomrace/atomrace/atomicity/access"
	"golang.org/x/tools/go/packages"
)

// Names that the emitted code uses. No Go style guide suggests a name that
// begins like them, so they neither clash with nor are shadowed by the
// program's own.
const (
	healName     = "_ar_heal"
	schedName    = "_ar_sched"
	unsafeName   = "_ar_unsafe"
	testingName  = "_ar_testing"
	frameName    = "_ar_f"
	selfName     = "_ar_g"
	tempPrefix   = "_ar_t"
	marksPrefix  = "_ar_m"
	touchPrefix  = "_ar_w"
	wordPrefix   = "_ar_u"
	labelPrefix  = "_ar_l"
	definePrefix = "_ar_d"
	resultPrefix = "_ar_r"
	endLabel     = "_ar_end"
)

const (
	shadowHealPath  = "atomrace/heal" // in the shadow GOROOT
	shadowSchedPath = "atomrace/sched"
)

// HealPath is the import path of the runtime for people.
const HealPath = "github.com/atomrace/atomrace/heal"

// SchedPath is the import path of the scheduler for people.
const SchedPath = "github.com/atomrace/atomrace/sched"

// rewrittenMark tells that a file was rewritten for people; rewrittenText tells
// them.
const (
	rewrittenMark = "//atomrace:rewritten"
	rewrittenText = " 'atomrace rewrite -undo' restores the original."
)

// isUninstrumentable says whether a declaration must stay as it is: its
// compiler directives promise something that a hook would break.
func isUninstrumentable(d *ast.FuncDecl, file *ast.File) bool {
	if d == nil {
		return false
	}
	if d.Doc != nil {
		for _, c := range d.Doc.List {
			for _, directive := range []string{
				"//go:nosplit", "//go:norace", "//go:nowritebarrier", "//go:systemstack",
				"//go:linkname", "//go:nocheckptr", "//go:uintptrescapes", "//go:cgo_",
			} {
				if strings.HasPrefix(c.Text, directive) {
					return true
				}
			}
		}
	}
	for _, group := range file.Comments {
		for _, c := range group.List {
			if f := strings.Fields(c.Text); len(f) >= 2 && f[0] == "//go:linkname" && f[1] == d.Name.Name {
				return true
			}
		}
	}
	return false
}

// testFilesDeclare says whether a _test.go file next to the package's files
// declares the function: then a spec for it is not stale, only not in this
// build.
func testFilesDeclare(pkg *packages.Package, function string) bool {
	for _, dir := range directories(pkg.GoFiles) {
		for _, file := range goTestFiles(dir) {
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				continue
			}
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && access.FunctionName(d) == function {
					return true
				}
			}
		}
	}
	return false
}
