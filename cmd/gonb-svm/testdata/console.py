"""Types into "jupyter console" on a terminal of its own, as a user does. Prints "done: NAME" for each task."""
import sys

import pexpect

TIMEOUT = 60


class Console:
    def __init__(self, *options):
        self.child = pexpect.spawn(sys.executable, ["-m", "jupyter_console", "--kernel", "gonb-svm", *options], encoding="utf-8",
                                   timeout=TIMEOUT, dimensions=(50, 120), echo=False)
        self.child.expect(r"In \[.*1.*\]: ")

    def type(self, line, *answers):
        """Types a line and waits for each of the answers in turn."""
        self.child.sendline(line)
        for answer in answers:
            self.child.expect(answer)

    def ends(self):
        self.child.expect(pexpect.EOF)
        self.child.close()
        if self.child.exitstatus != 0:
            raise SystemExit(f"the console ended with {self.child.exitstatus}: {self.child.before}")


def values():
    """Values, output in order, errors with the line, documentation."""
    console = Console("--simple-prompt")
    console.type("1 + 2", r"Out\[1\]: 3", r"In \[2\]: ")
    console.type('fmt.Println("first"); display.HTML("<b>second</b>"); fmt.Println("third")', "first\r\n", "second", "third\r\n", r"In \[3\]: ")
    console.type('panic("boom")', "boom", r"Cell In\[3\], line 1", r"In \[4\]: ")
    console.type("fmt.Println?", r"func Println\(", r"In \[5\]: ")
    console.type("quit")
    console.ends()


def prompts():
    """fmt.Scanln asks on a line of its own, behind what was printed; a password is not shown."""
    console = Console("--simple-prompt")
    console.type('var name string; fmt.Println("Your name?"); fmt.Scanln(&name); fmt.Println("Hello,", name)', "Your name\\?\r\n")
    console.type("Ada", "Hello, Ada\r\n", r"In \[2\]: ")
    console.type('len(display.Password("Word: "))', "Word: ")
    console.type("secret", r"Out\[2\]: 6", r"In \[3\]: ")
    console.type("exit")
    console.ends()


def terminal():
    """The full prompt, which asks after every line whether the cell is complete."""
    console = Console()
    for line in ("func twice(x int) int {", "return 2 * x"):
        console.child.send(line + "\r")
        console.child.expect(r"\.\.\.: ")
    console.child.send("}\r")
    console.child.expect(r"In \[.*2.*\]: ")
    console.child.send("twice(21)\r")
    console.child.expect(r"Out\[.*2.*\]: .*42")
    console.child.expect(r"In \[.*3.*\]: ")
    console.child.send("exit()\r")
    console.ends()


for task in (values, prompts, terminal):
    task()
    print(f"done: {task.__name__}", flush=True)
