package atomicity

import (
	"fmt"
	"strings"
)

// Pattern is the kind of a section: the shape of code it was recognised by.
type Pattern string

const (
	// LoadAndStore is a value that is read, changed and written back, as in
	// x++ or x = f(x) (papers/001 section 4.1).
	LoadAndStore Pattern = "load-and-store"
	// TestAndUse is a value that is tested and then relied upon, as in
	// if x != nil { x.f } (papers/001 section 4.1).
	TestAndUse Pattern = "test-and-use"
	// AccessInterleaving is a pair of accesses between which some foreign
	// accesses cannot be serialised (papers/001 section 4.2). infer adds such
	// sections with -pattern access-interleaving alone: most of them mean
	// nothing, and runs must tell which do.
	AccessInterleaving Pattern = "access-interleaving"
	// User is a section that a person wrote and no analyzer recognises.
	User Pattern = "user"
)

// Status is what a person has decided about a section.
type Status string

const (
	// Candidate is a section that an analyzer proposed and nobody has judged
	// yet. It is watched.
	Candidate Status = "candidate"
	// Confirmed is a section that a person says must be atomic. It is watched.
	Confirmed Status = "confirmed"
	// Rejected is a section that a person says need not be atomic, for the
	// reason given. It is not watched, and infer does not propose it again.
	Rejected Status = "rejected"
)

// Healing is what is done for one section when another goroutine breaks in.
type Healing string

const (
	// HealDefault leaves it to the heal key of ATOMRACE. In the file the field
	// is then absent.
	HealDefault Healing = ""
	// HealOff reports only.
	HealOff Healing = "off"
	// HealAuto reports only until the section has been seen broken, and from
	// then on heals it: by the lock where the build found that safe, else by
	// yielding.
	HealAuto Healing = "auto"
	// HealYield makes intruders give way while the section is open.
	HealYield Healing = "yield"
	// HealLock guards the variable with a healing lock (papers/001 section 5).
	HealLock Healing = "lock"
)

// Staleness is why the last infer did not find a section again.
type Staleness string

const (
	// NotStale is a section that was found. In the file the field is then
	// absent.
	NotStale Staleness = ""
	// Gone is a section whose code is not there any more.
	Gone Staleness = "gone"
	// NotInferred is a section whose code is there, but which the analyzers do
	// not propose any more: it is protected now, or one goroutine owns what it
	// is about.
	NotInferred Staleness = "not-inferred"
)

// Assurance is by what PolicyAuto would heal a section, and where that is not
// the lock, why: the healing assurance of papers/001 section 5.1. It is the text
// of the file; see Assured and NotAssured.
type Assurance string

// Assured is the Assurance of a section that may hold the healing lock.
const Assured Assurance = "lock"

// NotAssured is the Assurance of a section that may not, for a reason on one line.
func NotAssured(because string) Assurance { return Assurance(yieldBecause + because) }

const yieldBecause = string(HealYield) + ", because "

// Heal is HealLock or HealYield, or HealDefault if the assurance is not known.
func (a Assurance) Heal() Healing {
	switch {
	case a == Assured:
		return HealLock
	case a != "":
		return HealYield
	}
	return HealDefault
}

// Because says why the lock is not assured; empty when it is, or not known.
func (a Assurance) Because() string {
	because, _ := strings.CutPrefix(string(a), yieldBecause)
	if a == Assured {
		return ""
	}
	return because
}

// Location is one access to the variable of its section, inside the section's
// function. Ordinal and Code say which access it is, so that it is found again
// after the code around it was edited; at least one of the two is given.
type Location struct {
	// Access is the mode of the access: read or write, never both, since x++
	// is two accesses.
	Access AccessSet `yaml:"access" spec:"required" example:"read"`
	// Code is the innermost statement or condition around the access, on one
	// line, its white space folded to single spaces.
	Code string `yaml:"code" spec:"optional,line,quoted" example:"\"n := len(p.free)\""`
	// Ordinal counts the accesses to the variable in the function, from 1, in
	// the order of evaluation. 0 (absent) leaves the choice to Code.
	Ordinal int `yaml:"ordinal" spec:"optional" example:"1"`
	// Line is the line of the access, from 1, when it was last inferred: a
	// hint for people, which infer refreshes and nothing relies on. 0 (absent)
	// is unknown.
	Line int `yaml:"line" spec:"optional" example:"31"`
}

// End is an access that ends its section. The other ways out of a section
// (return, break, continue, goto, panic, the other branch) are derived from
// the code, allow every foreign access, and are not written down.
type End struct {
	// Variable is what the end accesses, if that is another one of the variables of
	// with than the section stands under.
	Variable string `yaml:"variable" spec:"optional,line" example:"Account.version"`
	Location `yaml:",inline"`
	// Allow is the set A of papers/001: the foreign accesses that may come
	// between entry and this end without breaking the section. [read, write]
	// makes the end benign, [] lets nothing pass. In a section over several
	// variables, accesses to any of them; also has those to one.
	Allow AccessSet `yaml:"allow" spec:"required,set" example:"[read]"`
	// Also are foreign accesses to one variable, of a section over several, that may
	// come between besides those of allow: a length that is read alone, for a
	// statistic, says nothing about the list that it belongs to.
	Also []string `yaml:"also" spec:"optional,line" example:"[read Account.version]"`
}

// Section is a piece of code that is meant to be atomic with regard to one
// variable, or to several that belong together: it opens at the entry access and
// closes at one of its ends.
type Section struct {
	// ID names the section in reports and on the command line. It is unique in
	// the file and never changed by atomrace; infer makes it from function,
	// variable and a number.
	ID string `yaml:"id" spec:"required,line,unique" example:"(*Pool).Get/Pool.free#1"`
	// Pattern is the kind of the section.
	Pattern Pattern `yaml:"pattern" spec:"required" example:"test-and-use"`
	// Function is the function that holds the section: F, T.M or (*T).M.
	// Accesses in function literals belong to the declaration around them;
	// those in the initialiser of a package-level variable v, to v.
	Function string `yaml:"function" spec:"required,line" example:"(*Pool).Get"`
	// With are the other variables of a section over several, such as a balance and
	// its version: the section begins with an access to the variable it stands under,
	// ends with an access to any of them, and is broken by what other goroutines do to
	// any of them in between. They are fields of one struct type, or package-level
	// variables of the package; not their contents.
	With []string `yaml:"with" spec:"optional,line" example:"[Account.version]"`
	// Entry is the access that opens the section.
	Entry Location `yaml:"entry" spec:"required,flow" example:"{access: read, code: \"n := len(p.free)\", ordinal: 1}"`
	// Ends are the accesses that close the section; at least one. An end at
	// the entry's own location makes the section circular.
	Ends []End `yaml:"ends" spec:"required,flow" example:"[{access: write, code: \"p.free = p.free[:n-1]\", ordinal: 4, allow: [read]}]"`
	// Origin is the name of the analyzer that inferred the section, or user
	// for one that a person wrote.
	Origin string `yaml:"origin" spec:"required,line" example:"testuse"`
	// Status is what a person has decided about the section.
	Status Status `yaml:"status" spec:"required" example:"candidate"`
	// Reason says why the section was judged as it was. It is required when
	// status is rejected.
	Reason string `yaml:"reason" spec:"optional" example:"\"only one goroutine at start-up\""`
	// Heal overrides the heal key of ATOMRACE for this section. Absent follows
	// ATOMRACE.
	Heal Healing `yaml:"heal" spec:"optional" example:"lock"`
	// Assurance says what heal: auto comes to once the section was broken: lock, if
	// nothing that runs in it can wait for somebody who waits for its healing lock;
	// else yield, and why: what in it waits, or may call what nobody knows. infer
	// writes it and keeps it up to date, for people: a build looks at the code
	// itself. Nobody needs to write it, and what a person writes lasts until the next
	// infer; who knows better says heal: lock. Absent is not known: the section is
	// rejected, or in code that infer does not look at, such as tests.
	Assurance Assurance `yaml:"assurance" spec:"optional,line" example:"\"yield, because it receives from a channel\""`
	// Doubt says why infer sees no harm in a violation of the section: what it does may
	// be done twice, or is looked at again. As long as the section is a candidate, a
	// violation of one with a doubt is told of and fails no run and no test; who knows
	// better confirms it. infer writes it and keeps it up to date. Doubt about whether
	// goroutines meet there is not written down, since a run settles it.
	Doubt string `yaml:"doubt" spec:"optional,line,quoted" example:"\"to do it twice is to do it once\""`
	// Stale says why the last infer did not find the section again. infer writes
	// it and takes it away; what a person has said about the section stays.
	Stale Staleness `yaml:"stale" spec:"optional" example:"gone"`
	// Evidence is what runs have shown about the section, counted by refine.
	Evidence Evidence `yaml:"evidence" spec:"optional,flow" example:"{runs: 60, correct: 42, broken: 18, seed: 60}"`
	// Note is free text for colleagues; atomrace shows it and never changes
	// it.
	Note string `yaml:"note" spec:"optional" example:"\"see the outage of last May\""`

	// Core is the section without what was added to it for healing, if there is such:
	// a section of the file with these locations is this one. It is not written.
	Core *Section
}

// Evidence is what the runs of refine have shown about a section. It is not
// there when there were none.
type Evidence struct {
	// Runs is how many runs there were, in all refinements so far.
	Runs int `yaml:"runs" spec:"required" example:"60"`
	// Correct is how many of them the oracle called correct.
	Correct int `yaml:"correct" spec:"optional" example:"42"`
	// Broken is the number of runs in which the section was broken.
	Broken int `yaml:"broken" spec:"optional" example:"18"`
	// Harmless is how many of these were correct all the same.
	Harmless int `yaml:"harmless" spec:"optional" example:"3"`
	// Seed is the last seed of the noise; the next refinement goes on with the one
	// behind.
	Seed int `yaml:"seed" spec:"optional" example:"60"`
}

// SectionID returns the id that infer gives to the n-th section (from 1) of a
// variable in a function, such as (*Pool).Get/Pool.free#1.
func SectionID(function, variable string, n int) string {
	return fmt.Sprintf("%s/%s#%d", function, variable, n)
}

// Active reports whether the section is to be watched: it is not rejected.
func (s *Section) Active() bool { return s.Status != Rejected }

// Doubted says why a violation of the section is told of and fails nothing, or
// nothing if it is a failure.
func (s *Section) Doubted() string {
	if s.Status != Candidate {
		return ""
	}
	return s.Doubt
}

// Patterns returns all the patterns there are, in the order of the reference.
func Patterns() []Pattern { return []Pattern{LoadAndStore, TestAndUse, AccessInterleaving, User} }

// Statuses returns all the statuses there are.
func Statuses() []Status { return []Status{Candidate, Confirmed, Rejected} }

// Stalenesses returns all the reasons to be stale there are, but for NotStale.
func Stalenesses() []Staleness { return []Staleness{Gone, NotInferred} }

// Healings returns all the healing policies there are, but for HealDefault.
func Healings() []Healing { return []Healing{HealOff, HealAuto, HealYield, HealLock} }
