package broken

import "time"

// Bar is drawn by a goroutine of its own until somebody says that it is over.
type Bar struct {
	every time.Duration
	over  bool
}

func (b *Bar) Start() { go b.draw() }

func (b *Bar) Finish() {
	b.over = true
	b.show()
}

func (b *Bar) show() { println(b.every) }

func (b *Bar) draw() {
	for {
		if b.over { // want `b.over is polled here without a lock or an atomic operation, and \(\*Bar\).Finish sets it at the same time`
			break
		}
		b.show()
		time.Sleep(b.every)
	}
}

// HelloLink sends lines once the other side has said hello.
type HelloLink struct {
	ready bool
	out   chan string
}

func (u *HelloLink) Serve(next func() string) {
	for {
		line := next()
		if line == "" {
			return
		}
		if line == "hello" {
			u.ready = true
		}
	}
}

func (u *HelloLink) Say(text string) {
	for i := 0; i < 100; i++ {
		if !u.ready { // want `u.ready is polled here without a lock or an atomic operation, and \(\*HelloLink\).Serve sets it at the same time`
			time.Sleep(time.Millisecond)
			continue
		}
		u.out <- text
		return
	}
}
