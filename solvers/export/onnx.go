package export

import (
	"encoding/binary"
	"io"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// Field numbers, types and versions of the ONNX format, onnx.proto of ONNX 1.12.
const (
	modelIR, modelProducer, modelGraph, modelOpset       = 1, 2, 7, 8
	opsetDomain, opsetVersion                            = 1, 2
	graphNode, graphName, graphInitial, graphDoc         = 1, 2, 5, 10
	graphInput, graphOutput                              = 11, 12
	nodeInput, nodeOutput, nodeOp, nodeAttr, nodeDomain  = 1, 2, 4, 5, 7
	attrName, attrInt, attrString, attrFloats, attrInts  = 1, 3, 4, 7, 8
	attrType                                             = 20
	attrIsInt, attrIsString, attrIsFloats, attrIsInts    = 2, 3, 6, 7
	tensorDims, tensorType, tensorName, tensorRaw        = 1, 2, 8, 9
	valueName, valueType, typeTensor, typeElem, typeDims = 1, 2, 1, 1, 2
	dimsDim, dimValue, dimParam                          = 1, 1, 2

	elemFloat, elemInt64, elemBool, elemDouble = 1, 7, 9, 11

	irVersion, plainOpset, mlOpset = 8, 13, 1
)

// message is a protocol buffer under construction.
type message []byte

func (m *message) number(field int, v int64) {
	*m = protowire.AppendVarint(protowire.AppendTag(*m, protowire.Number(field), protowire.VarintType), uint64(v))
}

func (m *message) text(field int, s string) {
	*m = protowire.AppendString(protowire.AppendTag(*m, protowire.Number(field), protowire.BytesType), s)
}

func (m *message) bytes(field int, b []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, protowire.Number(field), protowire.BytesType), b)
}

// graph is an ONNX graph under construction.
type graph struct{ message }

func (g *graph) node(domain, op string, inputs, outputs []string, attributes ...message) {
	var n message
	for _, name := range inputs {
		n.text(nodeInput, name)
	}
	for _, name := range outputs {
		n.text(nodeOutput, name)
	}
	n.text(nodeOp, op)
	for _, a := range attributes {
		n.bytes(nodeAttr, a)
	}
	n.text(nodeDomain, domain)
	g.bytes(graphNode, n)
}

func (g *graph) value(field int, name string, elem int64, columns int) {
	var shape, rows message
	rows.text(dimParam, "rows")
	shape.bytes(dimsDim, rows)
	if columns > 0 {
		var c message
		c.number(dimValue, int64(columns))
		shape.bytes(dimsDim, c)
	}
	var tensor, kind, v message
	tensor.number(typeElem, elem)
	tensor.bytes(typeDims, shape)
	kind.bytes(typeTensor, tensor)
	v.text(valueName, name)
	v.bytes(valueType, kind)
	g.bytes(field, v)
}

// doubles and integers are constants of the graph; no shape is a single number.
func (g *graph) doubles(name string, values []float64, shape ...int) {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(v))
	}
	g.tensor(name, elemDouble, raw, shape)
}

func (g *graph) integers(name string, values []int64, shape ...int) {
	raw := make([]byte, 0, 8*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, uint64(v))
	}
	g.tensor(name, elemInt64, raw, shape)
}

func (g *graph) tensor(name string, elem int64, raw []byte, shape []int) {
	var t message
	for _, n := range shape {
		t.number(tensorDims, int64(n))
	}
	t.number(tensorType, elem)
	t.text(tensorName, name)
	t.bytes(tensorRaw, raw)
	g.bytes(graphInitial, t)
}

func attribute(name string, kind int64) message {
	var a message
	a.text(attrName, name)
	a.number(attrType, kind)
	return a
}

func intAttribute(name string, v int64) message {
	a := attribute(name, attrIsInt)
	a.number(attrInt, v)
	return a
}

func textAttribute(name, v string) message {
	a := attribute(name, attrIsString)
	a.text(attrString, v)
	return a
}

func floatsAttribute(name string, values []float64) message {
	a := attribute(name, attrIsFloats)
	for _, v := range values {
		a = protowire.AppendFixed32(protowire.AppendTag(a, attrFloats, protowire.Fixed32Type), math.Float32bits(float32(v)))
	}
	return a
}

func intsAttribute(name string, values []int) message {
	a := attribute(name, attrIsInts)
	for _, v := range values {
		a.number(attrInts, int64(v))
	}
	return a
}

// ONNX writes the model for ONNX runtimes. Its input X is rows × Dim numbers of 32 bits; its
// outputs are label, the classes' labels as integers, and decision, f(x) as rows × 1, of more than two
// classes the decision values of all machines.
//
// The graph is one SVMClassifier of the domain ai.onnx.ml, in single precision, or with
// Options.PlainOperators matrix products and element-wise operators of opset 13, in double precision.
func ONNX(w io.Writer, m Model, o Options) (*Report, error) {
	in, err := check(m, o)
	if err != nil {
		return nil, err
	}
	var g graph
	g.text(graphName, in.name)
	g.text(graphDoc, in.describe)
	g.value(graphInput, "X", elemFloat, in.dim)
	plain := o.PlainOperators || in.negative == nil
	if plain {
		plainGraph(&g, in)
	} else {
		classifierGraph(&g, in)
	}
	g.value(graphOutput, "label", elemInt64, 0)
	g.value(graphOutput, "decision", elemFloat, in.machines())

	var out message
	out.number(modelIR, irVersion)
	out.text(modelProducer, "gonb-svm")
	out.bytes(modelGraph, g.message)
	out.opset("", plainOpset)
	if !plain {
		out.opset("ai.onnx.ml", mlOpset)
	}
	if _, err := w.Write(out); err != nil {
		return nil, err
	}
	return &Report{Form: "ONNX", Vectors: len(in.vectors), Dim: in.dim, DataBytes: len(out)}, nil
}

func (m *message) opset(domain string, version int64) {
	var set message
	set.text(opsetDomain, domain)
	set.number(opsetVersion, version)
	m.bytes(modelOpset, set)
}
