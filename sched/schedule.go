package sched

import (
	"fmt"
	"strconv"
	"strings"
)

// A Schedule is what it takes to have a run again: who made the steps, in their
// order, and the seed of everything else that was random (Intn, Uint64, select).
type Schedule struct {
	Seed     uint64
	Segments []Segment
}

// A Segment is a number of steps of one goroutine, one after the other.
type Segment struct {
	Goroutine int // its ID; 0 where time passed until the next sleeper woke
	Steps     int
}

// String encodes the schedule in one word: the seed, a colon, and the segments,
// separated by dots, as goroutine and steps with an x between, where x1 is left out.
// "7:1x12.2.1x3" is seed 7, twelve steps of goroutine 1, one of 2, three of 1.
func (s Schedule) String() string {
	var b strings.Builder
	b.WriteString(strconv.FormatUint(s.Seed, 10))
	separator := byte(':')
	for _, segment := range s.Segments {
		b.WriteByte(separator)
		separator = '.'
		b.WriteString(strconv.Itoa(segment.Goroutine))
		if segment.Steps != 1 {
			b.WriteByte('x')
			b.WriteString(strconv.Itoa(segment.Steps))
		}
	}
	return b.String()
}

// ParseSchedule reads what String writes. The error says which part cannot be read.
func ParseSchedule(text string) (Schedule, error) {
	seed, rest, _ := strings.Cut(text, ":")
	var s Schedule
	var err error
	if s.Seed, err = strconv.ParseUint(seed, 10, 64); err != nil {
		return Schedule{}, fmt.Errorf("%q is not a schedule: it begins with a seed and a colon", abridged(text))
	}
	if rest == "" {
		return s, nil
	}
	for _, word := range strings.Split(rest, ".") {
		id, steps, many := strings.Cut(word, "x")
		segment := Segment{Steps: 1}
		segment.Goroutine, err = strconv.Atoi(id)
		if err == nil && many {
			segment.Steps, err = strconv.Atoi(steps)
		}
		if err != nil || segment.Goroutine < 0 || segment.Steps < 1 {
			return Schedule{}, fmt.Errorf("%q in a schedule is not a goroutine, or goroutine x steps", abridged(word))
		}
		s.Segments = append(s.Segments, segment)
	}
	return s, nil
}

func abridged(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}
