//go:build !atomrace_off

package heal

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
	"unsafe"
)

// A location that nobody came near cools down soon, one of a suspected variable
// later, and a suspected one last; none becomes colder than the strength, and each
// spot cools down for itself.
func TestHeat(t *testing.T) {
	c := defaults()
	if err := c.parse("noise=adaptive:20/1us"); err != nil {
		t.Fatal(err)
	}
	tries := func(suspected func(*program, *Location), strength uint64) (n uint16) {
		p := newProgram(t)
		p.v.Name = "Pool." + string(rune('a'+strength%26))
		l := p.at(Read)
		suspected(p, l)
		if got, _ := c.heat(l, ahead); got != 1000 {
			t.Errorf("heat %d at first", got)
		}
		for l.tries[ahead] = 0; ; l.tries[ahead]++ {
			if got, _ := c.heat(l, ahead); got <= strength {
				break
			}
		}
		if got, _ := c.heat(l, between); got != 1000 {
			t.Error("a delay ahead of the access has cooled down another spot")
		}
		return l.tries[ahead]
	}
	quiet := tries(func(*program, *Location) {}, 50)
	variable := tries(func(p *program, _ *Location) { p.v.info().suspected = true }, 51)
	location := tries(func(_ *program, l *Location) { suspect(l) }, 52)
	if quiet == 0 || variable < 2*quiet || location < 2*variable {
		t.Errorf("cooled down after %d, %d and %d delays", quiet, variable, location)
	}
	l := newProgram(t).at(Read)
	l.tries[ahead] = maxTries
	if got, least := c.heat(l, ahead); got != 20 || least != leftForCold {
		t.Errorf("heat %d at the end, want the strength", got)
	}
}

// unlearn forgets what the noise file has said, as another process has not read it.
func unlearn() {
	lessons.Lock()
	defer lessons.Unlock()
	lessons.read, lessons.closed, lessons.known, lessons.met, lessons.took = false, false, nil, nil, 0
}

// What one process has learnt the next one knows.
func TestLessons(t *testing.T) {
	file := filepath.Join(t.TempDir(), "noise")
	defer unlearn()
	learn := func() (broken, calm *Location) {
		configured(t, "noise=adaptive:1/1us noise_file="+file)
		unlearn()
		p, q := newProgram(t), newProgram(t)
		p.v.Name, q.v.Name = "Lessons.hot", "Lessons.calm"
		broken, calm = p.at(Write), q.at(Read)
		for _, l := range []*Location{broken, calm} {
			settings().recall(l)
		}
		return broken, calm
	}
	broken, calm := learn()
	if broken.suspected || calm.tries != [spots]uint16{} {
		t.Fatalf("known from the start: %+v, %+v", broken.warmth, calm.warmth)
	}
	suspect(broken)
	calm.tries[inside] = 40
	settings().remember(true)

	broken.Var.info().suspected = false
	broken, calm = learn()
	if !broken.suspected || !broken.Var.info().suspected || calm.suspected || calm.tries != [spots]uint16{inside: 20} {
		t.Errorf("recalled %+v and %+v", broken.warmth, calm.warmth)
	}

	// Whatever goroutines do at once, no more is written than is read again.
	calm.tries[inside] = maxTries
	settings().remember(true)
	unlearn()
	calm.recalled = false // as for one that comes while another one recalls
	settings().recall(calm)
	settings().remember(true)
	if _, err := readLessons(file); err != nil || lessons.closed {
		t.Errorf("%v after %+v", err, calm.warmth)
	}
}

// meet has the noise learn something of a location under the settings.
func meet(t *testing.T, name string) {
	t.Helper()
	p := newProgram(t)
	p.v.Name = name
	settings().recall(p.at(Write))
}

// A file that is not atomrace's stays as it is, and that is said once.
func TestNoiseFileOfOthers(t *testing.T) {
	dir := t.TempDir()
	defer unlearn()
	for text, want := range map[string]string{
		"precious\n":                  `does not begin with "atomrace noise 1"`,
		"atomrace noise 2\n":          `does not begin with "atomrace noise 1"`,
		lessonsHeader + "\nhalf a li": ":2 is not what atomrace writes there",
		"directory":                   "is no regular file",
	} {
		file := filepath.Join(dir, strconv.Itoa(len(text)))
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if text == "directory" {
			file = dir
		}
		said := logged(t, "noise=adaptive:1/1us noise_file="+file, func() {
			unlearn()
			meet(t, "Lessons.hot")
			settings().remember(false)
			settings().remember(true)
		})
		if strings.Count(said, "noise_file: ") != 1 || !strings.Contains(said, want) {
			t.Errorf("%q: said %q, want %q", text, said, want)
		}
		if after, _ := os.ReadFile(file); text != "directory" && string(after) != text {
			t.Errorf("%q has become %q", text, after)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.*")); len(files) > 0 {
		t.Errorf("left behind: %v", files)
	}
}

// What other processes have written meanwhile is kept; a link stays a link, and its file as
// readable as it was; an empty file will do.
func TestNoiseFileIsShared(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "noise"), filepath.Join(dir, "link")
	if err := errors.Join(os.WriteFile(file, nil, 0o640), os.Symlink("noise", link)); err != nil {
		t.Fatal(err)
	}
	defer unlearn()
	configured(t, "noise=adaptive:1/1us noise_file="+link)
	unlearn()
	meet(t, "Lessons.mine")
	const theirs = "p\tLessons.theirs\tf\t1\tread\tquiet\t1\t2\t3\n"
	if err := os.WriteFile(file, []byte(lessonsHeader+"\n"+theirs), 0o640); err != nil {
		t.Fatal(err)
	}
	settings().remember(true)
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), theirs) || !strings.Contains(string(text), "Lessons.mine") {
		t.Errorf("%v\n%s", err, text)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	if info, err := os.Stat(file); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}

	// To write it takes little of the time until the program ends.
	meet(t, "Lessons.later")
	lessons.took = time.Hour
	settings().remember(false)
	if text, _ := os.ReadFile(file); strings.Contains(string(text), "Lessons.later") {
		t.Error("written again at once, although it takes an hour")
	}
	settings().remember(true)
	if text, _ := os.ReadFile(file); !strings.Contains(string(text), "Lessons.later") {
		t.Error("not written at the end")
	}
}

func TestLessonsThatAreNone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "noise")
	for _, test := range []struct{ text, want string }{
		{"something else\n", "does not begin with"},
		{lessonsHeader + "\na\tb\n", ":2 is not"},
		{lessonsHeader + "\np\tv\tf\t1\tread\tquiet\t1\t2\n", ":2 is not"},
		{lessonsHeader + "\np\tv\tf\t1\tread\tquiet\t1\t2\t99999\n", ":2 is not"},
		{lessonsHeader + "\np\tv\tf\t1\tread\tloud\t1\t2\t3\n", ":2 is not"},
	} {
		if err := os.WriteFile(file, []byte(test.text), 0o666); err != nil {
			t.Fatal(err)
		}
		known, err := readLessons(file)
		if err == nil || !strings.Contains(err.Error(), test.want) || len(known) > 0 {
			t.Errorf("%q: %v, %v", test.text, known, err)
		}
	}
	if known, err := readLessons(file + ".none"); err != nil || len(known) > 0 {
		t.Errorf("no file: %v, %v", known, err)
	}
}

// While noise keeps the window of one variable open, others come to its neighbours
// in the same slot of the table and leave again. Who then comes to the first one finds
// it open all the same.
func TestNeighboursUnderNoise(t *testing.T) {
	configured(t, "noise=random:1000/500ms")
	p := newProgram(t)
	mine, hers, near := p.at(Write), p.at(Write), p.at(Write)
	x := new([8]int) // of one granule
	word := func(i int) (unsafe.Pointer, uintptr) { return unsafe.Pointer(&x[i]), unsafe.Sizeof(x[i]) }
	a := actors(t, 3)
	got := found(t, func() {
		a[0].start(func(*Frame) { Look(mine, unsafe.Pointer(&x[0]), 8) })
		for loadWord(&long[uintptr(unsafe.Pointer(&x[0]))>>longWord&(1<<slotBits-1)]) == 0 {
			runtime.Gosched()
		}
		a[1].do(func(*Frame) {
			at, size := word(1)
			Clear(Mark(Self(), near, at, size)) // overwrites the mark of mine in the table that they share
		})
		a[2].do(func(*Frame) {
			at, size := word(0)
			settings().stretch(hers, at, size)
		})
		a[0].finished()
	})
	if len(got) == 0 || got[0].End.Location != mine || got[0].Foreign[0].Location != hers {
		t.Errorf("got %v", got)
	}
}
