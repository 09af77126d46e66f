//go:build !atomrace_off

package heal

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"
	"unsafe"
)

func TestSettings(t *testing.T) {
	c := defaults()
	err := c.parse("heal=lock noise=random:50/50us,log_path=out  exitcode=66 history=3 wait=1s seed=9 summary=0 noise_at=T.f;a.go:7 log_format=json report_rate=0")
	if err != nil {
		t.Fatal(err)
	}
	n := c.noise
	if c.heal != PolicyLock || c.log != "out" || c.exitCode != 66 || c.history != 3 || c.wait != time.Second || c.seed != 9 || c.summary || !c.json || c.rate != 0 ||
		n.kind != noiseRandom || n.perMille != 50 || n.duration != 50*time.Microsecond || fmt.Sprint(n.at) != "[T.f a.go:7]" {
		t.Errorf("%+v", c)
	}
	for _, bad := range []string{
		"noise_file=", "doubt_path=", "noise=adaptive:20", "heal", "heal=", "heal=always", "heal=LOCK", "colour=red", "noise=", "noise=random", "noise=random:1001/1us", "noise=random:-1/1us",
		"noise=random:50", "noise=random:50/50", "noise=random:50/2s", "noise=white:50/1us", "noise=random:50/1us/", "noise=random:50/1us/spin", "noise=random:50/1us/busy/busy", "noise=none/busy", "noise=adaptive/busy", "noise_at=", "log_path=", "exitcode=256", "exitcode=x",
		"history=0", "wait=0s", "wait=-1s", "wait=1h", "wait=5", "seed=-1", "seed=0x1", "seed=1_0", "seed=", "noise_at=a;", "report_rate=", "report_rate=1048577", "report_rate=NaN", "summary=2", "=",
		"log_format=", "log_format=xml", "report_rate=-1", "report_rate=x",
	} {
		if err := defaults().parse(bad); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := defaults().parse("seed=1\r"); err == nil || err.Error() != `"seed=1\r": must be a decimal integer from 0 to 2^64-1` {
		t.Error(err)
	}
	if err := c.parse("seed=08"); err != nil || c.seed != 8 { // the day of the month, say
		t.Errorf("%v, seed %d", err, c.seed)
	}
	if err := defaults().parse("noise=random:50/1us/spin"); err == nil || err.Error() != "noise=random:50/1us/spin: the kind of delay must be sleep, yield or busy" {
		t.Error(err)
	}
	for kind, want := range map[string]delayKind{"": delayUnsaid, "/sleep": delaySleep, "/yield": delayYield, "/busy": delayBusy} {
		for _, noise := range []string{"random", "variable", "location", "adaptive"} {
			c := defaults()
			if err := c.parse("noise=" + noise + ":50/1ms" + kind); err != nil || c.noise.delay != want || c.noise.perMille != 50 || c.noise.duration != time.Millisecond {
				t.Errorf("%s%s: %v, %+v", noise, kind, err, c.noise)
			}
		}
	}
	if err := defaults().parse("heal=priority"); err == nil || !strings.HasSuffix(err.Error(), "must be off, auto, yield or lock: goroutines have no priorities, yield is nearest") {
		t.Error(err)
	}
}

// The decisions of the noise depend on the seed alone, and hold their rate.
func TestNoiseDecisions(t *testing.T) {
	a, b := defaults(), defaults()
	b.seed = 2
	hits, same := 0, 0
	const n = 100000
	for i := range uint64(n) {
		x := a.decision(i)
		if x != a.decision(i) {
			t.Fatal("not deterministic")
		}
		if x < 50 {
			hits++
		}
		if x == b.decision(i) {
			same++
		}
	}
	if hits < n*45/1000 || hits > n*55/1000 || same > n/500 {
		t.Errorf("%d hits at 50 per mille, %d equal for two seeds, of %d", hits, same, n)
	}
}

func TestNoisePlaces(t *testing.T) {
	p := newProgram(t)
	l, other := p.at(Read), p.at(Write)
	l.File = "/src/pool.go"
	for _, test := range []struct {
		settings  string
		first     bool
		afterSeen bool
	}{
		{"noise=random:1000/0s", true, true},
		{"noise=variable:1000/0s", false, true},
		{"noise=location:1000/0s", false, true},
		{"noise=variable:1000/0s noise_at=Pool.free", true, true},
		{"noise=variable:1000/0s noise_at=example.com/TestNoisePlaces.Pool.free", true, true},
		{"noise=variable:1000/0s noise_at=Pool.idle;Pool", false, false},
		{"noise=location:1000/0s noise_at=pool.go:1", true, true},
		{"noise=location:1000/0s noise_at=/src/pool.go:1", true, true},
		{"noise=location:1000/0s noise_at=pool.go:9;ool.go:1", false, false},
	} {
		c := defaults()
		if err := c.parse(test.settings); err != nil {
			t.Fatal(err)
		}
		l.suspected, p.v.info().suspected = false, false
		if got := c.chosen(l); got != test.first {
			t.Errorf("%s: chosen = %v", test.settings, got)
		}
		suspect(l)
		if got := c.chosen(l); got != test.afterSeen {
			t.Errorf("%s: chosen = %v once suspected", test.settings, got)
		}
		if c.noise.kind == noiseLocation && c.chosen(other) {
			t.Errorf("%s: another location chosen", test.settings)
		}
	}
}

// scenarios are whole programs, run in a process of their own.
var scenarios = map[string]func(){
	"clean": func() {
		defer Exit()
	},
	"racy": func() {
		defer Exit()
		raceOnce()
	},
	"racy and defaults": func() {
		Defaults("exitcode=7 heal=lock")
		defer Exit()
		raceOnce()
		fmt.Println("heal", settings().heal, "exitcode", settings().exitCode)
	},
	"racy and panics": func() {
		defer Exit()
		raceOnce()
		panic("the program's own")
	},
	"racy and a goroutine panics": func() {
		defer Exit()
		raceOnce()
		go panic("the program's own")
		select {}
	},
	"racy and exits 0": func() {
		raceOnce()
		os.Exit(ExitCode(0))
	},
	"racy and exits 3": func() {
		raceOnce()
		os.Exit(ExitCode(3))
	},
	"defaults are bad": func() {
		Defaults("heal=maybe")
		defer Exit()
		raceOnce()
	},
	"settings are applied again": func() {
		defer Exit()
		SetPolicy("", PolicyYield)
		os.Clearenv()
		SetPolicy("", PolicyLock)
		Suspend(true)
		raceOnce()
	},
	"defaults come late": func() {
		defer Exit()
		raceOnce()
		Defaults("exitcode=7")
	},
	"busy while garbage is collected": busyCollected,
}

// raceOnce makes the hooks of one data race.
func raceOnce() {
	v := &Variable{Package: "main", Name: "x"}
	mine, hers := &Location{Var: v, Mode: Write, Function: &Function{File: "a.go"}, Line: 1}, &Location{Var: v, Mode: Write, Function: &Function{File: "a.go"}, Line: 2}
	x := new([1 << 17]int)
	m := mark(mine, unsafe.Pointer(x), unsafe.Sizeof(int(0)))
	done := make(chan struct{})
	go func() {
		Clear(mark(hers, unsafe.Pointer(x), unsafe.Sizeof(int(0))))
		close(done)
	}()
	<-done
	Clear(m)
	runtime.KeepAlive([]*Location{mine, hers}) // tables live as long as the program
}

func TestMain(m *testing.M) {
	debug.SetGCPercent(100) // whatever GOGC says: the collector has to run, as in users' programs
	if do, ok := scenarios[os.Getenv("ATOMRACE_SCENARIO")]; ok {
		do()
		fmt.Println("ran to its end")
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestPrograms(t *testing.T) {
	const (
		warning = "WARNING: ATOMRACE: data race on x"
		line    = "atomrace: 1 x data race on x: write at a.go:1, write at a.go:2"
		off     = "detection is off"
	)
	for _, test := range []struct {
		scenario, settings string
		code               int
		says               []string
		silent             []string
	}{
		{"clean", "", 0, []string{"ran to its end"}, []string{"atomrace"}},
		{"clean", "exitcode=66", 0, []string{"ran to its end"}, []string{"atomrace"}},
		{"racy", "", 0, []string{warning, line, "ran to its end"}, nil},
		{"racy", "summary=0", 0, []string{warning, "ran to its end"}, []string{line}},
		{"racy", "exitcode=66", 66, []string{warning, line}, nil},
		{"racy", "exitcode=66 colour=red", 0, []string{`atomrace: ATOMRACE: unknown key "colour"; the keys are breaker, budget, control, doubt_path, exitcode, heal, history, log_format, log_path, noise, noise_at, noise_file, report_rate, seed, summary, wait; ` + off, "ran to its end"}, []string{warning}},
		{"racy", "heal=maybe", 0, []string{"atomrace: ATOMRACE: heal=maybe: must be off, auto, yield or lock; " + off}, []string{warning}},
		{"racy", "log_path=/nonexistent/x", 0, []string{"atomrace: log_path: ", warning}, nil},
		{"racy", "noise=variable:1000/0s noise_at=x", 0, []string{warning, line}, []string{"noise_at"}},
		{"racy", "noise=location:1000/0s noise_at=x;a.go:3", 0, []string{warning, line, "atomrace: noise_at=x;a.go:3: no access that was made is one of these, and nothing was delayed; location noise wants FILE:LINE, as pool.go:31"}, nil},
		{"racy", "noise=random:1000/0s noise_at=x", 0, []string{warning, line}, []string{"noise_at"}},
		{"racy and defaults", "", 7, []string{warning, "heal lock exitcode 7"}, nil},
		{"racy and defaults", "exitcode=8", 8, []string{warning, "heal lock exitcode 8"}, nil},
		{"racy and panics", "exitcode=66", 2, []string{warning, line, "panic: the program's own", "goroutine 1 [running]"}, nil},
		{"racy and a goroutine panics", "exitcode=66", 2, []string{warning, "panic: the program's own"}, []string{line}},
		{"racy and exits 0", "exitcode=66", 66, []string{warning, line}, nil},
		{"racy and exits 0", "", 0, []string{warning, line}, nil},
		{"racy and exits 3", "exitcode=66", 3, []string{warning, line}, nil},
		{"defaults are bad", "", 0, []string{"atomrace: heal.Defaults: heal=maybe: ", off, "ran to its end"}, []string{warning}},
		{"settings are applied again", "exitcode=66 seed=x", 0, []string{"ATOMRACE: seed=x: must be a decimal integer from 0 to 2^64-1; " + off, "ran to its end"}, []string{warning}},
		{"settings are applied again", "exitcode=66 report_rate=1", 66, []string{warning, line}, nil},
		{"defaults come late", "", 7, []string{warning}, nil},
		{"defaults come late", "exitcode=8", 8, []string{warning}, nil},
	} {
		t.Run(test.scenario+" "+test.settings, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), "ATOMRACE_SCENARIO="+test.scenario, "ATOMRACE="+test.settings, "GORACE=atexit_sleep_ms=0")
			out, err := cmd.CombinedOutput()
			code := 0
			var exit *exec.ExitError
			if errors.As(err, &exit) {
				code = exit.ExitCode()
			} else if err != nil {
				t.Fatal(err)
			}
			if code != test.code {
				t.Errorf("status %d, want %d", code, test.code)
			}
			for _, s := range test.says {
				if strings.Count(string(out), s) != 1 {
					t.Errorf("%q is not said once", s)
				}
			}
			for _, s := range test.silent {
				if strings.Contains(string(out), s) {
					t.Errorf("%q is said", s)
				}
			}
			if t.Failed() {
				t.Logf("output:\n%s", out)
			}
		})
	}
}
