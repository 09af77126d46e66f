package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/atomrace/atomrace/internal/fuzz"
)

// maxLine bounds the length of a line in bytes; heal's own have some thousands.
const maxLine = 4 << 20

// Problem is something in a log that could not be used.
type Problem struct {
	File string
	Line int // 0: the file as a whole
	Text string
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.File + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", p.File, p.Line, p.Text)
}

// Log is what was read so far, merged.
type Log struct {
	Violations []*Violation // in the order of their first time, after Sort
	Notices    []string     // remarks of the programs, each once
	Problems   []Problem
	// Campaigns are reports of atomrace fuzz, in the order in which they were read.
	Campaigns []*fuzz.Report

	byID map[string]*Violation
	seen map[string]bool       // lines; the same file may be given twice
	runs map[process]*counters // what each process has counted
	all  []process             // in the order in which they were read
}

// process is one process as far as a log tells: the file is part of it because
// other machines have the same pids.
type process struct {
	file, program string
	pid           int
}

type counters map[string]int // by id

// ReadFile reads a file, or standard input for "-".
func (l *Log) ReadFile(name string) {
	if name == "-" {
		l.Read("standard input", os.Stdin)
		return
	}
	f, err := os.Open(name)
	if err != nil {
		l.problem(name, 0, "%v", reason(err))
		return
	}
	defer f.Close()
	l.Read(name, f)
}

// reason is err without the path, which is said already.
func reason(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// Read adds the lines of r. Lines of others, such as the program's own log
// records, are passed over.
func (l *Log) Read(name string, r io.Reader) {
	in := bufio.NewReaderSize(r, 64<<10)
	if head, _ := in.Peek(campaignHead); fuzz.IsReport(head) {
		l.readCampaign(name, in)
		return
	}
	ours, text := 0, 0
	for n := 1; ; n++ {
		data, whole, err := readLine(in)
		if len(data) > 0 {
			trimmed := bytes.TrimSpace(data)
			switch {
			case len(data) > maxLine:
				l.problem(name, n, "longer than %d bytes; left out", maxLine)
			case bytes.HasPrefix(trimmed, []byte("{")):
				if l.add(name, n, trimmed, whole) {
					ours++
				}
			case bytes.Contains(trimmed, []byte("WARNING: ATOMRACE:")):
				text++
			}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			l.problem(name, n, "%v", reason(err))
			return
		}
	}
	switch {
	case ours > 0:
	case text > 0:
		l.problem(name, 0, "a report for people; run the program with ATOMRACE=log_format=json")
	default:
		l.problem(name, 0, "no report in JSON lines (ATOMRACE=log_format=json makes them)")
	}
}

// readLine reads up to the end of a line, of which it keeps maxLine+1 bytes, and
// says whether the line has one.
func readLine(in *bufio.Reader) (data []byte, whole bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		data = append(data, part[:min(len(part), maxLine+1-len(data))]...)
		if err != bufio.ErrBufferFull {
			return data, err == nil, err
		}
	}
}

func (l *Log) problem(file string, line int, format string, args ...any) {
	l.Problems = append(l.Problems, Problem{file, line, fmt.Sprintf(format, args...)})
}

// add takes up one line and says whether it is atomrace's.
func (l *Log) add(file string, n int, text []byte, whole bool) bool {
	var x line
	if err := json.Unmarshal(text, &x); err != nil {
		var kind *json.UnmarshalTypeError
		var syntax *json.SyntaxError
		switch {
		case !whole && errors.As(err, &syntax):
			l.problem(file, n, "cut off, as by a kill or a full disk; left out")
		case errors.As(err, &kind) && !bytes.Contains(text, []byte(`"schema":"`+schemaPrefix)):
			return false // another program's record
		default:
			l.problem(file, n, "damaged (%v); left out", err)
		}
		return true
	}
	name, v, ours := schemaOf(x.Schema)
	if !ours {
		return false
	}
	if v != version {
		l.problem(file, n, "schema %q is of another version of atomrace, this one reads /%s; left out", x.Schema, version)
		return true
	}
	if l.seen[string(text)] {
		return true
	}
	if l.seen == nil {
		l.seen, l.byID, l.runs = map[string]bool{}, map[string]*Violation{}, map[process]*counters{}
	}
	l.seen[string(text)] = true
	run := l.run(file, &x)
	switch name {
	case "violation":
		if fault := x.fault(); fault != "" {
			l.problem(file, n, "damaged (%s); left out", fault)
			return true
		}
		l.merge(&x.Violation, run)
	case "count":
		run.reached(x.ID, x.Count)
	case "summary":
		for _, c := range x.Counts {
			run.reached(c.ID, c.Count)
		}
	case "notice":
		if !slices.Contains(l.Notices, x.Msg) {
			l.Notices = append(l.Notices, x.Msg)
		}
	default:
		l.problem(file, n, "schema %q is unknown; left out", x.Schema)
	}
	return true
}
