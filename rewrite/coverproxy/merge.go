package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"sort"
	"strings"
)

// point is a place at which the cover tool may insert text into the original,
// and where that is in the rewritten file. The kind is '.', or '{' behind else
// and '}' behind what follows it, where the tool makes a block, or ';' where
// the text needs a semicolon before it.
type point struct {
	from, to int
	kind     byte
}

// parsePoints reads a .cover file, which must have been made for this original.
func parsePoints(text, original string) ([]point, error) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	sum := sha256.Sum256([]byte(original))
	if lines[0] != hex.EncodeToString(sum[:]) {
		return nil, errors.New("the file has changed since it was instrumented; start again")
	}
	points := make([]point, len(lines)-1)
	for i, line := range lines[1:] {
		p := &points[i]
		if _, err := fmt.Sscanf(line, "%d %d %c", &p.from, &p.to, &p.kind); err != nil {
			return nil, fmt.Errorf("the list of places: %w", err)
		}
	}
	return points, nil
}

// inserted matches one thing that the cover tool inserts where a statement may
// begin or after the package clause, for counters named after the variable: the
// count of a block, the registration of a function, an import.
func inserted(variable string) *regexp.Regexp {
	counter := regexp.QuoteMeta(variable) + `_[0-9]+\[[0-9]+\]`
	atomic := `(?:_cover_atomic_\.)?`
	return regexp.MustCompile(`^(?:` + strings.Join([]string{
		counter + `(?: = 1|\+\+);`,
		atomic + `AddUint32\(&` + counter + `, 1\);`,
		counter + ` = [^;\n]* ; `,
		atomic + `StoreUint32\(&` + counter + `, [^;\n]*\) ; `,
		`; import (?:_|_cover_atomic_) "[a-z/]*"`,
	}, "|") + `)`)
}

// insertion is text to be put into the rewritten file.
type insertion struct {
	at   int
	text string
}

// move takes what the cover tool inserted into original, as output shows it,
// and returns the rewritten text with the same insertions at the same places.
func move(variable, original, output, rewritten string, points []point) (string, error) {
	header, rest, ok := strings.Cut(output, "\n")
	if !ok || !strings.HasPrefix(header, "//line ") {
		return "", errors.New("the output of this toolchain's cover tool has no line directive")
	}
	pattern := inserted(variable)
	var insertions []insertion
	done := 0 // of the original
	for _, p := range points {
		if p.from < done || p.from > len(original) || p.to > len(rewritten) {
			return "", errors.New("the list of places is not in order")
		}
		verbatim := original[done:p.from]
		if !strings.HasPrefix(rest, verbatim) {
			return "", fmt.Errorf("the output of this toolchain's cover tool is not understood near %.40q", rest)
		}
		rest, done = rest[len(verbatim):], p.from
		if p.kind == '{' || p.kind == '}' {
			if !strings.HasPrefix(rest, string(p.kind)) {
				return "", fmt.Errorf("the output of this toolchain's cover tool is not understood near %.40q", rest)
			}
			insertions, rest = append(insertions, insertion{p.to, string(p.kind)}), rest[1:]
			continue
		}
		text := ""
		for {
			m := pattern.FindString(rest)
			if m == "" {
				break
			}
			text, rest = text+m, rest[len(m):]
		}
		if text != "" && p.kind == ';' {
			text = ";" + text
		}
		if text != "" {
			insertions = append(insertions, insertion{p.to, text})
		}
	}
	if !strings.HasPrefix(rest, original[done:]) {
		return "", fmt.Errorf("the output of this toolchain's cover tool is not understood near %.40q", rest)
	}
	tail := rest[len(original[done:]):]
	return header + "\n" + insert(rewritten, insertions) + tail, nil
}

func insert(text string, list []insertion) string {
	sort.SliceStable(list, func(i, j int) bool { return list[i].at < list[j].at })
	var b strings.Builder
	done := 0
	for _, x := range list {
		b.WriteString(text[done:x.at])
		b.WriteString(x.text)
		done = x.at
	}
	b.WriteString(text[done:])
	return b.String()
}
