"""An in-process control plane: stores, Crossplane's reconcile, obliging providers, and clusters that pretend."""
