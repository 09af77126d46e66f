package sched

// A Result is what is known after a run. It is written to Options.Record as one
// JSON object.
type Result struct {
	Options      string      `json:"options"`                // of the run, as Options.String
	Outcome      Outcome     `json:"outcome"`                //
	Message      string      `json:"message,omitempty"`      // the panic's value, the deadlock's report
	ExitCode     int         `json:"exit_code,omitempty"`    // of Flush
	Decisions    uint64      `json:"decisions"`              // how many were taken
	Preemptions  int         `json:"preemptions"`            // those that took the token from somebody who could have gone on
	Goroutines   int         `json:"goroutines"`             // how many were started
	Leaps        int         `json:"leaps,omitempty"`        // how often the strategy let time pass although somebody could have gone on
	Hash         string      `json:"hash"`                   // of all decisions and operations: equal for equal runs
	Schedule     string      `json:"schedule"`               // for Options.Schedule; ParseSchedule reads it. Empty if the token changed hands more than a million times
	Races        []Race      `json:"races,omitempty"`        // brought about by strategy race
	Sections     []Entered   `json:"sections,omitempty"`     // that were entered
	Violations   []Violation `json:"violations,omitempty"`   // of sections
	Candidates   []Candidate `json:"candidates,omitempty"`   // with Options.Hybrid
	Waiting      []Waiting   `json:"waiting,omitempty"`      // in a deadlock who waits for what; else who waits for ever when the main function has ended and nobody else can make a step
	Uncontrolled string      `json:"uncontrolled,omitempty"` // why and since when the run is not deterministic
	Diverged     string      `json:"diverged,omitempty"`     // replay: where the run left the schedule
	Trace        []Event     `json:"trace,omitempty"`        // with Options.Trace: of a long run the last 100,000 decisions or more
}

// An Outcome is how a run ended.
type Outcome string

const (
	OutcomeDone     Outcome = "done"     // the program returned
	OutcomePanic    Outcome = "panic"    // a goroutine panicked and did not recover
	OutcomeGoexit   Outcome = "goexit"   // the main goroutine called Goexit (t.FailNow)
	OutcomeExit     Outcome = "exit"     // Flush was called: os.Exit
	OutcomeDeadlock Outcome = "deadlock" // nobody could run any more
	OutcomeLimit    Outcome = "limit"    // Options.Limit
)

// A Pair is two locations that may race; First ≤ Second as strings.
type Pair struct {
	First    Side   `json:"first"`
	Second   Side   `json:"second"`
	Variable string `json:"variable,omitempty"`
}

// A Candidate is a pair that the hybrid pass has found.
type Candidate struct {
	Pair
	// Delay is the place of a lock that one of the two goroutines took and gave
	// back on its way to the pair, and that the other one has while it makes its
	// access: the innermost calls by which that one takes it, as file:line@file:line.
	// If it takes it first the two cannot meet, so strategy race makes it wait
	// there. Empty if there is none.
	Delay string `json:"delay,omitempty"`
}

// Side is one side of a Pair, or an access of a Violation.
type Side struct {
	Location string `json:"location"` // file:line:column
	ID       string `json:"id,omitempty"`
	Write    bool   `json:"write"`
	Inside   string `json:"inside,omitempty"` // where the access stands, if the location is that of a call which makes it
}

// A Race is a pair that was brought about: both goroutines stood before their
// accesses of the same memory at the same time.
type Race struct {
	Pair
	Goroutines [2]int `json:"goroutines"`
	Decision   uint64 `json:"decision"`
	Count      int    `json:"count"` // how often in this run
}

// A Violation is a section in which an access by another goroutine came between its
// entry and its end that the end does not allow: then no serial order is equivalent.
type Violation struct {
	Section    string `json:"section"` // as Section.String
	Variable   string `json:"variable,omitempty"`
	Before     Side   `json:"before"`
	Foreign    Side   `json:"foreign"`
	After      Side   `json:"after"`
	Goroutines [2]int `json:"goroutines"` // the section's, the foreign one
	Decision   uint64 `json:"decision"`
	Count      int    `json:"count"`
}
