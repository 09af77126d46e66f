package section

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/analysis"

	"github.com/atomrace/atomrace/atomicity"
	"github.com/atomrace/atomrace/atomicity/access"
)

// A Candidate is one inferred atomic section: an entry access, the accesses
// that may end it, and what the analysis knows about its safety.
type Candidate struct {
	// Package is the import path of the package.
	Package string
	// Variable is the variable that the section is about; Name and Type are
	// its name and type as atomicity.yaml writes them.
	Variable access.Var
	Name     string
	Type     string
	// EndName is the variable that Ends access, where that is another one; a section
	// over both may speak of the candidate then.
	EndName string
	// Pattern is the section's, also when Section is nil.
	Pattern atomicity.Pattern
	// Analyzer is the name of the analyzer that reports it.
	Analyzer string
	// Section is ready for the spec: pattern, function, entry, ends with
	// their sets A, origin, status candidate. Its ID is numbered within the
	// package. It is nil when the sequence spans more than one function,
	// which the spec cannot express: such a candidate is a diagnostic only.
	Section *atomicity.Section
	// Entry and Ends are the very accesses that Section's locations name.
	// One that a function of another package makes has no Stmt, Scope or Func.
	Entry *access.Access
	Ends  []*access.Access
	// Exits are the returns reachable from the entry without passing an end.
	// The spec does not name them; they allow every foreign access.
	Exits []ast.Node
	// Via is the call through which Entry happens when it lies in a callee,
	// and EndVia likewise for Ends; nil when it lies in the function itself.
	Via    *ast.CallExpr
	EndVia *ast.CallExpr
	// Within and EndWithin are where the callees make the accesses; for one
	// of another package, the start of the line.
	Within, EndWithin token.Pos

	// Bare is a call of the function without the lock that other callers hold, where that
	// is what leaves the sequence unprotected; else nil.
	Bare *ast.CallExpr

	// Category is the stable id of the diagnostic, such as "unlock-relock".
	Category string
	// Protected names the lock that is held at the entry and at the end but
	// not from one to the other ("p.mu"), or is empty.
	Protected string
	// Shared says that more than one goroutine can reach the variable here
	// and at least one of them writes it; Evidence says why in a few words.
	Shared   bool
	Evidence string
	// Sure says that the candidate is worth a person's attention: it is
	// reported as a diagnostic. Others are for atomicity.yaml alone.
	Sure bool
	// Doubt says in a few words why it is not sure, where the analysis has
	// weighed that. Such candidates are reported on request.
	Doubt string

	// Alike is the same for candidates of a package of which one tells about the
	// others: the first that nobody ignores is reported. It may be empty.
	Alike string
	// Ignored says that a directive silences the category at the entry.
	Ignored bool
	// Message is the text of the diagnostic, Roles what happens at Pos and at
	// EndPos, where the pattern does not tell.
	Message string
	Roles   [2]string
	// Pos and EndPos are where the sequence starts and where it is acted on.
	Pos, EndPos token.Pos
	// Fixes are edits that are surely right.
	Fixes []analysis.SuggestedFix
}
