package tested

import "testing"

func TestRemove(t *testing.T) {
	s := &Shard{index: map[string]int{"oldest": 1}}
	s.expire(1, s.removeOldest)
	s.removeOldest("oldest")
	if len(s.index) != 0 || s.index["oldest"] != 0 {
		t.Error("there still")
	}
}
