package facts

import (
	"cmp"
	"go/types"
	"slices"
)

// MaxBytes bounds the fact of one analyzer about one package.
const MaxBytes = 8 << 10

// Key names a function within its package: F, or T.M for a method of T or *T.
func Key(fn *types.Func) string {
	recv := fn.Signature().Recv()
	if recv == nil {
		return fn.Name()
	}
	t := recv.Type()
	if ptr, ok := types.Unalias(t).(*types.Pointer); ok {
		t = ptr.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Name() + "." + fn.Name()
	}
	return "." + fn.Name()
}

// An Entry is what is known of one function or variable, as a Writer wrote it.
type Entry struct {
	Key string
	// Rank says how useful the entry is to importers, 0 for most.
	Rank int
	Data []byte
}

// Fit writes as many entries as MaxBytes allows, those of the lowest ranks,
// sorted by key. It returns nil for none.
func Fit(entries []Entry) []byte {
	slices.SortFunc(entries, func(a, b Entry) int {
		return cmp.Or(cmp.Compare(a.Rank, b.Rank), cmp.Compare(a.Key, b.Key))
	})
	size := 0
	for i, e := range entries {
		if size += len(e.Key) + len(e.Data) + 4; size > MaxBytes {
			entries = entries[:i]
			break
		}
	}
	if len(entries) == 0 {
		return nil
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	var w Writer
	for _, e := range entries {
		w.String(e.Key)
		w.String(string(e.Data))
	}
	return w.Data
}

// Imports holds the facts of imported packages. It is not safe for concurrent
// use.
type Imports struct {
	data    map[*types.Package][]byte
	entries map[*types.Package]map[string][]byte
}

// Add adds the fact of a package.
func (im *Imports) Add(pkg *types.Package, data []byte) {
	if im.data == nil {
		im.data = map[*types.Package][]byte{}
		im.entries = map[*types.Package]map[string][]byte{}
	}
	im.data[pkg] = data
}

// Entry returns a Reader of what is known under the key of the package, or false.
func (im *Imports) Entry(pkg *types.Package, key string) (*Reader, bool) {
	entries := im.entries[pkg]
	if entries == nil {
		data := im.data[pkg]
		if data == nil {
			return nil, false
		}
		entries = map[string][]byte{}
		for r := (&Reader{Data: data}); len(r.Data) > 0; {
			key := r.String()
			entries[key] = []byte(r.String())
		}
		im.entries[pkg] = entries
	}
	data, ok := entries[key]
	return &Reader{Data: data}, ok
}
