package dnsqstats

import (
	"sort"
	"strings"
	"sync"
)

type key struct {
	zone  string
	qtype uint16
}

type QueryStats struct {
	byZone sync.Map // key -> uint64
	zones  []string
}

func NewQueryStats(zones ...string) *QueryStats {
	return &QueryStats{zones: zones}
}

func (q *QueryStats) zoneOf(name string) string {
	name = strings.ToLower(strings.TrimSuffix(name, "."))
	for _, z := range q.zones {
		if name == z || strings.HasSuffix(name, "."+z) {
			return z
		}
	}
	return "."
}

func (q *QueryStats) Count(name string, qtype uint16) {
	k := key{q.zoneOf(name), qtype}
	var n uint64
	if v, ok := q.byZone.Load(k); ok {
		n = v.(uint64)
	}
	q.byZone.Store(k, n+1)
}

type Row struct {
	Zone  string
	QType uint16
	N     uint64
}

func (q *QueryStats) Rows() []Row {
	var rows []Row
	q.byZone.Range(func(k, v any) bool {
		kk := k.(key)
		rows = append(rows, Row{kk.zone, kk.qtype, v.(uint64)})
		return true
	})
	sort.Slice(rows, func(i, j int) bool { return rows[i].N > rows[j].N })
	return rows
}
