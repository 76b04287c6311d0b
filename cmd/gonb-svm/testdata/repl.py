"""repl.py PROGRAM: types cells into the REPL on a terminal. Prints "done: NAME" for each thing that works."""
import re
import sys

import pexpect

program = sys.argv[1]
shell = pexpect.spawn(program, ["repl"], encoding="utf-8", timeout=60, dimensions=(40, 120))


def answering(pattern):
    """Waits for a pattern, and answers what a terminal is asked for meanwhile: where its cursor is."""
    while shell.expect([pattern, re.escape("\x1b[6n")]) == 1:
        shell.send("\x1b[1;1R")


answering(r"\[1\]")
shell.send("kept := 41\r")
answering(r"\[2\]")
shell.send("kept + 1\r")
answering("42")
answering(r"\[3\]")
print("done: cells")
shell.send("for i := range 2 {\r")
shell.send('fmt.Println("line", i)\r')
shell.send("}\r")
answering("line 1")
answering(r"\[4\]")
print("done: lines")
shell.send("svm.PlotTradeo\t")
answering("PlotTradeoff")
shell.send("\x03")
answering(r"\[4\]")
print("done: completion")
shell.send("\x1b[A")
answering("range 2")
shell.send("\x03")
answering(r"\[4\]")
print("done: history")
shell.send("exit\r")
answering(pexpect.EOF)
print("done: exit")
