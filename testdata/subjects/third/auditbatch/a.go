package auditbatch

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

type Record struct {
	At    time.Time `json:"at"`
	Actor string    `json:"actor"`
	Verb  string    `json:"verb"`
}

type Writer struct {
	url    string
	client *http.Client
	flush  sync.Mutex
	mu     sync.Mutex
	buf    []Record
}

func NewWriter(url string, every time.Duration, stop <-chan struct{}) *Writer {
	w := &Writer{url: url, client: &http.Client{Timeout: 10 * time.Second}}
	go func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(every):
				_ = w.Flush()
			}
		}
	}()
	return w
}

func (w *Writer) Add(actor, verb string) {
	rec := Record{time.Now(), actor, verb}
	w.mu.Lock()
	w.buf = append(w.buf, rec)
	w.mu.Unlock()
}

func (w *Writer) Flush() error {
	w.flush.Lock()
	defer w.flush.Unlock()

	w.mu.Lock()
	batch := w.buf
	w.buf = nil
	w.mu.Unlock()
	if len(batch) == 0 {
		return nil
	}
	if err := w.post(batch); err != nil {
		w.mu.Lock()
		w.buf = append(batch, w.buf...)
		w.mu.Unlock()
		return err
	}
	return nil
}

func (w *Writer) post(batch []Record) error {
	var body bytes.Buffer
	_ = json.NewEncoder(&body).Encode(batch)
	resp, err := w.client.Post(w.url, "application/json", &body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("audit: %s", resp.Status)
	}
	return nil
}
