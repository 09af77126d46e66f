//go:build !atomrace_off

package heal

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// ATOMRACE's noise_file keeps from one run to the next what the noise has learnt of
// each location: whether it was suspected, and how often it was delayed. A location
// is known by its variable, function and number there, so that code may move.
// Who writes the file keeps what others have written there meanwhile. Of processes that
// do so in the same instant the last one stays: a file that knows less costs power, never
// correctness. What atomrace has not written is never written over.

// lessonsHeader is the first line of the file; the others are key, "suspected" or
// "quiet", and the numbers of delays in the three spots, parted by tabs.
const lessonsHeader = "atomrace noise 1"

// maxLessons bounds the bytes that are read.
const maxLessons = 64 << 20

var lessons struct {
	sync.Mutex
	read   bool
	closed bool              // the file is not ours, or cannot be written
	known  map[string]warmth // of earlier runs
	met    []*Location       // in this run
	wrote  time.Time         // when the file was written last
	took   time.Duration     // and how long that took
}

// lessonsShare bounds what writing the file may take while the program runs: one part in
// so many of the time.
const lessonsShare = 20

// lesson is the key of l in the file.
func (l *Location) lesson() string {
	return strings.Join([]string{l.Var.Package, l.Var.Name, l.Func, strconv.Itoa(int(l.Ordinal)), l.Mode.String()}, "\t")
}

// recall lets l know what earlier runs have learnt of it.
//
//go:norace
func (c *config) recall(l *Location) {
	if l.recalled || c.noise.file == "" {
		return
	}
	quiet()
	known := c.lessonOf(l)
	loud()
	if known.suspected {
		suspect(l)
	}
	for i, n := range known.tries {
		// The code may have changed. Several goroutines may come here at once.
		l.tries[i] = min(l.tries[i]+n/2, maxTries)
	}
	l.recalled = true
}

func (c *config) lessonOf(l *Location) warmth {
	lessons.Lock()
	defer lessons.Unlock()
	if !lessons.read {
		lessons.read = true
		var err error
		if lessons.known, err = readLessons(c.noise.file); err != nil {
			lessons.closed = true
			notify(c, fmt.Sprintf("noise_file: %v; the noise begins anew, and what it learns is not kept", err))
		}
	}
	lessons.met = append(lessons.met, l)
	return lessons.known[l.lesson()]
}

// readLessons reads the file; that there is none yet, or an empty one, is no error.
func readLessons(name string) (map[string]warmth, error) {
	known := make(map[string]warmth)
	text, err := readPlain(name, maxLessons)
	if errors.Is(err, fs.ErrNotExist) || err == nil && text == "" {
		return known, nil
	}
	if err != nil {
		return known, err
	}
	header, rest, _ := strings.Cut(text, "\n")
	if header != lessonsHeader {
		return known, fmt.Errorf("%s does not begin with %q; name another file, or delete it", name, lessonsHeader)
	}
	n := 1
	for line := range strings.Lines(rest) {
		n++
		key, rest, _ := cutNth(strings.TrimSuffix(line, "\n"), '\t', 5)
		w, ok := readWarmth(rest)
		if !ok {
			return make(map[string]warmth), fmt.Errorf("%s:%d is not what atomrace writes there; delete the file", name, n)
		}
		known[key] = w
	}
	return known, nil
}

func readWarmth(text string) (w warmth, ok bool) {
	fields := strings.Split(text, "\t")
	if len(fields) != 1+len(w.tries) || fields[0] != "suspected" && fields[0] != "quiet" {
		return w, false
	}
	w.suspected = fields[0] == "suspected"
	for i, field := range fields[1:] {
		n, err := strconv.ParseUint(field, 10, 16)
		if err != nil || n > maxTries {
			return w, false
		}
		w.tries[i] = uint16(n)
	}
	return w, true
}

// cutNth cuts s at its nth sep.
func cutNth(s string, sep byte, n int) (before, after string, found bool) {
	for i := range len(s) {
		if s[i] == sep {
			if n--; n == 0 {
				return s[:i], s[i+1:], true
			}
		}
	}
	return s, "", false
}

// remember writes what is known to the file, by way of another one, so that
// whoever reads it finds a whole one. Before the end of the program it does so
// only if that takes little of the time.
func (c *config) remember(end bool) {
	if c.off || c.noise.file == "" {
		return
	}
	lessons.Lock()
	defer lessons.Unlock()
	start := time.Now()
	since := start.Sub(lessons.wrote) // less than 0 where a test has turned the clock back
	if !lessons.read || lessons.closed || !end && since >= 0 && since < lessonsShare*lessons.took {
		return
	}
	err := c.writeLessons()
	lessons.wrote = time.Now()
	lessons.took = lessons.wrote.Sub(start)
	if err != nil {
		lessons.closed = true
		notify(c, fmt.Sprintf("noise_file: %v; what the noise has learnt is not kept", err))
	}
}

// learnt is what the hooks have noted of l, as it may be at this moment.
//
//go:norace
func (l *Location) learnt() warmth { return l.warmth }

// writeLessons adds to the file what was learnt. A link to a file stays one, and the file
// keeps its permissions.
func (c *config) writeLessons() error {
	known, err := readLessons(c.noise.file)
	if err != nil {
		return err
	}
	for key, w := range lessons.known {
		if _, ok := known[key]; !ok {
			known[key] = w
		}
	}
	for _, l := range lessons.met {
		known[l.lesson()] = l.learnt()
	}
	lessons.known = known
	name := c.noise.file
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	file, err := os.OpenFile(fmt.Sprintf("%s.%d.%d", name, os.Getpid(), time.Now().UnixNano()), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if info, e := os.Stat(name); e == nil {
		err = file.Chmod(info.Mode().Perm())
	}
	_, e := file.WriteString(lessonsText(known))
	err = errors.Join(err, e, file.Close())
	if err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return err
}

func lessonsText(known map[string]warmth) string {
	var text strings.Builder
	fmt.Fprintln(&text, lessonsHeader)
	for key, w := range known {
		word := "quiet"
		if w.suspected {
			word = "suspected"
		}
		fmt.Fprintf(&text, "%s\t%s\t%d\t%d\t%d\n", key, word, w.tries[ahead], w.tries[inside], w.tries[between])
	}
	return text.String()
}
