//go:build !atomrace_off

package heal

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

// A program whose activations take about a microsecond each, and so much more when they are
// watched.
func TestMeter(t *testing.T) {
	for _, x := range []struct{ budget, overhead float64 }{
		{0.03, 0.3}, {0.03, 2}, {0.10, 0.3}, {0.10, 1}, {0.25, 0.3}, {0.25, 9}, {0.25, 0.05}, {10, 9},
	} {
		random := rand.New(rand.NewPCG(1, 2))
		var m meter
		native, took := 0.0, 0.0
		watched, all := 0.0, 0.0
		rest, n := false, float64(batch)
		for phases := range 2000 {
			// Other work and other callers: what phases take varies by a third.
			cost := n * 1e-6 * (0.67 + 0.66*random.Float64())
			spent := cost
			if !rest {
				spent *= 1 + x.overhead
			}
			if phases > 20 { // until then it learns
				native += cost
				took += spent
				all += n
				if !rest {
					watched += n
				}
			}
			rest = m.over(x.budget, rest, n, time.Duration(spent*1e9))
			n = max(batch, float64(int64(m.length)))
		}
		added := took/native - 1
		switch most := x.budget; {
		case added > most*1.05:
			t.Errorf("budget %v, watching adds %v: it added %.3f", x.budget, x.overhead, added)
		case x.overhead > most && added < aim(most)/2:
			t.Errorf("budget %v, watching adds %v: only %.3f was spent", x.budget, x.overhead, added)
		case watched/all < leastWatched*0.8:
			t.Errorf("budget %v, watching adds %v: %.4f were watched", x.budget, x.overhead, watched/all)
		case x.overhead < aim(most) && watched/all < 0.8:
			t.Errorf("budget %v, watching adds %v: only %.2f were watched", x.budget, x.overhead, watched/all)
		}
	}
}

// What watching may cost is between a third and half of the budget.
func TestAim(t *testing.T) {
	for budget, want := range map[float64]float64{0.01: 0.01 / 3, 0.03: 0.01, 0.035: 0.015, 0.05: 0.025, 0.1: 0.05, 0.5: 0.25} {
		if got := aim(budget); math.Abs(got-want) > 1e-9 {
			t.Errorf("of %v: %v, not %v", budget, got, want)
		}
	}
}

// However little was measured, the numbers stay numbers.
func TestMeterOfLittle(t *testing.T) {
	var m meter
	rest := false
	for i := range 100 {
		rest = m.over(0.1, rest, float64(i%2), 0)
		if !(m.length >= 0 && m.length < 1e18) || !(m.watched > 0 && m.watched <= 1) {
			t.Fatalf("%d: %+v", i, m)
		}
	}
}

// Activations are watched until the first phase is over, then by turns; without a budget,
// and with noise, always; with a budget of nothing, never.
func TestBudget(t *testing.T) {
	spin := func(d time.Duration) (watched, rested int) {
		for end := usedTime() + d; usedTime() < end; {
			for range batch {
				if unwatched(1) {
					rested++
				} else {
					watched++
				}
			}
		}
		return watched, rested
	}
	for settings, want := range map[string]struct{ watched, rested bool }{
		"budget=1%":                    {true, true},
		"budget=none":                  {true, false},
		"budget=0%":                    {false, true},
		"budget=1% noise=random:1/1us": {true, false},
	} {
		configured(t, settings)
		watched, rested := spin(400 * time.Millisecond)
		if (watched > 0) != want.watched || (rested > 0) != want.rested {
			t.Errorf("%s: %d watched, %d not", settings, watched, rested)
		}
	}
}

// Other settings may change while the program runs: the phase goes on. Another budget
// begins anew, and at once.
func TestBudgetStays(t *testing.T) {
	configured(t, "budget=1%")
	for end := usedTime() + 400*time.Millisecond; usedTime() < end && !unwatched(0); {
		unwatched(1)
	}
	if !unwatched(0) {
		t.Fatal("it does not rest yet")
	}
	before := phase.left
	configured(t, "budget=1% heal=auto")
	if !unwatched(0) || phase.left != before || Stats().Watched == 0 {
		t.Errorf("resting %v, %d of %d activations left, %+v", unwatched(0), phase.left, before, Stats())
	}
	configured(t, "budget=2%")
	if unwatched(0) || phase.left != 0 || Stats().Watched != 0 {
		t.Errorf("resting %v, %d activations left, %+v", unwatched(0), phase.left, Stats())
	}
}
