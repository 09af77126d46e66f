package sched_test

import "flag"

// seeds is how many schedules the tests look at where more of them say more.
var seeds int

func init() { flag.IntVar(&seeds, "seeds", 100, "schedules for each strategy, where more say more") }
