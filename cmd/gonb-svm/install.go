package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/gonb-svm/gonb-svm/kernel"
)

// place adds the flags that say where a kernelspec is.
func place(cmd *cobra.Command, spec *kernel.Spec) {
	cmd.Flags().BoolVar(&spec.User, "user", false, "for this user (the default)")
	cmd.Flags().BoolVar(&spec.SysPrefix, "sys-prefix", false, "in the active Python environment")
	cmd.Flags().StringVar(&spec.Prefix, "prefix", "", "in `DIR`/share/jupyter/kernels")
	cmd.Flags().StringVar(&spec.Name, "name", "gonb-svm", "`NAME` of the kernelspec")
	cmd.MarkFlagsMutuallyExclusive("user", "sys-prefix", "prefix")
}

func newInstall() *cobra.Command {
	spec := kernel.Spec{Version: version}
	var env []string
	cmd := &cobra.Command{
		Use:   "install [--user | --sys-prefix | --prefix DIR]",
		Short: "Install the Jupyter kernelspec",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, setting := range env {
				name, value, ok := strings.Cut(setting, "=")
				if !ok || name == "" {
					return usageError{fmt.Errorf("--env %s: want NAME=VALUE", setting)}
				}
				if spec.Env == nil {
					spec.Env = map[string]string{}
				}
				spec.Env[name] = value
			}
			dir, err := kernel.Install(spec)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "installed the Jupyter kernel in %s\n", dir)
			return nil
		},
	}
	place(cmd, &spec)
	cmd.Flags().StringVar(&spec.DisplayName, "display-name", "Go (gonb-svm)", "`TEXT` that Jupyter shows")
	cmd.Flags().StringArrayVar(&env, "env", nil, "`NAME=VALUE` given to the kernel; may be repeated")
	return cmd
}

func newUninstall() *cobra.Command {
	var spec kernel.Spec
	cmd := &cobra.Command{
		Use:   "uninstall [--user | --sys-prefix | --prefix DIR]",
		Short: "Remove the Jupyter kernelspec",
		Long:  "Removes the Jupyter kernelspec from the place named, or without one from wherever Jupyter would find it.",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dirs, err := kernel.Uninstall(spec)
			for _, dir := range dirs {
				fmt.Fprintf(cmd.OutOrStdout(), "removed the Jupyter kernel in %s\n", dir)
			}
			return err
		},
	}
	place(cmd, &spec)
	return cmd
}

// ensureKernelspec installs the kernelspec for this user if Jupyter would find none of this
// name, so that a command that needs it just works.
func ensureKernelspec(cmd *cobra.Command) error {
	if len(kernel.Find("gonb-svm")) > 0 {
		return nil
	}
	dir, err := kernel.Install(kernel.Spec{User: true, Version: version})
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "installed the Jupyter kernel in %s\n", dir)
	return nil
}
