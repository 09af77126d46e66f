package sched

import "time"

// Sleep is time.Sleep on the virtual clock.
func Sleep(d time.Duration) (done bool) { return false }

// Now is time.Now on the virtual clock: without monotonic reading, in UTC.
func Now() (now time.Time, done bool) { return time.Time{}, false }

// After is time.After.
func After(d time.Duration) (c <-chan time.Time, done bool) { return nil, false }

// NewTimer is time.NewTimer.
func NewTimer(d time.Duration) (t *time.Timer, done bool) { return nil, false }

// AfterFunc is time.AfterFunc; f runs as a goroutine under control.
func AfterFunc(d time.Duration, f func()) (t *time.Timer, done bool) { return nil, false }

// TimerStop is t.Stop. Done is false if t is a timer of the real clock.
func TimerStop(t *time.Timer) (active, done bool) { return false, false }

// TimerReset is t.Reset(d). Done is false if t is a timer of the real clock.
func TimerReset(t *time.Timer, d time.Duration) (active, done bool) { return false, false }

// NewTicker is time.NewTicker; d must be positive.
func NewTicker(d time.Duration) (t *time.Ticker, done bool) { return nil, false }

// TickerStop is t.Stop. Done is false if t is a ticker of the real clock.
func TickerStop(t *time.Ticker) (done bool) { return false }

// TickerReset is t.Reset(d). Done is false if t is a ticker of the real clock.
func TickerReset(t *time.Ticker, d time.Duration) (done bool) { return false }
