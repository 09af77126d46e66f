//go:build !atomrace_off

package heal

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// config is what ATOMRACE says, parsed; immutable once in force.
type config struct {
	number uint16 // tells it from others, but for one in 2^15
	off    bool   // a value was invalid: nothing is watched, nothing healed
	heal   Policy
	// suspended says that nothing is healed, whatever the policies say.
	suspended bool
	control   string // file that changes the healing while the program runs; empty is none
	breaker   int    // waits in vain within breakerRest of each other after which a variable is healed by yielding
	noise     noise
	log       string        // "stderr", "stdout" or the stem of a file name
	doubts    string        // file with a line for each distinct violation that fails nothing; empty is none
	json      bool          // reports are JSON lines, not text
	rate      int           // violations printed in a second at most; 0 is no limit
	exitCode  int           // status that a program with violations ends with; 0 leaves it alone
	history   int           // foreign accesses remembered per open section
	wait      time.Duration // bound of every healing wait
	backOff   time.Duration // bound of a back-off under PolicyYield, unless wait is less
	seed      uint64        // of the noise
	budget    float64       // share that watching may add; 0 is no limit
	rests     bool          // watching may add nothing
	summary   bool
}

// configs counts those that there have been.
var configs uint32

// defaults are the settings of a program for which nothing is configured.
func defaults() *config {
	return &config{
		number:  uint16(atomic.AddUint32(&configs, 1)%(1<<15-1) + 1),
		heal:    PolicyOff,
		log:     "stderr",
		rate:    100,
		history: 8,
		wait:    100 * time.Millisecond,
		breaker: 10,
		backOff: 10 * time.Millisecond, // if the section waits for us, longer helps nobody
		seed:    1,
		summary: true,
	}
}

// options lists every key of ATOMRACE with its meaning.
var options = map[string]func(c *config, value string) error{
	"heal":        (*config).setHeal,
	"noise":       func(c *config, v string) error { return c.noise.parse(v) },
	"noise_at":    func(c *config, v string) error { return c.noise.parseAt(v) },
	"noise_file":  (*config).setNoiseFile,
	"log_path":    (*config).setLog,
	"doubt_path":  (*config).setDoubts,
	"log_format":  (*config).setFormat,
	"report_rate": func(c *config, v string) (err error) { c.rate, err = within(v, 0, 1<<20); return err },
	"exitcode":    func(c *config, v string) (err error) { c.exitCode, err = within(v, 0, 255); return err },
	"history":     func(c *config, v string) (err error) { c.history, err = within(v, 1, 1<<16); return err },
	"wait":        (*config).setWait,
	"control":     (*config).setControl,
	"breaker":     func(c *config, v string) (err error) { c.breaker, err = within(v, 0, 1<<20); return err },
	"seed":        (*config).setSeed,
	"budget":      (*config).setBudget,
	"summary":     (*config).setSummary,
}

// parse applies the settings of s, "key=value" parted by spaces or commas, to
// c. The first invalid one ends it.
func (c *config) parse(s string) error {
	for _, field := range strings.FieldsFunc(s, func(r rune) bool {
		return r == ' ' || r == ',' || r == '\t' || r == '\n'
	}) {
		key, value, ok := strings.Cut(field, "=")
		if !ok {
			return fmt.Errorf("%q is no key=value", field)
		}
		set, ok := options[key]
		if !ok {
			return fmt.Errorf("unknown key %q; the keys are %s", key, strings.Join(slices.Sorted(maps.Keys(options)), ", "))
		}
		if err := set(c, value); err != nil {
			if quoted := strconv.Quote(field); len(quoted) > len(field)+2 {
				field = quoted // a carriage return, say, would hide itself and more
			}
			return fmt.Errorf("%s: %w", field, err)
		}
	}
	return nil
}

func (c *config) setHeal(v string) error {
	p, ok := policyNamed(v)
	if !ok || p == PolicyInherit {
		return fmt.Errorf("must be off, auto, yield or lock%s", notPriority(v))
	}
	c.heal = p
	return nil
}

func (c *config) setLog(v string) error {
	if v == "" {
		return fmt.Errorf("must be stderr, stdout or the name of a file")
	}
	c.log = v
	if base, ok := strings.CutPrefix(v, "/dev/"); ok && (base == "stderr" || base == "stdout") {
		c.log = base
	}
	return nil
}

func (c *config) setDoubts(v string) error {
	if v == "" {
		return fmt.Errorf("must be the name of a file")
	}
	c.doubts = v
	return nil
}

func (c *config) setNoiseFile(v string) error {
	if v == "" {
		return fmt.Errorf("must be the name of a file")
	}
	c.noise.file = v
	return nil
}

func (c *config) setControl(v string) error {
	if v == "" {
		return fmt.Errorf("must be the name of a file")
	}
	c.control = v
	return nil
}

func (c *config) setFormat(v string) error {
	if v != "text" && v != "json" {
		return fmt.Errorf("must be text or json")
	}
	c.json = v == "json"
	return nil
}

func (c *config) setWait(v string) error {
	d, err := time.ParseDuration(v)
	if err != nil || d <= 0 || d > time.Minute {
		return fmt.Errorf("must be a duration above 0 and up to 1m")
	}
	c.wait = d
	return nil
}

func (c *config) setSeed(v string) error {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil {
		return fmt.Errorf("must be a decimal integer from 0 to 2^64-1")
	}
	c.seed = n
	return nil
}

func (c *config) setBudget(v string) error {
	if v == "none" {
		c.budget, c.rests = 0, false
		return nil
	}
	number, ok := strings.CutSuffix(v, "%")
	n, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || n != 0 && !(n >= 0.1 && n <= 1000) {
		return fmt.Errorf("must be none, 0%%, or from 0.1%% to 1000%%")
	}
	c.budget, c.rests = n/100, n == 0
	return nil
}

func (c *config) setSummary(v string) error {
	n, err := within(v, 0, 1)
	c.summary = n == 1
	return err
}

func within(v string, low, high int) (int, error) {
	n, err := strconv.Atoi(v)
	if err != nil || n < low || n > high {
		return 0, fmt.Errorf("must be an integer from %d to %d", low, high)
	}
	return n, nil
}
