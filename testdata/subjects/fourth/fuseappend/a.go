package fuseappend

import (
	"io"
	"sync"
	"time"
)

type inode struct {
	mu    sync.Mutex
	size  int64
	mtime time.Time
}

func (n *inode) with(fn func()) {
	n.mu.Lock()
	defer n.mu.Unlock()
	fn()
}

type File struct {
	ino  *inode
	back interface {
		io.WriterAt
		io.ReaderAt
	}
}

type FS struct {
	mu     sync.Mutex
	inodes map[string]*inode
}

func NewFS() *FS { return &FS{inodes: map[string]*inode{}} }

func (fs *FS) Open(name string, back interface {
	io.WriterAt
	io.ReaderAt
}) *File {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	n := fs.inodes[name]
	if n == nil {
		n = &inode{}
		fs.inodes[name] = n
	}
	return &File{ino: n, back: back}
}

func (f *File) Append(p []byte) (int, error) {
	var off int64
	f.ino.with(func() { off = f.ino.size })
	n, err := f.back.WriteAt(p, off)
	f.ino.with(func() {
		f.ino.size = off + int64(n)
		f.ino.mtime = time.Now()
	})
	return n, err
}

func (f *File) Size() (size int64) {
	f.ino.with(func() { size = f.ino.size })
	return size
}
