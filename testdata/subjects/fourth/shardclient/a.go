package shardclient

import (
	"context"
	"errors"
	"hash/fnv"
	"sync"
)

type Conn interface {
	Get(ctx context.Context, key string) ([]byte, error)
}

type shard struct {
	mu   sync.Mutex
	conn Conn
	fail int
}

type Client struct {
	shards []*shard
	hash   func(string) uint32
}

func fnv32(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s))
	return h.Sum32()
}

func NewClient(conns ...Conn) (*Client, error) {
	if len(conns) == 0 {
		return nil, errors.New("shardclient: no connections")
	}
	c := &Client{hash: fnv32}
	for _, cn := range conns {
		c.shards = append(c.shards, &shard{conn: cn})
	}
	return c, nil
}

func (c *Client) shard(key string) *shard {
	if len(c.shards) == 1 {
		return c.shards[0]
	}
	return c.shards[c.hash(key)%uint32(len(c.shards))]
}

func (c *Client) Get(ctx context.Context, key string) ([]byte, error) {
	s := c.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	b, err := s.conn.Get(ctx, key)
	if err != nil {
		s.fail++
	}
	return b, err
}
