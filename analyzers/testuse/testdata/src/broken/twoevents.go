package broken

import (
	"os"
	"os/signal"
	"time"
)

// RunMill stops on a signal, and when nobody has come for a minute.
func RunMill(grind func(<-chan struct{})) {
	sigs := make(chan os.Signal, 1)
	signal.Notify(sigs, os.Interrupt)

	quit := make(chan struct{})

	go func() {
		<-sigs
		println("stopping")
		close(quit) // want `quit is closed here, and by another goroutine on another event`
	}()

	go func() {
		idle := time.NewTimer(time.Minute)
		defer idle.Stop()
		select {
		case <-idle.C:
			println("nobody has come")
			close(quit)
		case <-quit:
		}
	}()

	go grind(quit)
	<-quit
}
