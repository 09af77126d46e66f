package fine

import (
	"net"
	"reflect"
	"sync"
	"sync/atomic"
	"time"
)

var (
	numbersMu sync.RWMutex
	numbersOf = map[reflect.Type]map[string]int{}
)

// NumberOf finds out the numbers of the fields of a type: two that do so at the same time come to the same.
func NumberOf(v reflect.Value, name string) int {
	t := v.Type()
	numbersMu.RLock()
	numbers, ok := numbersOf[t]
	numbersMu.RUnlock()
	if !ok {
		numbers = make(map[string]int)
		for i := 0; i < v.NumField(); i++ {
			numbers[t.Field(i).Name] = i
		}
		numbersMu.Lock()
		numbersOf[t] = numbers
		numbersMu.Unlock()
	}
	return numbers[name]
}

// AllNumbers does so in goroutines.
func AllNumbers(v any, names []string) {
	for _, n := range names {
		go NumberOf(reflect.ValueOf(v), n)
	}
}

// PatientConn puts its deadline off from time to time, and not with each write.
type PatientConn struct {
	net.Conn
	putOff  atomic.Int64
	timeout time.Duration
}

func (c *PatientConn) Write(p []byte) (int, error) {
	now := time.Now()
	if now.UnixNano()-c.putOff.Load() > int64(c.timeout/4) {
		if err := c.Conn.SetWriteDeadline(now.Add(c.timeout)); err != nil {
			return 0, err
		}
		c.putOff.Store(now.UnixNano())
	}
	return c.Conn.Write(p)
}
