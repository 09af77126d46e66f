package sched

import "testing"

func TestLocationNames(t *testing.T) {
	read := &Location{File: "/src/p/x.go", Line: 12, Column: 3, ID: "f/p.x/read#1"}
	write := &Location{File: "/src/p/x.go", Line: 12, Column: 3, ID: "f/p.x/write#2"}
	for name, want := range map[string][2]bool{
		"x.go:12":      {true, true},
		"p/x.go:12:3":  {true, true},
		"x.go:12r":     {true, false},
		"x.go:12:3w":   {false, true},
		"f/p.x/read#1": {true, false},
		"x.go:1":       {false, false},
		"x.go:12:3rw":  {false, false},
		"w":            {false, false},
		"":             {false, false},
	} {
		if got := [2]bool{read.matches(name), write.matches(name)}; got != want {
			t.Errorf("%q: read, write %v, want %v", name, got, want)
		}
	}
}
