// Capture checks the blocks of an archive in parallel, adding up what it finds
// in variables that the goroutines capture, and compares the result with a
// sequential pass.
//
// Broken: total (a local variable captured by the goroutines) and checked (a
// package-level variable) are changed by all of them with no lock. "Read, add,
// write" is expected to be one step.
package main

import (
	"fmt"
	"hash/crc32"
	"os"
	"sync"
)

const (
	checkers = 6
	blocks   = 1200
	size     = 1024
)

// checked is the number of blocks that were looked at.
var checked int

// archive returns blocks of reproducible content.
func archive() [][]byte {
	all := make([][]byte, blocks)
	seed := uint32(1)
	for i := range all {
		all[i] = make([]byte, size)
		for j := range all[i] {
			seed = seed*1664525 + 1013904223
			all[i][j] = byte(seed >> 24)
		}
	}
	return all
}

var table = crc32.MakeTable(crc32.Koopman)

// verify adds up the checksums of all blocks.
func verify(all [][]byte) uint64 {
	var total uint64
	var running sync.WaitGroup
	start := make(chan struct{})
	for c := range checkers {
		running.Go(func() {
			<-start
			for i := c; i < len(all); i += checkers {
				sum := crc32.Checksum(all[i], table)
				total += uint64(sum)
				checked++
			}
		})
	}
	close(start)
	running.Wait()
	return total
}

func main() {
	all := archive()
	var want uint64
	for _, block := range all {
		want += uint64(crc32.Checksum(block, table))
	}
	got := verify(all)
	if got != want || checked != blocks {
		fmt.Printf("WRONG: sum %x of %d blocks, expected %x of %d\n", got, checked, want, blocks)
		os.Exit(1)
	}
	fmt.Printf("ok: sum %x of %d blocks\n", got, checked)
}
