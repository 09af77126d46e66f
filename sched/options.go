package sched

import "time"

// Options say how a program is run. The zero value is a random walk with seed 0
// and everything else by default.
type Options struct {
	Strategy string        // random, pct, pos, roundrobin, race, atomicity or replay
	Seed     uint64        // of all random choices
	Depth    int           // of pct: the number of change points, plus one; 3 if 0
	Length   int           // of pct: the decisions that a run is expected to have; 1000 if 0
	Pair     [2]string     // of race: two locations, as Location.ID, file:line or file:line:column
	Schedule string        // of replay: the schedule, as Schedule.String writes it
	NoAccess bool          // accesses of variables are no points, except those the strategy asks for
	Hybrid   bool          // look for candidate pairs while running: phase 1 of papers/000
	Trace    bool          // keep what each decision was, for Result.Trace
	Limit    uint64        // decisions until the run is given up; 20 million if 0
	Patience time.Duration // real time that an uninstrumented operation may block; 20 ms if 0
	Record   string        // file that the Result is written to, as JSON
}

// ParseOptions reads settings as ATOMRACE_SCHED holds them, for instance
// "strategy=pct,depth=3,seed=42,record=/tmp/r.json". Names are those of the fields
// in lower case; a pair is pair=a+b; a comma in a value is written %2C, a plus sign
// %2B, a percent sign %25. The error says which setting is wrong and what it may be.
func ParseOptions(settings string) (Options, error) { return Options{}, nil }

// String returns the settings that ParseOptions reads.
func (o Options) String() string { return "" }
