// Package onemutex has one lock, for all of its variables.
package onemutex

import "sync"

type palette struct{ accent string }

var (
	paletteLock sync.Mutex
	palettes    []*palette
	chosen      *palette
	byAccent    = map[string]*palette{}
)

func AddPalette(p *palette) {
	paletteLock.Lock()
	defer paletteLock.Unlock()
	palettes = append(palettes, p)
	byAccent[p.accent] = p
}

func ForgetPalettes() {
	paletteLock.Lock()
	defer paletteLock.Unlock()
	palettes = nil
	clear(byAccent)
}

func ChoosePalette(accent string) {
	paletteLock.Lock()
	defer paletteLock.Unlock()
	if p := byAccent[accent]; p != nil {
		chosen = p
	}
}

func Accent() string {
	paletteLock.Lock()
	defer paletteLock.Unlock()
	if chosen == nil {
		return ""
	}
	return chosen.accent
}

// PlainPalette goes back to none.
func PlainPalette() {
	chosen = nil // want `chosen is accessed here without a lock, and in ChoosePalette under paletteLock, the one lock of package onemutex, which guards all else that changes of it`
}
