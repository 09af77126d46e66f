package bank

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// A Builder builds a program into the file out.
type Builder func(ctx context.Context, p Program, out string) error

// Placeholders in the words of a command given to Command.
const (
	outWord     = "{out}"     // the binary to write
	packageWord = "{package}" // the program, as "./testdata/programs/fail/bank"
)

// builders are the commands that ParseBuilder knows by name.
var builders = map[string]string{
	"plain":    "go build -o {out} {package}",
	"race":     "go build -race -o {out} {package}",
	"atomrace": "atomrace build -o {out} {package}",
	"races":    "atomrace build -races -o {out} {package}",
}

// ParseBuilder returns the Builder called plain, race, atomrace or races
// (atomrace with -races), or one that runs the given command line. A command
// line is split at spaces, without quoting, and must hold the words {out} and
// {package}.
func ParseBuilder(text string) (Builder, error) {
	line, known := builders[text]
	if !known {
		line = text
	}
	words := strings.Fields(line)
	for _, need := range []string{outWord, packageWord} {
		if !strings.Contains(line, need) {
			return nil, fmt.Errorf("builder %q: neither plain, race, atomrace or races, nor a command with the word %s", text, need)
		}
	}
	return Command(words...), nil
}

// Command returns a Builder that runs a command in the root of the program's
// module, with {out} and {package} replaced in its words. If the command
// fails, its output is part of the error.
func Command(words ...string) Builder {
	return func(ctx context.Context, p Program, out string) error {
		replace := strings.NewReplacer(outWord, out, packageWord, p.Package())
		args := make([]string, len(words))
		for i, w := range words {
			args[i] = replace.Replace(w)
		}
		cmd := exec.CommandContext(ctx, args[0], args[1:]...)
		cmd.Dir = p.Root
		output, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("building %s: %s is not installed; install it or choose another builder", p, args[0])
		}
		return fmt.Errorf("building %s: %s: %w\n%s", p, strings.Join(words, " "), err, bytes.TrimSpace(output))
	}
}
