// Command buntdb lets four goroutines update and read a database in memory that
// has an index.
package main

import (
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/tidwall/buntdb"
)

func main() {
	db, err := buntdb.Open(":memory:")
	if err != nil {
		panic(err)
	}
	defer db.Close()
	if err := db.CreateIndex("age", "user:*", buntdb.IndexInt); err != nil {
		panic(err)
	}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(db, rand.New(rand.NewPCG(2, uint64(g))))
		}()
	}
	wg.Wait()
}

func work(db *buntdb.DB, random *rand.Rand) {
	for i := range 450_000 {
		key := fmt.Sprintf("user:%d", random.IntN(5000))
		if i%4 == 0 {
			check(db.Update(func(tx *buntdb.Tx) error {
				_, _, err := tx.Set(key, fmt.Sprint(random.IntN(100)), nil)
				return err
			}))
			continue
		}
		check(db.View(func(tx *buntdb.Tx) error {
			if _, err := tx.Get(key); err != nil && err != buntdb.ErrNotFound {
				return err
			}
			seen := 0
			return tx.AscendGreaterOrEqual("age", "50", func(_, _ string) bool {
				seen++
				return seen < 10
			})
		}))
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
