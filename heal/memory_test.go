//go:build !atomrace_off

package heal

import (
	"reflect"
	"testing"
	"unsafe"
)

// The tables take no more memory than they should, and the garbage collector does not read
// them: what it reads lets the heap of the program grow by as much.
func TestTables(t *testing.T) {
	for name, table := range map[string]struct {
		of  any
		max uintptr
	}{
		"slots":          {slots, 1 << 18},
		"locations":      {locations, 1 << 18},
		"buckets":        {buckets, 1 << 18},
		"words":          {words, 1 << 17},
		"numbers":        {roomNumbers, 1 << 16},
		"held":           {heldAt, 1 << 17},
		"long":           {long, 1 << 18},
		"long locations": {longLocations, 1 << 18},
		"begun":          {begun, 1 << 13},
	} {
		of := reflect.TypeOf(table.of)
		if of.Size() > table.max {
			t.Errorf("the table %s takes %d bytes, more than %d", name, of.Size(), table.max)
		}
		if hasPointers(of) {
			t.Errorf("the table %s has pointers", name)
		}
	}
	if size := unsafe.Sizeof(guard{}); unsafe.Sizeof(uintptr(0)) == 8 && size != 64 {
		t.Errorf("a guard takes %d bytes, which is not a cache line", size)
	}
}

func hasPointers(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return hasPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if hasPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		return t.Kind() > reflect.Complex128 // all kinds that do not point to anything come first
	}
}

// Rooms that are empty are used again.
func TestRooms(t *testing.T) {
	const taken = 20
	gd := &guarded[0]
	gd.Lock()
	defer gd.Unlock()
	for range 3 {
		for i := range taken {
			b := &buckets[i*guards]
			c := b.add(gd, &instance{}, 1)
			h := b.newLock(gd, &instance{})
			if b.cells() != c || b.locks() != h || !b.inUse() {
				t.Error("what hangs in a bucket is not found there")
			}
		}
		for i := range taken {
			b := &buckets[i*guards]
			b.drop(gd, b.cells())
			if b.inUse() || b.cells() != nil || b.locks() == nil {
				t.Error("a bucket that has but a lock is another one")
			}
			b.remove(gd, nil, b.locks())
			b.open()
			if b.room() != nil {
				t.Error("a room is kept for nothing")
			}
		}
		free := 0
		for n := gd.free; n != 0; n = gd.rooms[n-1].free {
			free++
		}
		if free != len(gd.rooms) || free > 3*taken {
			t.Errorf("%d rooms are free, of %d", free, len(gd.rooms))
		}
	}
}

// A program watched for races has thousands of locations.
func TestLocation(t *testing.T) {
	if size := unsafe.Sizeof(Location{}); size > 64 {
		t.Errorf("a location takes %d bytes", size)
	}
}
