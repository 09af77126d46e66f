package zonebuild

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
)

type Record struct {
	Name, Type, Data string
}

type Zone struct {
	origin string

	mu      sync.RWMutex
	serial  int
	records map[string][]Record
}

func Load(origin string, r io.Reader) (*Zone, error) {
	z := &Zone{origin: origin, records: make(map[string][]Record)}
	sc := bufio.NewScanner(r)
	for sc.Scan() {
		f := strings.Fields(sc.Text())
		if len(f) == 0 {
			continue
		}
		if len(f) != 3 {
			return nil, fmt.Errorf("zonebuild: bad line %q", sc.Text())
		}
		rec := Record{f[0], f[1], f[2]}
		z.records[rec.Name] = append(z.records[rec.Name], rec)
		z.serial++
	}
	return z, sc.Err()
}

func (z *Zone) Lookup(name, typ string) (out []Record) {
	z.mu.RLock()
	defer z.mu.RUnlock()
	for _, r := range z.records[name] {
		if r.Type == typ {
			out = append(out, r)
		}
	}
	return out
}

func (z *Zone) Upsert(r Record) int {
	z.mu.Lock()
	defer z.mu.Unlock()
	z.records[r.Name] = append(z.records[r.Name], r)
	z.serial++
	return z.serial
}
