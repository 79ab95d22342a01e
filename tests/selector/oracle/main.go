// Command oracle gives Kubernetes' own verdict on DRA device selectors.
//
// It reads one JSON case a line on standard input and writes one JSON verdict a line on standard output, in order.
// A case is {"expression", "driver", "attributes": {name: {"string"|"bool"|"int"|"version": value}},
// "capacity": {name: quantity}}. A verdict is "match", "no match", "error" or "does not compile", where the last also
// covers what validation of a ResourceClaim refuses: a text that is too long, and an estimated cost past the limit.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apiserver/pkg/cel/environment"
	dracel "k8s.io/dynamic-resource-allocation/cel"
)

type attribute struct {
	String  *string `json:"string"`
	Bool    *bool   `json:"bool"`
	Int     *int64  `json:"int"`
	Version *string `json:"version"`
}

type testCase struct {
	Expression string               `json:"expression"`
	Driver     string               `json:"driver"`
	Attributes map[string]attribute `json:"attributes"`
	Capacity   map[string]string    `json:"capacity"`
}

type verdict struct {
	Verdict string `json:"verdict"`
	Message string `json:"message,omitempty"`
	// MaxCost is the estimate that validation compares with the limit; 0 when the text does not compile.
	MaxCost uint64 `json:"maxCost,omitempty"`
	// Cost is what the evaluation was charged.
	Cost uint64 `json:"cost,omitempty"`
}

func judge(c testCase) (result verdict) {
	// Some expressions make the compiler panic; an API server answers them with an error, and does not take the object.
	defer func() {
		if reason := recover(); reason != nil {
			result = verdict{Verdict: "does not compile", Message: fmt.Sprint("panic: ", reason)}
		}
	}()
	if len(c.Expression) > resourceapi.CELSelectorExpressionMaxLength {
		return verdict{Verdict: "does not compile", Message: "too long"}
	}
	// Kubernetes 1.36 has consumable capacity on by default, and list-typed attributes off.
	compiler := dracel.GetCompiler(dracel.Features{EnableConsumableCapacity: true})
	// A user's selector is a new expression to the API server, so gated functions that are off are unknown to it.
	envType := environment.NewExpressions
	compiled := compiler.CompileCELExpression(c.Expression, dracel.Options{EnvType: &envType})
	if compiled.Error != nil {
		return verdict{Verdict: "does not compile", Message: compiled.Error.Detail}
	}
	if compiled.MaxCost > resourceapi.CELSelectorExpressionMaxCost {
		return verdict{Verdict: "does not compile", Message: "too complex, exceeds cost limit", MaxCost: compiled.MaxCost}
	}
	device := dracel.Device{
		Driver:     c.Driver,
		Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{},
		Capacity:   map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{},
	}
	for name, a := range c.Attributes {
		device.Attributes[resourceapi.QualifiedName(name)] = resourceapi.DeviceAttribute{
			StringValue: a.String, BoolValue: a.Bool, IntValue: a.Int, VersionValue: a.Version,
		}
	}
	for name, text := range c.Capacity {
		value, err := resource.ParseQuantity(text)
		if err != nil {
			return verdict{Verdict: "error", Message: "capacity " + name + ": " + err.Error(), MaxCost: compiled.MaxCost}
		}
		device.Capacity[resourceapi.QualifiedName(name)] = resourceapi.DeviceCapacity{Value: value}
	}
	matches, details, err := compiled.DeviceMatches(context.Background(), device)
	result = verdict{MaxCost: compiled.MaxCost}
	if details != nil && details.ActualCost() != nil {
		result.Cost = *details.ActualCost()
	}
	switch {
	case err != nil:
		result.Verdict, result.Message = "error", err.Error()
	case matches:
		result.Verdict = "match"
	default:
		result.Verdict = "no match"
	}
	return result
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(make([]byte, 0, 1<<20), 1<<26)
	out := bufio.NewWriter(os.Stdout)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for in.Scan() {
		var c testCase
		if err := json.Unmarshal(in.Bytes(), &c); err != nil {
			fmt.Fprintln(os.Stderr, "oracle: a line is not a case:", err)
			os.Exit(2)
		}
		if err := encoder.Encode(judge(c)); err != nil {
			fmt.Fprintln(os.Stderr, "oracle:", err)
			os.Exit(1)
		}
	}
	if err := in.Err(); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}
