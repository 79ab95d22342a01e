"""The only room that knows Crossplane's wire format: a request becomes `Seen`, a `Want` becomes the response."""
