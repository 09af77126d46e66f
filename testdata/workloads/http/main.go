// Command http serves JSON over loopback to eight clients of its own.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"sync"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
)

type item struct {
	ID    int               `json:"id"`
	Name  string            `json:"name"`
	Tags  []string          `json:"tags"`
	Attrs map[string]string `json:"attrs"`
}

type store struct {
	mu    sync.RWMutex
	items map[int]item
	reads int
}

func (s *store) get(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.Atoi(chi.URLParam(r, "id"))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	it, ok := s.items[id]
	s.reads++
	s.mu.Unlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(it)
}

func (s *store) put(w http.ResponseWriter, r *http.Request) {
	var it item
	if err := json.NewDecoder(r.Body).Decode(&it); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.items[it.ID] = it
	s.mu.Unlock()
	w.WriteHeader(http.StatusNoContent)
}

func main() {
	s := &store{items: make(map[int]item)}
	r := chi.NewRouter()
	r.Use(middleware.RequestID, middleware.Recoverer)
	r.Get("/items/{id}", s.get)
	r.Put("/items", s.put)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	server := &http.Server{Handler: r}
	go server.Serve(l)
	var wg sync.WaitGroup
	for c := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			client("http://"+l.Addr().String(), c)
		}()
	}
	wg.Wait()
	server.Close()
}

func client(base string, number int) {
	c := &http.Client{Transport: &http.Transport{}}
	for i := range 15_000 {
		id := number*100 + i%100
		if i < 100 || i%5 == 0 {
			body, _ := json.Marshal(item{id, fmt.Sprint("item ", id), []string{"a", "b", "c"}, map[string]string{"colour": "red", "size": "xl"}})
			request, _ := http.NewRequest(http.MethodPut, base+"/items", bytes.NewReader(body))
			answer(c.Do(request))
			continue
		}
		var it item
		if err := json.Unmarshal(answer(c.Get(base+"/items/"+strconv.Itoa(id))), &it); err != nil || it.ID != id {
			panic(fmt.Sprint("wrong answer: ", it, err))
		}
	}
}

func answer(response *http.Response, err error) []byte {
	if err != nil {
		panic(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode >= 300 {
		panic(fmt.Sprint(response.Status, err))
	}
	return body
}
