//go:build race

package kernel_test

// raceDetector tells that the tests run under the race detector, which takes many times the memory.
const raceDetector = true
