package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// harmless are packages of the standard library whose functions and methods neither
// wait nor call anything but the functions that they are handed.
var harmless = []string{
	"bytes", "cmp", "container/list", "container/ring", "errors", "math", "math/bits", "math/big", "math/cmplx", "math/rand", "math/rand/v2",
	"maps", "path", "path/filepath", "slices", "strconv", "strings", "unicode", "unicode/utf16", "unicode/utf8", "unsafe", "time", "runtime",
	"crypto/md5", "crypto/sha1", "crypto/sha256", "crypto/sha512", "crypto/subtle", "encoding/binary", "encoding/hex", "encoding/base64",
	"hash/adler32", "hash/crc32", "hash/crc64", "hash/fnv", "hash/maphash", "html", "net/netip", "net/url",
}

// harmful are the exceptions: what waits, or calls a method of what it is handed.
var harmful = []string{
	"time.Sleep", "time.AfterFunc", "(*time.Timer).Reset", "runtime.Goexit", "runtime.GC", "runtime.Stack", "runtime.ReadMemStats",
	"runtime.SetFinalizer", "runtime.AddCleanup", "runtime.LockOSThread", "runtime.GOMAXPROCS", "errors.Is", "errors.As", "errors.Join",
	"encoding/binary.Read", "encoding/binary.Write", "path/filepath.Walk", "path/filepath.WalkDir", "path/filepath.Glob", "path/filepath.EvalSymlinks", "path/filepath.Abs",
}

// formatting are the functions of fmt that neither read nor write: they call nothing
// but the methods of their operands.
var formatting = []string{"fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln", "fmt.Append", "fmt.Appendf", "fmt.Appendln", "fmt.Errorf"}

// formatsPlainly says whether the call of f formats operands that have no methods and
// hold nothing that has: it calls nobody then.
func formatsPlainly(f *types.Func, c *ast.CallExpr, info *types.Info) bool {
	if f.Pkg() == nil || !slices.Contains(formatting, f.FullName()) || c.Ellipsis.IsValid() {
		return false
	}
	return !slices.ContainsFunc(c.Args, func(e ast.Expr) bool {
		t := info.TypeOf(e)
		return t == nil || !isPlain(t)
	})
}

// isPlain says whether t is a basic type, or a slice, array or map of such, without
// methods.
func isPlain(t types.Type) bool {
	if types.NewMethodSet(t).Len() > 0 || types.NewMethodSet(types.NewPointer(t)).Len() > 0 {
		return false
	}
	switch t := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return true
	case *types.Slice:
		return isPlain(t.Elem())
	case *types.Array:
		return isPlain(t.Elem())
	case *types.Map:
		return isPlain(t.Key()) && isPlain(t.Elem())
	}
	return false
}

// isHarmless says whether a call of f, of another package, surely does not wait.
func isHarmless(f *types.Func) bool {
	if f.Pkg() == nil {
		return false // error.Error and the like
	}
	if !slices.Contains(harmless, f.Pkg().Path()) || slices.Contains(harmful, f.FullName()) {
		return false
	}
	// What reads and writes calls the stream at the other end.
	for v := range f.Signature().Params().Variables() {
		if types.IsInterface(v.Type()) && !isConstraint(v.Type()) {
			return false
		}
	}
	return true
}

// isConstraint says whether t is a type parameter, which calls no method that the
// function does not name in its constraint: those of these packages name none.
func isConstraint(t types.Type) bool {
	_, ok := types.Unalias(t).(*types.TypeParam)
	return ok
}
