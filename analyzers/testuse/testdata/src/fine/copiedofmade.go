package fine

import "sync"

// A Canton tells those who listen to one of its topics.
type Canton struct {
	mu     sync.Mutex
	topics map[string]*cantonTopic
}

type cantonTopic struct {
	listeners map[chan int]struct{}
	last      int
}

func (c *Canton) Tell(topic string, n int) {
	c.mu.Lock()
	t := c.topicOf(topic)
	t.last = n
	for ch := range t.listeners {
		select {
		case ch <- n:
		default:
		}
	}
	c.mu.Unlock()
}

func (c *Canton) Listen(topic string) chan int {
	ch := make(chan int, 1)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.topicOf(topic).listeners[ch] = struct{}{}
	return ch
}

func (c *Canton) topicOf(topic string) *cantonTopic {
	if c.topics == nil {
		c.topics = map[string]*cantonTopic{}
	}
	t := c.topics[topic]
	if t == nil {
		t = &cantonTopic{listeners: map[chan int]struct{}{}}
		c.topics[topic] = t
	}
	return t
}

func (c *Canton) Unlisten(topic string, ch chan int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.topics[topic]
	if !ok {
		return
	}
	if _, ok := t.listeners[ch]; ok {
		delete(t.listeners, ch)
		close(ch)
	}
}
