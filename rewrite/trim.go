package rewrite

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Bounds of the cache directory. What was used within the hour stays whatever
// the size is: a build may be reading it.
const (
	cacheSize  = 1 << 30 // bytes
	cacheAge   = 30 * 24 * time.Hour
	cacheInUse = time.Hour
	cacheTrims = 24 * time.Hour // from one trimming to the next
)

// MarkUsed says that a part of the cache was used now. The modification time is
// the record; a write an hour is enough.
func MarkUsed(file string) {
	now := time.Now()
	if info, err := os.Stat(file); err == nil && now.Sub(info.ModTime()) > cacheInUse/2 {
		_ = os.Chtimes(file, now, now) // a read-only cache still works
	}
}

// cached is a part of the cache that is removed as a whole.
type cached struct {
	path string
	used time.Time
	size int64
}

// Trim keeps the cache directory within bounds. It costs next to nothing but once a day.
func Trim(cacheDir string) { trim(cacheDir, time.Now(), cacheSize) }

// trim removes what has not been used for long, and the least recently used
// until the rest is within size. It does so at most once a day. A part
// disappears in one step, by being renamed, so that no run sees half of it;
// failures leave things for the next time.
func trim(dir string, now time.Time, size int64) {
	stamp := filepath.Join(dir, "trimmed")
	if info, err := os.Stat(stamp); err == nil && now.Sub(info.ModTime()) < cacheTrims {
		return
	}
	if os.WriteFile(stamp, nil, 0o666) != nil || os.Chtimes(stamp, now, now) != nil {
		return
	}
	parts := cacheParts(dir)
	slices.SortFunc(parts, func(a, b cached) int { return cmp.Or(b.used.Compare(a.used), strings.Compare(a.path, b.path)) })
	total := int64(0)
	for _, p := range parts {
		total += p.size
		age := now.Sub(p.used)
		if age > cacheAge || p.size > 0 && total > size && age > cacheInUse {
			total -= p.size
			if info, err := os.Lstat(p.path); err == nil && info.ModTime().Equal(p.used) { // not used meanwhile
				remove(p.path)
			}
		}
	}
}

// cacheParts lists the entries of the kinds of things there are, with what
// interrupted runs have left. Unfinished refinements have no size: what runs have
// shown goes by its age alone.
func cacheParts(dir string) []cached {
	var parts []cached
	for _, kind := range []string{"overlay", "goroot", "module", "package", "inferred", "facts", "footprint", "refine"} {
		entries, err := os.ReadDir(filepath.Join(dir, kind))
		if err != nil {
			continue
		}
		for _, e := range entries {
			info, err := e.Info()
			if err != nil {
				continue
			}
			p := cached{filepath.Join(dir, kind, e.Name()), info.ModTime(), 0}
			if kind == "refine" {
				parts = append(parts, p)
				continue
			}
			_ = filepath.WalkDir(p.path, func(_ string, d fs.DirEntry, err error) error {
				if err == nil {
					if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
						p.size += info.Size()
					}
				}
				return nil
			})
			parts = append(parts, p)
		}
	}
	return parts
}

func remove(path string) {
	old := filepath.Join(filepath.Dir(path), ".old-"+strings.TrimPrefix(filepath.Base(path), ".old-"))
	if os.Rename(path, old) == nil {
		_ = os.RemoveAll(old)
	}
}
