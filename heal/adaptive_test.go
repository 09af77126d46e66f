//go:build !atomrace_off

package heal

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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
		if got := c.heat(l, ahead); got != 1000 {
			t.Errorf("heat %d at first", got)
		}
		for l.tries[ahead] = 0; c.heat(l, ahead) > strength; l.tries[ahead]++ {
		}
		if c.heat(l, between) != 1000 {
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
	if got := c.heat(l, ahead); got != 20 {
		t.Errorf("heat %d at the end, want the strength", got)
	}
}

// What one process has learnt the next one knows.
func TestLessons(t *testing.T) {
	file := filepath.Join(t.TempDir(), "noise")
	learn := func() (broken, calm *Location) {
		configured(t, "noise=adaptive:1/1us noise_file="+file)
		lessons.read, lessons.known, lessons.met = false, nil, nil
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
	settings().remember()

	broken.Var.info().suspected = false
	broken, calm = learn()
	if !broken.suspected || !broken.Var.info().suspected || calm.suspected || calm.tries != [spots]uint16{inside: 20} {
		t.Errorf("recalled %+v and %+v", broken.warmth, calm.warmth)
	}
	lessons.read, lessons.known, lessons.met = false, nil, nil
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
