package wordcount

import (
	"bufio"
	"context"
	"errors"
	"os"
	"strings"
)

type tally struct {
	words map[string]int
	lines int
	err   error
}

func (t *tally) add(line string) {
	t.lines++
	for _, w := range strings.Fields(line) {
		t.words[strings.ToLower(w)]++
	}
}

type Job struct {
	Files []string
	Par   int
}

func (j *Job) mapper(ctx context.Context, files <-chan string, out chan<- *tally) {
	t := &tally{words: make(map[string]int)}
	for name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.err = errors.Join(t.err, err)
			continue
		}
		sc := bufio.NewScanner(f)
		for ctx.Err() == nil && sc.Scan() {
			t.add(sc.Text())
		}
		t.err = errors.Join(t.err, sc.Err(), f.Close())
	}
	out <- t
}

func (j *Job) Run(ctx context.Context) (map[string]int, int, error) {
	files := make(chan string, len(j.Files))
	for _, f := range j.Files {
		files <- f
	}
	close(files)
	out := make(chan *tally)
	for range j.Par {
		go j.mapper(ctx, files, out)
	}
	total := &tally{words: make(map[string]int)}
	for range j.Par {
		t := <-out
		for w, n := range t.words {
			total.words[w] += n
		}
		total.lines += t.lines
		total.err = errors.Join(total.err, t.err)
	}
	return total.words, total.lines, errors.Join(total.err, ctx.Err())
}
