// What the composed kinds' definitions are read from, at test time; nothing is compiled from here.
module tools

go 1.26.0

require (
	github.com/crossplane-contrib/provider-helm v1.2.0
	github.com/crossplane-contrib/provider-kubernetes v1.3.1
	github.com/envoyproxy/gateway v1.8.0
	sigs.k8s.io/gateway-api v1.5.1
	sigs.k8s.io/gateway-api-inference-extension v1.3.0
	sigs.k8s.io/lws v0.8.0
)
