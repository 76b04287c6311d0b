//go:build !race

package kernel_test

const raceDetector = false
