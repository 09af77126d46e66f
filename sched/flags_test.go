package sched_test

import "flag"

// Where more schedules say more, these say how many the tests look at: few in CI.
var seeds, operationSeeds, failingSeeds, randomPrograms int

func init() {
	flag.IntVar(&seeds, "seeds", 100, "schedules for each strategy in TestSameSeed")
	flag.IntVar(&operationSeeds, "operationseeds", 60, "schedules for each strategy and program in TestOperations, which may never fail")
	flag.IntVar(&randomPrograms, "randomprograms", 300, "programs in TestRandomPrograms")
	flag.IntVar(&failingSeeds, "failingseeds", 20, "failing schedules for each program in TestReplayFailures")
}
