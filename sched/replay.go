package sched

import "fmt"

// replay follows a schedule. Where the schedule cannot be followed, because the
// program is another one or the schedule was shortened by Minimise, it goes on as
// simply as possible: the goroutine that made the last step goes on, and if it
// cannot, the next in the order of IDs.
type replay struct {
	segments []Segment
	at       int // in segments
	used     int // steps of that segment
	row      int
	diverged string
}

func (r *replay) Next(s *State) int {
	for r.at < len(r.segments) {
		segment := r.segments[r.at]
		if r.used == segment.Steps {
			r.at++
			r.used = 0
			continue
		}
		if segment.Goroutine == 0 && s.Sleeper {
			r.used++
			return -1
		}
		i := indexOf(s.Enabled, segment.Goroutine)
		if i < len(s.Enabled) && s.Enabled[i].ID == segment.Goroutine {
			r.used++
			return i
		}
		if r.diverged == "" {
			r.diverged = fmt.Sprintf("at decision %d: goroutine %d should make a step and cannot", s.Decision+1, segment.Goroutine)
		}
		r.at++
		r.used = 0
	}
	return r.simply(s)
}

// simply is the choice without a schedule.
func (r *replay) simply(s *State) int {
	i := s.lastIndex()
	if i < 0 || s.Last.Next.Kind == Yielding || r.row > fairness {
		r.row = 0
		for i, g := range s.Enabled {
			if s.Last != nil && g.ID > s.Last.ID {
				return i
			}
		}
		return 0
	}
	r.row++
	return i
}

func (r *replay) report(result *Result) { result.Diverged = r.diverged }
