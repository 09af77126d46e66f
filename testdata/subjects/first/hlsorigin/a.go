package hlsorigin

import (
	"fmt"
	"io"
	"sync"
	"time"
)

type Segment struct {
	Seq      uint64
	Duration time.Duration
	URI      string
}

type Origin struct {
	*sync.RWMutex
	window   int
	segments []Segment
	target   time.Duration
}

func NewOrigin(window int, target time.Duration) *Origin {
	return &Origin{RWMutex: new(sync.RWMutex), window: window, target: target}
}

func (o *Origin) PushSegment(seg Segment) error {
	if seg.Duration > 2*o.target {
		return fmt.Errorf("hlsorigin: segment %d too long: %s", seg.Seq, seg.Duration)
	}
	o.segments = append(o.segments, seg)
	o.trim()
	return nil
}

func (o *Origin) trim() {
	o.Lock()
	defer o.Unlock()
	if n := len(o.segments) - o.window; n > 0 {
		o.segments = o.segments[n:]
	}
}

func (o *Origin) WritePlaylist(w io.Writer) error {
	o.RLock()
	defer o.RUnlock()
	if len(o.segments) == 0 {
		return io.ErrUnexpectedEOF
	}
	fmt.Fprintf(w, "#EXTM3U\n#EXT-X-TARGETDURATION:%d\n", int(o.target.Seconds()))
	fmt.Fprintf(w, "#EXT-X-MEDIA-SEQUENCE:%d\n", o.segments[0].Seq)
	for _, s := range o.segments {
		if _, err := fmt.Fprintf(w, "#EXTINF:%.3f,\n%s\n", s.Duration.Seconds(), s.URI); err != nil {
			return err
		}
	}
	return nil
}
