// Package guard keeps the panics of analyzers from those who run them.
package guard

import (
	"fmt"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Run returns what does the same as run, but for a panic: that becomes an error of one line,
// which names the package that was analysed and the line of ours that failed. It is safe
// for use by several goroutines if run is.
func Run(run func(*analysis.Pass) (any, error)) func(*analysis.Pass) (any, error) {
	return func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = nil, fmt.Errorf("internal error in %s, please report it: %v, at %s (analysing %s)",
					pass.Analyzer.Name, p, failed(), pass.Pkg.Path())
			}
		}()
		return run(pass)
	}
}

// failed is where the panic began: the first line below it that is not one of the runtime.
func failed() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(1, pcs)])
	panicked := false
	for {
		f, more := frames.Next()
		switch {
		case f.Function == "runtime.gopanic":
			panicked = true
		case panicked && !strings.HasPrefix(f.Function, "runtime."):
			return fmt.Sprintf("%s:%d", filepath.Base(f.File), f.Line)
		case !more:
			return "an unknown place"
		}
	}
}
