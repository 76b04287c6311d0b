"""Runs jupyter_kernel_test against an installed kernel. Arguments: kernel name, transport."""
import sys
import unittest

import jupyter_kernel_test
from jupyter_client.manager import KernelManager

NAME, TRANSPORT = sys.argv[1], sys.argv[2]
KernelManager.transport.default_value = TRANSPORT


class KernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = NAME
    language_name = "go"
    file_extension = ".go"
    code_hello_world = "print hello, world"
    code_stderr = "eprint oops"
    completion_samples = [
        {"text": "prin", "matches": {"print", "println"}},
        {"text": "hé", "matches": {"héllo"}},
        {"text": "zz", "matches": set()},
    ]
    complete_code_samples = ["print x", "f {}"]
    incomplete_code_samples = ["f {"]
    invalid_code_samples = ["f }"]
    code_page_something = "page help"
    code_generate_error = "fail boom"
    code_execute_result = [{"code": "1+2+3", "result": "6"}, {"code": "1+1", "result": "2"}]
    code_display_data = [{"code": "html <b>x</b>", "mime": "text/html"}, {"code": "png x", "mime": "image/png"}]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = "1?2*"
    code_inspect_sample = "print"
    code_clear_output = "clear"


class WelcomeTests(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = NAME
    support_iopub_welcome = True


if __name__ == "__main__":
    program = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2)
    result = program.result
    assert KernelManager().transport == TRANSPORT
    print(f"ran {result.testsRun} skipped {len(result.skipped)} failed {len(result.failures) + len(result.errors)}")
    sys.exit(0 if result.wasSuccessful() and result.testsRun == 13 and not result.skipped else 1)
