package sched

// Minimise returns a schedule with as few preemptions as it can find that still
// makes the run fail, and the Result of a run under it. Run must run the program
// under strategy=replay with the schedule and say whether it failed in the same
// way; it is called at most budget times. First is the Result of the failed run
// to begin with.
//
// A preemption is undone by letting the goroutine that lost the token make the
// steps of its next segment at once, or those of this one only then, or as many more as
// it can. The end of the
// schedule is cut first: what comes after the failure is decided is not needed.
func Minimise(first Result, budget int, run func(Schedule) (result Result, failed bool)) (Schedule, Result) {
	best, err := ParseSchedule(first.Schedule)
	if err != nil {
		return Schedule{}, first
	}
	m := minimiser{best: best, result: first, budget: budget, run: run}
	m.cut()
	for m.budget > 0 && m.undo() {
	}
	return m.best, m.result
}

type minimiser struct {
	best   Schedule
	result Result
	budget int
	run    func(Schedule) (Result, bool)
}

// try runs a candidate, and keeps the schedule of the run if it failed and has
// fewer preemptions than the best so far, or as many with fewer segments.
func (m *minimiser) try(segments []Segment) bool {
	if m.budget == 0 {
		return false
	}
	m.budget--
	result, failed := m.run(Schedule{m.best.Seed, segments})
	if !failed {
		return false
	}
	actual, err := ParseSchedule(result.Schedule)
	if err != nil {
		return false
	}
	better := result.Preemptions < m.result.Preemptions ||
		result.Preemptions == m.result.Preemptions && len(actual.Segments) < len(m.best.Segments)
	if better {
		m.best.Segments, m.result = actual.Segments, result
	}
	return better
}

// cut looks for the shortest beginning that is enough, by halves.
func (m *minimiser) cut() {
	all := m.best.Segments
	low, high := 0, len(all)
	for low < high {
		middle := (low + high) / 2
		if m.try(all[:middle]) {
			high = middle
		} else {
			low = middle + 1
		}
	}
}

// undo tries to do without each segment's end, from the last to the first, and says
// whether one of them could be spared.
func (m *minimiser) undo() bool {
	for i := len(m.best.Segments) - 2; i >= 0; i-- {
		if m.try(joined(m.best.Segments, i, false)) || m.try(joined(m.best.Segments, i, true)) || m.try(extended(m.best.Segments, i)) {
			return true
		}
	}
	return false
}

// extension is how many more steps a segment gets at most.
const extension = 1000

// extended returns the segments with segment i as long as its goroutine can go on.
func extended(segments []Segment, i int) []Segment {
	list := append([]Segment(nil), segments...)
	list[i].Steps += extension
	return list
}

// joined returns the segments with segment i and the next one of the same goroutine
// in one: at the place of the first, or of the second if later. If there is none,
// segment i changes places with the next.
func joined(segments []Segment, i int, later bool) []Segment {
	list := append([]Segment(nil), segments...)
	for j := i + 1; j < len(list); j++ {
		if list[j].Goroutine != list[i].Goroutine {
			continue
		}
		if later {
			list[j].Steps += list[i].Steps
			return append(list[:i], list[i+1:]...)
		}
		list[i].Steps += list[j].Steps
		return append(list[:j], list[j+1:]...)
	}
	list[i], list[i+1] = list[i+1], list[i]
	return list
}
