package broken

import "errors"

type treeChange struct{ path string }

type treeSource interface {
	Changes() <-chan string
	Load(path string) error
}

var errTreeGone = errors.New("the tree is gone")

func followTree(src treeSource, root string) error {
	changes := make(chan treeChange)
	defer close(changes) // want `changes is closed here when the loop that receives from it is left`
	return runTree(src, root, changes)
}

func runTree(src treeSource, root string, changes chan treeChange) error {
	go func() { changes <- treeChange{root} }()
	for {
		select {
		case path, ok := <-src.Changes():
			if !ok {
				return errTreeGone
			}
			go func() { changes <- treeChange{path} }()
		case c := <-changes:
			if err := src.Load(c.path); err != nil {
				return err
			}
		}
	}
}

func FollowTree(src treeSource) error { return followTree(src, "/") }
