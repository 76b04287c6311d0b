package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/apache/beam/sdks/v2/go/container/tools"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/runtime/harness"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/grpcx"
)

// localWorkers fills in how workers are started where that was not said: at a job server of this
// machine they are goroutines of this process, because containers would not see its files. The
// program that runners of other machines get is this one; of processes it is there already.
func localWorkers() error {
	switch {
	case *jobopts.WorkerBinary != "":
	case strings.EqualFold(*jobopts.EnvironmentType, "PROCESS"):
		*jobopts.WorkerBinary = os.DevNull
	default:
		self, err := os.Executable()
		if err != nil {
			return err
		}
		*jobopts.WorkerBinary = self
	}
	if *jobopts.Endpoint == "" {
		switch *runners.Runner {
		case "flink", "FlinkRunner", "spark", "SparkRunner", "universal", "portable", "PortableRunner":
			return fmt.Errorf("--runner=%s: want --endpoint, host and port of its Beam job server", *runners.Runner)
		}
		return nil
	}
	host, _, err := net.SplitHostPort(*jobopts.Endpoint)
	if err != nil {
		return fmt.Errorf("--endpoint: %w", err)
	}
	address := net.ParseIP(host)
	if *jobopts.EnvironmentType == "" && (host == "localhost" || address != nil && address.IsLoopback()) {
		*jobopts.EnvironmentType = "LOOPBACK"
	}
	return nil
}

// work is a worker that a runner has started as a process (--environment_type=PROCESS): it asks the
// runner where to get its work, and ends when the runner does.
func work(ctx context.Context, provision string) error {
	id := strings.Trim(flag.Lookup("id").Value.String(), "'") // Prism puts it in quotes, and no shell takes them away
	ctx = grpcx.WriteWorkerID(ctx, id)
	info, err := tools.ProvisionInfo(ctx, provision)
	if err != nil {
		return fmt.Errorf("worker %s: %w", id, err)
	}
	logging, control := info.GetLoggingEndpoint().GetUrl(), info.GetControlEndpoint().GetUrl()
	// What a runner does not tell it has given as flags.
	if logging == "" {
		logging = flag.Lookup("logging_endpoint").Value.String()
	}
	if control == "" {
		control = flag.Lookup("control_endpoint").Value.String()
	}
	err = harness.MainWithOptions(ctx, logging, control, harness.Options{
		RunnerCapabilities: info.GetRunnerCapabilities(),
		StatusEndpoint:     info.GetStatusEndpoint().GetUrl(),
	})
	if err != nil {
		return fmt.Errorf("worker %s: %w", id, err)
	}
	return nil
}
