package fuzz

import (
	"fmt"
	"strings"

	"github.com/atomrace/atomrace/internal/pattern"
)

// ParsePairs reads pairs of locations: two of FILE:LINE or FILE:LINE:COLUMN on a
// line, empty lines and those that begin with # apart, or the output of Go's race
// detector, of which the two accesses of each report are taken. name is that of
// the file, for errors.
func ParsePairs(name, text string) ([][2]string, error) {
	if strings.Contains(text, "WARNING: DATA RACE") {
		return detectorPairs(name, text)
	}
	var pairs [][2]string
	for i, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 2 || !locationText.MatchString(fields[0]) || !locationText.MatchString(fields[1]) {
			return nil, fmt.Errorf("%s:%d: want two locations FILE:LINE or FILE:LINE:COLUMN", name, i+1)
		}
		pairs = append(pairs, [2]string(fields))
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s: there is no pair in it", name)
	}
	return pairs, nil
}

var (
	locationText = pattern.New(`^\S+\.go:\d+(:\d+)?$`)
	accessLine   = pattern.New(`(?i)^\s*(previous )?(read|write) at 0x`)
	frameLine    = pattern.New(`^\s+(\S+\.go:\d+)(\s|$)`)
)

// detectorPairs takes the first frame of each access of each report.
func detectorPairs(name, text string) ([][2]string, error) {
	var pairs [][2]string
	seen := map[[2]string]bool{}
	for _, report := range strings.Split(text, "WARNING: DATA RACE")[1:] {
		var sides []string
		wanted := false
		for line := range strings.Lines(report) {
			if accessLine.MatchString(line) {
				wanted = true
			} else if m := frameLine.Regexp().FindStringSubmatch(line); m != nil && wanted {
				sides, wanted = append(sides, m[1]), false
			}
		}
		if len(sides) < 2 {
			continue
		}
		if pair := [2]string(sides[:2]); !seen[pair] {
			seen[pair] = true
			pairs = append(pairs, pair)
		}
	}
	if len(pairs) == 0 {
		return nil, fmt.Errorf("%s: no report of the race detector in it has both accesses", name)
	}
	return pairs, nil
}
