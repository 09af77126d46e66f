package visits

import (
	"io"
	"net/http/httptest"
	"sync"
	"testing"
)

func TestVisits(t *testing.T) {
	counter := new(Counter)
	server := httptest.NewServer(counter)
	defer server.Close()
	var visitors sync.WaitGroup
	for range 5 {
		visitors.Go(func() {
			for range 2 {
				resp, err := server.Client().Get(server.URL)
				if err != nil {
					t.Error(err)
					return
				}
				io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
		})
	}
	visitors.Wait()
	if n := counter.Visits(); n != 10 {
		t.Errorf("%d visitors were counted, want 10", n)
	}
}
