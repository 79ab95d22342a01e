// Package gosdk stands in for the Nebius SDK, which no module proxy serves: the symbols that the provider compiles
// against, each of which says that it is not built in.
package gosdk

import (
	"context"
	"errors"

	"github.com/nebius/gosdk/auth"
)

var errNotBuiltIn = errors.New("the Nebius identity is not built in")

// SDK answers nothing.
type SDK struct{}

// Option configures nothing.
type Option func(*SDK)

// Credentials are never looked at.
type Credentials any

// New always fails.
func New(context.Context, ...Option) (*SDK, error) { return nil, errNotBuiltIn }

// WithCredentials changes nothing.
func WithCredentials(Credentials) Option { return func(*SDK) {} }

// ServiceAccountReader reads nothing.
func ServiceAccountReader(any) Credentials { return nil }

// BearerToken always fails.
func (*SDK) BearerToken(context.Context) (auth.BearerToken, error) {
	return auth.BearerToken{}, errNotBuiltIn
}

// Close has nothing to close.
func (*SDK) Close() error { return nil }
