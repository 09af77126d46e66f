package shared

import (
	"go/types"
	"strings"
)

// startsOne says whether the function starts one goroutine with what it is given.
func startsOne(fn *types.Func) bool {
	path := fn.Pkg().Path()
	return path == "golang.org/x/sync/errgroup" || !strings.Contains(path, ".") && fn.Name() != "HandleFunc"
}

// mayKeep says whether the function may call what it is given as its argument i at any time, and in any
// goroutine: those of other packages may, but for some of the standard library, and those
// of this one that do something else with it than calling it.
func (c *caller) mayKeep(fn *types.Func, i int) bool {
	if fn == nil || fn.Pkg() == nil {
		return true
	}
	switch fn.Pkg().Path() {
	case c.pkg.Types.Path():
		return !c.locks.OnlyCalls(fn, i)
	case "sync":
		return fn.Name() != "Do" && fn.Name() != "Range"
	case "bytes", "go/ast", "io/fs", "path/filepath", "slices", "sort", "strings":
		return false
	}
	return true
}
