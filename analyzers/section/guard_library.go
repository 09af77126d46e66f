package section

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/atomrace/atomrace/analyzers/accesses"
)

// libraryChanges are, by package and type of the standard library, the methods that change
// their object, which has no lock of its own. A name that ends in * stands for all that begin
// with it.
var libraryChanges = map[string][]string{
	"container/list.List":      {"Init", "Insert*", "Move*", "Push*", "Remove"},
	"container/ring.Ring":      {"Link", "Unlink"},
	"bytes.Buffer":             {"Grow", "Next", "Read*", "Reset", "Truncate", "Unread*", "Write*"},
	"bytes.Reader":             {"Read", "ReadByte", "ReadRune", "Reset", "Seek", "Unread*", "WriteTo"},
	"strings.Builder":          {"Grow", "Reset", "Write*"},
	"strings.Reader":           {"Read", "ReadByte", "ReadRune", "Reset", "Seek", "Unread*", "WriteTo"},
	"bufio.Reader":             {"Discard", "Peek", "Read*", "Reset", "Unread*", "WriteTo"},
	"bufio.Writer":             {"Flush", "ReadFrom", "Reset", "Write*"},
	"bufio.Scanner":            {"Scan"},
	"encoding/csv.Reader":      {"Read*"},
	"encoding/csv.Writer":      {"Flush", "Write*"},
	"net/http.Header":          {"Add", "Del", "Set"},
	"net/textproto.MIMEHeader": {"Add", "Del", "Set"},
	"net/url.Values":           {"Add", "Del", "Set"},
}

// libraryChangesGiven are functions of the standard library that change what their first
// argument refers to.
var libraryChangesGiven = map[string][]string{
	"container/heap": {"Fix", "Init", "Pop", "Push", "Remove"},
	"maps":           {"Copy", "DeleteFunc", "Insert"},
	"slices":         {"Reverse", "Sort", "SortFunc", "SortStableFunc"},
	"sort":           {"Float64s", "Ints", "Slice", "SliceStable", "Sort", "Stable", "Strings"},
}

// libraryMutation is the mutation of a function of the standard library.
func libraryMutation(fn *types.Func) mutation {
	if fn.Pkg() == nil {
		return 0
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		if slices.Contains(libraryChangesGiven[fn.Pkg().Path()], fn.Name()) {
			return ofReceiver << 1
		}
		return 0
	}
	if drawsAtRandom(fn) {
		return ofReceiver
	}
	tn := accesses.TypeName(recv.Type())
	if tn == nil {
		return 0
	}
	for _, name := range libraryChanges[fn.Pkg().Path()+"."+tn.Name()] {
		if begin, all := strings.CutSuffix(name, "*"); name == fn.Name() || all && strings.HasPrefix(fn.Name(), begin) {
			return ofReceiver
		}
	}
	return 0
}

// writing are functions that write to what they are given first.
var writing = map[string][]string{
	"fmt": {"Fprint", "Fprintf", "Fprintln"},
	"io":  {"WriteString", "Copy", "CopyN", "CopyBuffer"},
}

// writesTo is the mutation of a function that writes to what it is given first, where that is of a
// type whose Write changes it without a lock: fmt.Fprint(x.buffered, text).
func (s *search) writesTo(fn *types.Func, call *ast.CallExpr) mutation {
	if fn.Pkg() == nil || fn.Signature().Recv() != nil || len(call.Args) == 0 || !slices.Contains(writing[fn.Pkg().Path()], fn.Name()) {
		return 0
	}
	tn := accesses.TypeName(s.pkg.Info.TypeOf(call.Args[0]))
	if tn == nil || tn.Pkg() == nil || !slices.ContainsFunc(libraryChanges[tn.Pkg().Path()+"."+tn.Name()], func(name string) bool { return strings.HasPrefix(name, "Write") }) {
		return 0
	}
	return ofReceiver << 1
}

// isStream says whether the method is of a reader or writer, which one goroutine mostly uses.
func isStream(fn *types.Func) bool {
	if fn == nil || fn.Pkg() == nil {
		return false
	}
	switch fn.Pkg().Path() {
	case "bufio", "encoding/csv":
		return true
	case "bytes", "strings":
		recv := fn.Signature().Recv()
		if recv == nil {
			return false
		}
		tn := accesses.TypeName(recv.Type())
		return tn != nil && tn.Name() == "Reader"
	}
	return false
}
