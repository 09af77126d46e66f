package fine

import "sync/atomic"

// Log carries a sum and where it starts forward, one as good as the other only if nobody
// else does so: the atomics are for those who look on.
type Log struct {
	sum   uint64
	start uint64
	lines []string
}

func (l *Log) Append(lines []string) {
	sum := atomic.LoadUint64(&l.sum)
	start := atomic.LoadUint64(&l.start)
	for _, line := range lines {
		sum, start = next(sum, start, line)
	}
	atomic.StoreUint64(&l.sum, sum)
	atomic.StoreUint64(&l.start, start)
}

func next(sum, start uint64, line string) (uint64, uint64) {
	if start == 0 {
		start = uint64(len(line))
	}
	return sum + uint64(len(line)), start
}

func (l *Log) Sum() (uint64, uint64) {
	return atomic.LoadUint64(&l.sum), atomic.LoadUint64(&l.start)
}
