package report

import (
	"cmp"
	"slices"
)

// run returns the counters of the process that wrote x.
func (l *Log) run(file string, x *line) *counters {
	p := process{file, x.Program, x.PID}
	if l.runs[p] == nil {
		l.runs[p] = &counters{}
		l.all = append(l.all, p)
	}
	return l.runs[p]
}

// reached takes note that a process has seen the violation n times by now.
func (c *counters) reached(id string, n int) {
	(*c)[id] = max((*c)[id], n)
}

// merge adds a violation. Of several accounts of it the oldest is shown.
func (l *Log) merge(v *Violation, run *counters) {
	if len(v.Processes) > 0 { // merged before
		for _, p := range v.Processes {
			l.run("", &line{Violation: Violation{Program: p.Program, PID: p.PID}}).reached(v.ID, p.Count)
		}
		v.Processes = nil
	} else {
		run.reached(v.ID, max(v.Count, 1))
	}
	known := l.byID[v.ID]
	switch {
	case known == nil:
		l.byID[v.ID] = v
		l.Violations = append(l.Violations, v)
	case v.Time.Before(known.Time):
		*known = *v
	}
}

// Finish counts over all processes and sorts. Nothing may be read afterwards.
func (l *Log) Finish() {
	for _, v := range l.Violations {
		v.Count, v.Processes = 0, nil
		for _, p := range l.all {
			if n := (*l.runs[p])[v.ID]; n > 0 {
				v.Count += n
				v.Processes = append(v.Processes, Process{p.program, p.pid, n})
			}
		}
	}
	slices.SortStableFunc(l.Violations, func(a, b *Violation) int {
		return cmp.Or(a.Time.Compare(b.Time), cmp.Compare(a.ID, b.ID))
	})
}

// Total is the number of times that any violation was seen.
func (l *Log) Total() int {
	n := 0
	for _, v := range l.Violations {
		n += v.Count
	}
	return n
}

// Processes is the number of processes that saw any violation.
func (l *Log) Processes() int {
	n := 0
	for _, p := range l.all {
		if len(*l.runs[p]) > 0 {
			n++
		}
	}
	return n
}
