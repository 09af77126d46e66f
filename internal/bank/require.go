package bank

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Requirement is a list of bounds on the counts of a Tally; the empty one is
// always met.
type Requirement []bound

type bound struct {
	count   string // "ok", "wrong", "crash", "timeout", "reported", "raced" or "escaped"
	atLeast bool   // else at most
	limit   int
	percent bool // limit is per cent of the runs
	text    string
}

var boundSyntax = regexp.MustCompile(`^(ok|wrong|crash|timeout|reported|raced|escaped)(>=|<=)([0-9]{1,9})(%?)$`)

// ParseRequirement reads bounds separated by commas, as in
// "reported>=99%,wrong<=0". The counts are ok, wrong, crash, timeout, reported,
// raced and escaped, each a number of runs.
func ParseRequirement(text string) (Requirement, error) {
	var r Requirement
	for part := range strings.SplitSeq(text, ",") {
		part = strings.ReplaceAll(part, " ", "")
		if part == "" {
			continue
		}
		m := boundSyntax.FindStringSubmatch(part)
		if m == nil {
			return nil, fmt.Errorf("requirement %q: want COUNT>=N or COUNT<=N, or N%%, where COUNT is ok, wrong, crash, timeout, reported, raced or escaped", part)
		}
		limit, err := strconv.Atoi(m[3])
		if err != nil {
			return nil, fmt.Errorf("requirement %q: %w", part, err)
		}
		r = append(r, bound{m[1], m[2] == ">=", limit, m[4] == "%", part})
	}
	return r, nil
}

// Unmet is the error that a Tally does not meet a bound.
type Unmet struct {
	Program Program
	Bound   string // as written in the requirement
	N, Runs int    // how many runs had it, of how many
	// Share says that the bound is a percentage: few runs tell little about it, and
	// an unlucky one is no news before more of them have been looked at.
	Share bool
}

func (u *Unmet) Error() string {
	return fmt.Sprintf("%s: %s was not met: %d of %d runs", u.Program, u.Bound, u.N, u.Runs)
}

// Check returns an *Unmet for the first bound that t does not meet, or nil.
// Bounds that are numbers of runs come before those that are shares of them.
func (r Requirement) Check(t Tally) error {
	var share error
	for _, b := range r {
		n := t.Outcomes[Outcome(b.count)]
		switch b.count {
		case "reported":
			n = t.Reported
		case "raced":
			n = t.Raced
		case "escaped":
			n = t.Escaped
		}
		// Compare n with limit, or n/runs with limit/100, in whole numbers.
		have, want := n, b.limit
		if b.percent {
			have, want = n*100, b.limit*t.Runs
		}
		if b.atLeast && have < want || !b.atLeast && have > want {
			unmet := &Unmet{Program: t.Program, Bound: b.text, N: n, Runs: t.Runs, Share: b.percent}
			if !b.percent {
				return unmet
			}
			if share == nil {
				share = unmet
			}
		}
	}
	return share
}
