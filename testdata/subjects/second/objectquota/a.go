package objectquota

import (
	"errors"
	"io"
	"sync"
)

var ErrQuota = errors.New("objectquota: quota exceeded")

type Bucket struct {
	name  string
	quota int64

	lock    sync.RWMutex
	used    int64
	objects map[string][]byte
}

func NewBucket(name string, quota int64) *Bucket {
	return &Bucket{name: name, quota: quota, objects: make(map[string][]byte)}
}

func (b *Bucket) Put(key string, r io.Reader, size int64) error {
	b.lock.RLock()
	fits := b.used+size <= b.quota
	b.lock.RUnlock()
	if fits {
		data := make([]byte, size)
		if _, err := io.ReadFull(r, data); err != nil {
			return err
		}
		b.lock.Lock()
		b.used += size - int64(len(b.objects[key]))
		b.objects[key] = data
		b.lock.Unlock()
		return nil
	}
	return ErrQuota
}

func (b *Bucket) Delete(key string) bool {
	b.lock.Lock()
	defer b.lock.Unlock()
	data, ok := b.objects[key]
	if ok {
		b.used -= int64(len(data))
		delete(b.objects, key)
	}
	return ok
}

func (b *Bucket) Used() int64 {
	b.lock.RLock()
	defer b.lock.RUnlock()
	return b.used
}
