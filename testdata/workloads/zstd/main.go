// Command zstd lets four goroutines compress and expand what looks like a log.
package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"

	"github.com/klauspost/compress/zstd"
)

func main() {
	random := rand.New(rand.NewPCG(4, 0))
	var log bytes.Buffer
	for i := range 20_000 {
		fmt.Fprintf(&log, "2026-01-02T03:04:05.%06d level=info user=%d path=/a/%x took=%dus\n", i, random.IntN(1000), random.IntN(1<<20), random.IntN(1<<16))
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			work(log.Bytes())
		}()
	}
	wg.Wait()
}

func work(log []byte) {
	encoder, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
	check(err)
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	check(err)
	defer decoder.Close()
	for range 120 {
		var stream bytes.Buffer
		encoder.Reset(&stream)
		_, err := encoder.Write(log)
		check(err)
		check(encoder.Close())
		plain, err := decoder.DecodeAll(stream.Bytes(), nil)
		check(err)
		if !bytes.Equal(plain, log) {
			panic("another log came out")
		}
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
