package paytoken

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"sync"
	"time"
)

var ErrUnknownToken = errors.New("paytoken: unknown or spent token")

type Auth struct {
	Account string
	Cents   int64
	Expires time.Time
}

type Acquirer interface {
	Charge(ctx context.Context, account string, cents int64) error
}

type Gateway struct {
	acq   Acquirer
	auths sync.Map
}

func NewGateway(acq Acquirer) *Gateway { return &Gateway{acq: acq} }

func (g *Gateway) Authorize(account string, cents int64) (string, error) {
	var raw [16]byte
	if _, err := rand.Read(raw[:]); err != nil {
		return "", err
	}
	tok := hex.EncodeToString(raw[:])
	g.auths.Store(tok, Auth{Account: account, Cents: cents, Expires: time.Now().Add(time.Hour)})
	return tok, nil
}

// Capture redeems a token once.
func (g *Gateway) Capture(ctx context.Context, tok string) error {
	v, ok := g.auths.Load(tok)
	if !ok {
		return ErrUnknownToken
	}
	g.auths.Delete(tok)
	a := v.(Auth)
	if time.Now().After(a.Expires) {
		return ErrUnknownToken
	}
	return g.acq.Charge(ctx, a.Account, a.Cents)
}
