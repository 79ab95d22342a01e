"""The programs of the lab, each built from a Go module of its own, and the definitions read out of Go modules."""
