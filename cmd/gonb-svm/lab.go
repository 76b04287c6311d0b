package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"
)

func newLab() *cobra.Command {
	return &cobra.Command{
		Use:   "lab [NOTEBOOK-DIR]",
		Short: "Open JupyterLab with this kernel",
		Args:  usageArgs(cobra.MaximumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			if info, err := os.Stat(dir); err != nil {
				return err
			} else if !info.IsDir() {
				return fmt.Errorf("%s is no folder", dir)
			}
			jupyter, err := exec.LookPath("jupyter-lab")
			if err != nil {
				return errors.New("JupyterLab is not installed: python3 -m pip install jupyterlab, then run gonb-svm lab again")
			}
			if err := ensureKernelspec(cmd); err != nil {
				return err
			}
			lab := exec.CommandContext(cmd.Context(), jupyter, "--MultiKernelManager.default_kernel_name=gonb-svm", "--notebook-dir="+dir)
			lab.Stdin, lab.Stdout, lab.Stderr = os.Stdin, os.Stdout, os.Stderr
			return lab.Run()
		},
	}
}
