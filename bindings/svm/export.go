package svm

import "github.com/gonb-svm/gonb-svm/solvers/export"

// ExportOptions say how Export writes a model; the zero value is right for most. See export.Options.
type ExportOptions = export.Options

// ExportReport says what Export wrote, what it costs a device, and what rounding lost.
type ExportReport = export.Report

// Device is the processor that the times of an ExportReport are estimated for.
type Device = export.Device

// DeviceChoice is the model that PickForDevice chose, and how to export it.
type DeviceChoice = export.Choice

// The numbers of exported sources.
const (
	Float32 = export.Float32
	Int16   = export.Int16
	Int8    = export.Int8
)

// Two common kinds of microcontrollers: without a floating-point unit, and with one.
var (
	CortexM0 = export.CortexM0
	CortexM4 = export.CortexM4
)

// Export writes a *Model or a *MultiModel for where there is no gonb-svm, in the form that the file's
// ending names: "model.onnx" for ONNX runtimes, "model.h" for C99 and "model.go" for Go without
// dependencies. One value of ExportOptions may say more: integers instead of floats, the device that
// times are estimated for, rows on which the written form is compared with the model. It panics
// with an *export.Error that says what cannot be written, or an error of the file system.
func Export(m export.Model, file string, options ...ExportOptions) *ExportReport {
	return new(Notebook).Export(m, file, options...)
}

// PickForDevice chooses from a path the model with the least validation error whose C source
// fits a device: data and code in so many bytes, a prediction in so many microseconds. It says what
// the choice costs in error; Export(choice.Point.Model, "model.h", choice.Options) writes it. It panics
// with an *export.Error if no model fits.
func PickForDevice(path *Path, bytes, microseconds int, options ...ExportOptions) *DeviceChoice {
	return new(Notebook).PickForDevice(path, bytes, microseconds, options...)
}

// Export writes a *Model or a *MultiModel for where there is no gonb-svm, in the form that the file's
// ending names: "model.onnx" for ONNX runtimes, "model.h" for C99 and "model.go" for Go without
// dependencies. One value of ExportOptions may say more: integers instead of floats, the device that
// times are estimated for, rows on which the written form is compared with the model. It panics
// with an *export.Error that says what cannot be written, or an error of the file system.
func (n *Notebook) Export(m export.Model, file string, options ...ExportOptions) *ExportReport {
	return must(export.File(m, file, atMostOne("Export", options)))
}

// PickForDevice chooses from a path the model with the least validation error whose C source
// fits a device: data and code in so many bytes, a prediction in so many microseconds. It says what
// the choice costs in error; Export(choice.Point.Model, "model.h", choice.Options) writes it. It panics
// with an *export.Error if no model fits.
func (n *Notebook) PickForDevice(path *Path, bytes, microseconds int, options ...ExportOptions) *DeviceChoice {
	if path == nil {
		panic(&export.Error{What: "path", Text: "it is nil; want one that FitPath has made"})
	}
	return must(export.PickForDevice(path, bytes, microseconds, atMostOne("PickForDevice", options)))
}

func atMostOne(function string, options []ExportOptions) ExportOptions {
	switch len(options) {
	case 0:
		return ExportOptions{}
	case 1:
		return options[0]
	}
	panic(&export.Error{What: "options", Text: function + " takes one ExportOptions at most"})
}
