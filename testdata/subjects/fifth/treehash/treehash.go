// Package treehash keeps a Merkle tree over the key ranges of a replica.
package treehash

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"sync/atomic"
)

var ErrShape = errors.New("treehash: trees differ in shape")

// Range is a half-open range of keys with the checksum of its rows.
type Range struct {
	From, To string
	Sum      uint64
}

// Node is a subtree. Trees are immutable; only the digest is filled in late, since few are asked for.
type Node struct {
	span   Range
	kids   []*Node
	digest atomic.Uint64 // 0: not computed yet
}

// Build makes a tree of the given fan-out over sorted ranges.
func Build(ranges []Range, fan int) (*Node, error) {
	if len(ranges) == 0 || fan < 2 {
		return nil, errors.New("treehash: nothing to build")
	}
	level := make([]*Node, len(ranges))
	for i, r := range ranges {
		if i > 0 && ranges[i-1].To > r.From {
			return nil, fmt.Errorf("treehash: ranges overlap at %q", r.From)
		}
		level[i] = &Node{span: r}
	}
	for len(level) > 1 {
		var up []*Node
		for chunk := range slices.Chunk(level, fan) {
			first, last := chunk[0], chunk[len(chunk)-1]
			up = append(up, &Node{span: Range{From: first.span.From, To: last.span.To}, kids: slices.Clone(chunk)})
		}
		level = up
	}
	return level[0], nil
}

// Digest covers the whole subtree. Repair sessions with several peers ask for it side by side.
func (n *Node) Digest() uint64 {
	if d := n.digest.Load(); d != 0 {
		return d
	}
	h := fnv.New64a()
	h.Write([]byte(n.span.From))
	h.Write([]byte{0})
	h.Write([]byte(n.span.To))
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n.span.Sum)
	h.Write(b[:])
	for _, k := range n.kids {
		binary.LittleEndian.PutUint64(b[:], k.Digest())
		h.Write(b[:])
	}
	d := h.Sum64()
	if d == 0 {
		d = 1
	}
	n.digest.Store(d)
	return d
}

// Diff lists the leaf ranges in which the two trees differ.
func Diff(a, b *Node) ([]Range, error) {
	if a.Digest() == b.Digest() {
		return nil, nil
	}
	if len(a.kids) != len(b.kids) || a.span.From != b.span.From || a.span.To != b.span.To {
		return nil, fmt.Errorf("%w below [%q,%q)", ErrShape, a.span.From, a.span.To)
	}
	if len(a.kids) == 0 {
		return []Range{a.span}, nil
	}
	var out []Range
	for i := range a.kids {
		d, err := Diff(a.kids[i], b.kids[i])
		if err != nil {
			return nil, err
		}
		out = append(out, d...)
	}
	return out, nil
}
