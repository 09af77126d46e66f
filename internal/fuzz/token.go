package fuzz

import (
	"fmt"
	"strconv"
	"strings"
)

// tokenDigits is how much of a digest is told: enough to notice a difference.
const tokenDigits = 8

// Token is a seed with what a replay checks itself by: the code that the run was
// of, and its schedule. 17@3fa2b1c0-9e107d9d
func Token(s Seed, code string) string {
	return fmt.Sprintf("%d@%s-%s", s.Seed, shorten(code), shorten(s.Hash))
}

// ParseToken reads a token, or the number alone. Code and hash are beginnings of
// the digests, empty if unknown.
func ParseToken(text string) (seed uint64, code, hash string, err error) {
	number, rest, _ := strings.Cut(text, "@")
	if seed, err = strconv.ParseUint(number, 10, 64); err != nil {
		return 0, "", "", fmt.Errorf("seed %q: want a number, or what atomrace fuzz printed after -seed", text)
	}
	code, hash, _ = strings.Cut(rest, "-")
	return seed, code, hash, nil
}

func shorten(digest string) string { return digest[:min(len(digest), tokenDigits)] }
