// Command atomrace finds sequences of accesses that another goroutine can break
// although every access is synchronised, watches them while the program runs,
// and heals them. See the README, or "atomrace help".
package main

import (
	"os"

	"github.com/atomrace/atomrace/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
