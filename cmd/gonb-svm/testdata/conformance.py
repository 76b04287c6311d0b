"""Jupyter's own conformance suite against the installed kernelspec "gonb-svm". Argument: tcp or ipc."""
import sys
import unittest

import jupyter_kernel_test
from jupyter_client.manager import KernelManager

KernelManager.transport.default_value = sys.argv[1]


class GonbSvm(jupyter_kernel_test.KernelTests):
    kernel_name = "gonb-svm"
    language_name = "go"
    file_extension = ".go"

    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'fmt.Fprintln(os.Stderr, "careful")'
    completion_samples = [
        {"text": "strings.ToUpperSpec", "matches": {"ToUpperSpecial"}},
        {"text": "svm.PlotTradeof", "matches": {"PlotTradeoff"}},
    ]
    complete_code_samples = ["x := 1", "func f() int { return 1 }", 'fmt.Println("a")', "1 + 2"]
    incomplete_code_samples = ["func f() {", "x := `raw", "fmt.Println(1,", "if true {"]
    invalid_code_samples = ["func )(", "x := := 1", "for } {"]
    code_page_something = "fmt.Println?"
    code_generate_error = 'panic("boom")'
    code_execute_result = [
        {"code": "1 + 2 + 3", "result": "6"},
        {"code": 'strings.ToUpper("go")', "result": "GO"},
        {"code": "[]int{1, 2}", "result": "[1 2]"},
    ]
    code_display_data = [
        {"code": 'display.HTML("<b>bold</b>")', "mime": "text/html"},
        {"code": 'display.Markdown("**bold**")', "mime": "text/markdown"},
    ]
    code_history_pattern = "1 +*"
    supported_history_operations = ("tail", "range", "search")
    code_inspect_sample = "fmt.Println"
    code_clear_output = "display.Clear(false)"


class GonbSvmWelcome(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = "gonb-svm"
    support_iopub_welcome = True


if __name__ == "__main__":
    assert KernelManager().transport == sys.argv[1]
    unittest.main(argv=sys.argv[:1], verbosity=2)
