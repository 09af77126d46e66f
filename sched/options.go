package sched

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Options say how a program is run. The zero value is a random walk with seed 0
// and everything else by default. The tag is the setting's name in ATOMRACE_SCHED.
type Options struct {
	Strategy    string        `set:"strategy"`    // random, pct, pos, roundrobin, race, atomicity or replay; random if empty
	Seed        uint64        `set:"seed"`        // of all random choices
	Depth       int           `set:"depth"`       // of pct: the number of change points, plus one; 3 if 0
	Length      int           `set:"length"`      // of pct: the decisions that a run is expected to have; 1000 if 0
	Pair        [2]string     `set:"pair"`        // of race, and to replay its schedules: two locations, as Location.ID, file:line or file:line:column, with r or w behind for reads or writes alone
	Delay       string        `set:"delay"`       // of race: Candidate.Delay of the pair; of atomicity: Entered.Delay of the section, with | between them
	Section     string        `set:"section"`     // of atomicity, and to replay its schedules: the one section that is looked at, as Section.ID or String; all if empty
	Schedule    string        `set:"schedule"`    // of replay: the schedule, as Schedule.String writes it
	NoAccess    bool          `set:"noaccess"`    // accesses of variables are no points, except for those that the strategy asks for
	Hybrid      bool          `set:"hybrid"`      // look for candidate pairs while running: phase 1 of papers/000, with all accesses
	Trace       bool          `set:"trace"`       // keep what each decision was, for Result.Trace
	Limit       uint64        `set:"limit"`       // decisions until the run is given up; 20 million if 0
	Drain       uint64        `set:"drain"`       // decisions for the other goroutines after the main function has ended; with 1 or more, those that then wait for ever are in Result.Waiting
	Livelock    uint64        `set:"livelock"`    // decisions until race and atomicity release one that is postponed; 100,000 if 0
	Patience    time.Duration `set:"patience"`    // real time that an uninstrumented operation may block; 20ms if 0
	RealNetwork bool          `set:"realnetwork"` // the loopback interface is the kernel's and not within the process
	Record      string        `set:"record"`      // file that the Result is written to, as JSON
}

// defaults fills in what is left open.
func (o *Options) defaults() {
	set(&o.Strategy, "random")
	set(&o.Depth, 3)
	set(&o.Length, 1000)
	set(&o.Limit, 20_000_000)
	set(&o.Livelock, 100_000)
	set(&o.Patience, 20*time.Millisecond)
}

func set[T comparable](field *T, value T) {
	var zero T
	if *field == zero {
		*field = value
	}
}

// ParseOptions reads settings as ATOMRACE_SCHED holds them, for instance
// "strategy=pct,depth=3,seed=42,trace=true". A pair is pair=a+b; in values a comma
// is written %2C, a plus sign %2B and a percent sign %25. The error says which
// setting is wrong and what it may be.
func ParseOptions(settings string) (Options, error) {
	var o Options
	for _, setting := range strings.Split(settings, ",") {
		if setting == "" {
			continue
		}
		name, value, ok := strings.Cut(setting, "=")
		if !ok {
			return Options{}, fmt.Errorf("%q is not a setting: name=value", setting)
		}
		if err := o.set(name, value); err != nil {
			return Options{}, err
		}
	}
	filled := o
	filled.defaults()
	if _, err := newStrategy(&filled); err != nil {
		return Options{}, err
	}
	return o, nil
}

// set gives the field with the name its value.
func (o *Options) set(name, value string) error {
	fields := reflect.ValueOf(o).Elem()
	for i := range fields.NumField() {
		if fields.Type().Field(i).Tag.Get("set") != name {
			continue
		}
		wrong := func(want string) error { return fmt.Errorf("%s=%s: it is %s", name, value, want) }
		switch field := fields.Field(i).Addr().Interface().(type) {
		case *string:
			*field = unescape(value)
		case *uint64:
			n, err := strconv.ParseUint(value, 10, 64)
			if err != nil {
				return wrong("a number from 0 to 2⁶⁴-1")
			}
			*field = n
		case *int:
			n, err := strconv.ParseInt(value, 10, 32)
			if err != nil || n < 0 {
				return wrong("a number from 0 to 2³¹-1")
			}
			*field = int(n)
		case *bool:
			b, err := strconv.ParseBool(value)
			if err != nil {
				return wrong("true or false")
			}
			*field = b
		case *time.Duration:
			d, err := time.ParseDuration(value)
			if err != nil || d < time.Millisecond {
				return wrong("a time of 1ms or more")
			}
			*field = d
		case *[2]string:
			a, b, ok := strings.Cut(value, "+")
			if !ok || a == "" || b == "" {
				return wrong("two locations with + between them")
			}
			*field = [2]string{unescape(a), unescape(b)}
		}
		return nil
	}
	return fmt.Errorf("there is no setting %q: they are %s", name, strings.Join(settingNames(), ", "))
}

// Replaying returns the options that run the schedule of a run with o again: what
// is a point must be the same.
func (o Options) Replaying(schedule string) Options {
	return Options{Strategy: "replay", Schedule: schedule, Pair: o.Pair, Section: o.Section, NoAccess: o.NoAccess, Hybrid: o.Hybrid, Limit: o.Limit, Patience: o.Patience, RealNetwork: o.RealNetwork}
}

func settingNames() []string {
	var names []string
	t := reflect.TypeFor[Options]()
	for i := range t.NumField() {
		names = append(names, t.Field(i).Tag.Get("set"))
	}
	return names
}

// String returns the settings that ParseOptions reads, those that are not zero.
func (o Options) String() string {
	var settings []string
	fields := reflect.ValueOf(o)
	for i := range fields.NumField() {
		field := fields.Field(i)
		if field.IsZero() {
			continue
		}
		text := ""
		if pair, ok := field.Interface().([2]string); ok {
			text = escape(pair[0]) + "+" + escape(pair[1])
		} else {
			text = escape(fmt.Sprint(field.Interface()))
		}
		settings = append(settings, fields.Type().Field(i).Tag.Get("set")+"="+text)
	}
	return strings.Join(settings, ",")
}

var (
	escaper   = strings.NewReplacer("%", "%25", ",", "%2C", "+", "%2B")
	unescaper = strings.NewReplacer("%25", "%", "%2C", ",", "%2B", "+")
)

func escape(s string) string   { return escaper.Replace(s) }
func unescape(s string) string { return unescaper.Replace(s) }
