// Command leveldb lets four goroutines write, read and scan a database whose
// files are in memory.
package main

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"

	"github.com/syndtr/goleveldb/leveldb"
	"github.com/syndtr/goleveldb/leveldb/opt"
	"github.com/syndtr/goleveldb/leveldb/storage"
	"github.com/syndtr/goleveldb/leveldb/util"
)

func main() {
	db, err := leveldb.Open(storage.NewMemStorage(), &opt.Options{WriteBuffer: 1 << 20})
	check(err)
	defer db.Close()
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(db, rand.New(rand.NewPCG(3, uint64(g))))
		}()
	}
	wg.Wait()
}

func work(db *leveldb.DB, random *rand.Rand) {
	value := make([]byte, 100)
	for i := range 300_000 {
		key := binary.BigEndian.AppendUint64(nil, random.Uint64N(1<<16))
		switch {
		case i%2 == 0:
			check(db.Put(key, value, nil))
		case i%64 == 1:
			all := db.NewIterator(&util.Range{Start: key}, nil)
			for n := 0; n < 100 && all.Next(); n++ {
			}
			all.Release()
			check(all.Error())
		default:
			if _, err := db.Get(key, nil); err != leveldb.ErrNotFound {
				check(err)
			}
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
