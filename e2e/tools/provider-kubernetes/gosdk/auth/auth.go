// Package auth has the two names of the Nebius SDK's own package that the provider refers to.
package auth

// BearerToken is what an identity would yield.
type BearerToken struct{ Token string }

// NewPrivateKeyParser never parses: no identity is built in.
func NewPrivateKeyParser([]byte, string, string) any { return nil }
