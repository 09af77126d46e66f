package heal

// Mode says how a location accesses its variable; a bit set, with the same
// bits as the access sets of the specification.
type Mode uint8

// The modes of an access. A read-modify-write (CompareAndSwap, Add, Swap,
// LoadOrStore) is ReadWrite.
const (
	Read      Mode = 1
	Write     Mode = 2
	ReadWrite Mode = Read | Write
)

// String returns "read", "write", "read-write", or "none".
func (m Mode) String() string {
	switch m & ReadWrite {
	case Read:
		return "read"
	case Write:
		return "write"
	case ReadWrite:
		return "read-write"
	}
	return "none"
}

// set renders m as an access set: "{read}", "{}".
func (m Mode) set() string {
	switch m & ReadWrite {
	case 0:
		return "{}"
	case ReadWrite:
		return "{read, write}"
	}
	return "{" + m.String() + "}"
}

// Policy says how violations are healed (papers/001 section 5). Policies are
// ordered by strength.
type Policy uint8

// The healing policies.
const (
	PolicyInherit Policy = iota // follow ATOMRACE
	PolicyOff                   // only watch
	PolicyAuto                  // watch; heal a section once it was broken, by the lock if that is assured, else by yielding
	PolicyYield                 // others back off while a goroutine is in a section or about to access
	PolicyLock                  // sections and single accesses take a healing lock
)

// String returns the word that ATOMRACE uses for p.
func (p Policy) String() string {
	switch p {
	case PolicyOff:
		return "off"
	case PolicyAuto:
		return "auto"
	case PolicyYield:
		return "yield"
	case PolicyLock:
		return "lock"
	}
	return "inherit"
}

// Variable is one variable of the program, as the rewriter's tables name it.
// Tables must be addressable memory: heal keeps private state in them. The
// same variable may stand in the tables of several packages; Package and Name
// decide.
type Variable struct {
	Package string // import path of the package that declares it
	Name    string // "Type.field", "name", "func.name"; "[]" appended for the contents
	Type    string // its Go type, for reports

	// Policy is the strongest policy of the variable's sections. Single
	// accesses and Holds obey it from the start of the program, before any
	// section of the variable has been entered.
	Policy Policy

	Kind Kind // of its memory, for reports

	// Guard names the healing lock that the variable has in common with others of its
	// package: it is a set of variables (Members), or in one, at Offset from the
	// struct that the set is in, or for package-level variables Global.
	Guard   string
	Offset  uintptr
	Global  bool
	Members []string

	known *variable // see registry.go
}

// Section is an atomic section over one variable: papers/001 section 3.2.
type Section struct {
	ID       string
	Pattern  string
	Var      *Variable
	Policy   Policy // overrides ATOMRACE's heal for this section
	Circular bool   // entry and end are one location, and its first visit does not end it
	Apart    bool   // may end in another activation than the one in which it began

	// Assured says that nothing that runs while the section holds its healing lock
	// can wait for somebody who waits for that lock: papers/001 section 5.1, decided
	// by the rewriter. PolicyAuto takes the lock for such sections alone.
	Assured   bool
	Assurance string // why, or why not; for people

	// Doubt says why a violation does no harm, as far as the code tells. It is told of
	// then, and changes no status: ExitCode, Watch.
	Doubt string

	known *sectionState // see registry.go
}

// End makes a location an end point of a section: Allow is the set A of
// foreign accesses which do not break the section when it ends here. In a section
// over a set of variables, Also has those to one of them that do not, besides.
type End struct {
	Section *Section
	Allow   Mode
	Also    []MemberAccess
}

// MemberAccess is an access to a variable of a set.
type MemberAccess struct {
	Variable string // as in Variable.Name
	Mode     Mode
}

// String is the access as the specification has it: "read Config.port".
func (m MemberAccess) String() string { return m.Mode.String() + " " + m.Variable }

// allows are the modes in which others may access the variable of l.
//
//go:norace
func (e *End) allows(l *Location) Mode {
	set := e.Allow
	for i := range e.Also {
		if l.of() != nil && l.of().Name == e.Also[i].Variable {
			set |= e.Also[i].Mode
		}
	}
	return set
}

// Location is an access in the source. A program that is watched for races has one for
// each access to shared memory, and the garbage collector reads them: what several have in
// common, and what few of them have, is elsewhere.
type Location struct {
	Var *Variable
	*Function
	Bounds *Bounds // nil: there is nothing to say

	Mode  Mode
	Race  bool   // the access also takes part in the primitive race detection
	Full  bool   // it has hooks for sections, too: the noise is theirs
	Call  bool   // a call of a function that has hooks of its own: it begins and ends sections, and breaks none
	quick uint32 // generation for which the quick way is open, see quick.go
	fast  uint32 // generation for which the fast way is open, see fast.go

	// Column is in bytes, from 1; Ordinal counts the accesses to Var in Func, as in
	// the specification. 0 is unknown.
	Line, Column, Ordinal int32

	CodeStart, CodeEnd uint16 // where the code of the access is in the text of the function

	met    bool   // the sections of Entry are registered
	traced uint8  // foreign accesses of which it is known who started their goroutine
	noisy  uint16 // whether noise_at names it, and under which settings: see noise.go
	warmth
}

// Function is one with locations in it.
type Function struct {
	File string
	Func string
	Text string // with the code of the locations
}

// Bounds are the sections that begin and end at a location. Entry lists those that begin
// before it, Ends those that end after it.
type Bounds struct {
	Entry []*Section
	Ends  []End

	// Sets are the same access as one to the sets of variables that Var is in, and
	// Of is in those the member that is accessed. Sections over a set begin and end
	// there.
	Sets []*Location
	Of   *Variable
}

// Code is the access as it stands in the source.
func (l *Location) Code() string { return l.Text[l.CodeStart:l.CodeEnd] }

//go:norace
func (l *Location) entries() []*Section {
	if l.Bounds == nil {
		return nil
	}
	return l.Bounds.Entry
}

//go:norace
func (l *Location) endings() []End {
	if l.Bounds == nil {
		return nil
	}
	return l.Bounds.Ends
}

//go:norace
func (l *Location) sets() []*Location {
	if l.Bounds == nil {
		return nil
	}
	return l.Bounds.Sets
}

//go:norace
func (l *Location) of() *Variable {
	if l.Bounds == nil {
		return nil
	}
	return l.Bounds.Of
}

// ends returns the end point of s at l, or nil.
//
//go:norace
func (l *Location) ends(s *Section) *End {
	all := l.endings()
	for i := range all {
		if all[i].Section == s {
			return &all[i]
		}
	}
	return nil
}

// warmth is what the noise has learnt of a location; see adaptive.go.
type warmth struct {
	tries     [spots]uint16 // delays so far
	suspected bool          // took part in an interleaving that was worth a look
	recalled  bool          // what an earlier run has learnt is in
}

// spot is where a delay stands, seen from its location. Each cools down for itself:
// a section may begin often and go on to the second spot or the third one rarely.
type spot uint8

const (
	ahead   spot = iota // of the access
	inside              // the section that has just begun there
	between             // two critical sections of the program's own lock, while that section is open
	spots
)
