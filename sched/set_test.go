package sched_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/atomrace/atomrace/sched"
)

type address struct {
	name string
	host int
	id   int
	port int
}

// A set of fields is one variable: what others do to any of them, in the same struct,
// breaks a section over it.
func TestSet(t *testing.T) {
	section := &sched.Section{
		ID: "move", Variable: "host", Offset: unsafe.Offsetof(address{}.host),
		Members: []sched.Member{{Variable: "port", Offset: unsafe.Offsetof(address{}.port), Size: unsafe.Sizeof(address{}.port)}},
	}
	host, port := at(1, "host"), at(2, "port")
	host.Entry, port.Ends = []*sched.Section{section}, []sched.End{{Section: section}}
	readPort := []sched.MemberAccess{{Variable: "port", Mode: sched.Reads}}
	a, b := address{name: "a"}, address{name: "b"}
	for _, test := range []struct {
		name   string
		at     *int
		of     string
		also   []sched.MemberAccess
		broken bool
	}{
		{"the first", &a.host, "host", nil, true},
		{"the other", &a.port, "port", nil, true},
		{"a neighbour", &a.id, "id", nil, false},
		{"of another struct", &b.port, "port", nil, false},
		{"what is allowed of the other", &a.port, "port", readPort, false},
		{"what is allowed of the other alone", &a.host, "host", readPort, true},
	} {
		foreign := at(3, test.of)
		port.Ends[0].Also = test.also
		r := run(t, sched.Options{}, func() {
			f := sched.Begin()
			defer f.End()
			write(host, &a.host, 1)
			done := make(chan bool)
			sched.Go(func() { read(foreign, test.at); sched.Send(done, true) })
			sched.Receive(done)
			write(port, &b.port, 1) // ends nothing here
			write(port, &a.port, 1)
			sched.Go(func() { read(foreign, test.at); sched.Send(done, true) })
			sched.Receive(done)
			write(port, &a.port, 1)
		})
		if broken := len(r.Violations) == 1; broken != test.broken || len(r.Violations) > 1 {
			t.Errorf("%s: %+v", test.name, r.Violations)
		}
	}
}

// Package-level variables are known by name. The strategy breaks the set with each seed, and
// does not hold back who begins the section.
func TestSetDirected(t *testing.T) {
	section := &sched.Section{ID: "move", Variable: "host", Members: []sched.Member{{Variable: "port"}}}
	host, port, readsHost, readsPort := at(1, "host"), at(2, "port"), at(3, "host"), at(4, "port")
	host.Entry, port.Ends = []*sched.Section{section}, []sched.End{{Section: section}}
	torn := 0
	program := func() {
		var a, b int
		var m sync.Mutex
		var all sync.WaitGroup
		locked := func(do func()) {
			sched.MutexLock(&m)
			do()
			sched.MutexUnlock(&m)
		}
		sched.WaitGroupGo(&all, func() {
			f := sched.Begin()
			defer f.End()
			locked(func() { write(host, &a, 1) })
			locked(func() { write(port, &b, 1) })
		})
		sched.WaitGroupGo(&all, func() {
			locked(func() {
				if read(readsHost, &a) != read(readsPort, &b) {
					torn++
				}
			})
		})
		sched.WaitGroupWait(&all)
	}
	entered := run(t, sched.Options{Hybrid: true}, program).Sections
	if len(entered) != 1 || len(entered[0].Delay) != 2 {
		t.Fatalf("entered %+v, want one section with the reader's lock and the one of its end", entered)
	}
	broken := 0
	torn = 0
	for seed := range 200 {
		o := sched.Options{Strategy: "atomicity", Seed: uint64(seed), Delay: entered[0].Delay[0] + "|" + entered[0].Delay[1]}
		broken += min(len(run(t, o, program).Violations), 1)
	}
	t.Logf("torn in %d, broken in %d of 200 runs", torn, broken)
	if torn != 200 || broken != 200 {
		t.Errorf("torn in %d, broken in %d of 200 runs", torn, broken)
	}
}
