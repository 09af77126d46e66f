// Package sched runs a program with one goroutine at a time and decides at each
// scheduling point which one that is: controlled scheduling and RaceFuzzer
// (papers/000). The decisions follow from a seed alone, so that a run which
// failed can be had again.
//
// # The model
//
// A goroutine under control is one that was started by Main, Run or Go. Exactly
// one of them holds the token and runs; the others wait in this package. A
// scheduling point is a call of one of the operations below: the goroutine says
// what it is about to do (its next operation, NextStmt of papers/000), a
// Strategy chooses one goroutine among those whose next operation can make a
// step, and hands it the token. That is one decision. A goroutine whose
// operation cannot be completed (a lock that is held, a channel with nobody at
// its other end) is not enabled until somebody else makes it so.
//
// Points are the accesses of variables (Access), channel operations, acquiring a
// lock, waiting, sleeping, operations on atomics, Yield and the start of a
// goroutine. Giving a lock back, Done, and the go statement are no points:
// whatever could happen there can happen just as well at the next point, since
// nobody else looks in between.
//
// Channels, mutexes and the like stay those of the program. What can be done
// without waiting is done on them; whoever would have to wait is queued here,
// and a rendezvous of two goroutines under control is made here. So a goroutine
// that is not under control may use them at the same time.
//
// Time is virtual: it begins at a fixed instant, advances by a fixed tick with
// each decision, and leaps to the next timer when nobody else can run.
//
// # What is deterministic, and what ends that
//
// The same program, Options and seed give the same decisions bit for bit,
// whatever GOMAXPROCS, GOGC, the machine or its load: goroutines are numbered in
// the order in which they were started; select, map order, math/rand (Intn,
// Uint64) draw from the seed, each goroutine from a stream of its own; nothing here
// depends on addresses or real time.
//
// TCP over the loopback interface is a part of that: connections to who listens there
// under control are made within the process (Socket, Backlog).
//
// It ends where a goroutine waits for any other network or a pipe of the kernel's, whose
// turn goes to another one at once (Outside), or blocks in something that is not
// instrumented (files, cgo, child processes) for longer than Options.Patience: the watchdog
// then passes the token on. It ends as well where a goroutine that is not under control completes what
// one that is waits for. Result.Uncontrolled says since which decision and why.
// Programs that read the real time, process ids, addresses, the number of processors
// or other outside input, or let iter.Pull call functions that are points, may differ without that; Result.Hash tells.
//
// # What is not there
//
// Memory is sequentially consistent: what only a weaker memory model allows is not
// explored. Between two points a goroutine is alone, so that accesses that are not
// instrumented never interleave. A Pool gives nothing back. Timers do not fire early
// on purpose: a timeout passes only when nobody else can run, or by the tick of the
// clock. Select takes no part in what pos knows of conflicts. Virtual timers that
// were stopped are remembered until the run ends.
//
// # Reading the package
//
// engine.go is the token and the decision, goroutine.go how one enters and leaves it,
// idle.go what happens when nobody can run, watchdog.go what does when somebody does
// not come back. access.go, channel.go, rendezvous.go, select.go, lock.go, rwlock.go,
// waitgroup.go, cond.go, once.go, pool.go, clock.go and timer.go are the operations,
// socket.go, backlog.go and pipe.go those of connections and io.Pipe, outside.go how one
// leaves and entries.go the order of maps;
// rewritten.go, accesses.go, atomic.go and syncmap.go are what rewritten code calls to do them.
// strategy.go is the interface behind which random.go, pct.go, pos.go, roundrobin.go,
// racedirected.go, atomicitydirected.go and replay.go decide. result.go is what a
// run leaves behind, schedule.go and minimise.go make use of it; hybrid.go is phase 1
// of papers/000, section.go finds broken sections (set.go those over several variables,
// call.go those that begin or end within a call), intruders.go who may break them.
//
// The package is compiled into the program that it runs. It imports the standard
// library alone, and must not import heal.
package sched
