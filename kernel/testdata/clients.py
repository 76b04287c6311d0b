"""Drives an installed kernel with Jupyter's own clients. Arguments: kernel name, transport.

The cells are in the language of package fake.
"""
import os
import signal
import subprocess
import sys
import time
import unittest

import nbformat
import zmq
from jupyter_client.manager import KernelManager, start_new_kernel
from jupyter_client.session import Session
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NAME, TRANSPORT = sys.argv[1], sys.argv[2]
KernelManager.transport.default_value = TRANSPORT
TIMEOUT = 30


class Client(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.km, cls.kc = start_new_kernel(kernel_name=NAME)

    @classmethod
    def tearDownClass(cls):
        cls.kc.stop_channels()
        cls.km.shutdown_kernel()

    def setUp(self):
        for channel in (self.kc.shell_channel, self.kc.iopub_channel, self.kc.control_channel, self.kc.stdin_channel):
            while channel.msg_ready():
                channel.get_msg(timeout=1)

    def reply(self, msg_id, channel=None):
        channel = channel or self.kc.shell_channel
        while True:
            msg = channel.get_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") == msg_id:
                return msg

    def published(self, msg_id):
        found = []
        while True:
            msg = self.kc.iopub_channel.get_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") != msg_id:
                continue
            found.append(msg)
            if msg["msg_type"] == "status" and msg["content"]["execution_state"] == "idle":
                return found

    def run_cell(self, code, **options):
        msg_id = self.kc.execute(code, **options)
        return self.reply(msg_id)["content"], self.published(msg_id)

    def send(self, channel, msg_type, content=None):
        msg = self.kc.session.msg(msg_type, content or {})
        channel.send(msg)
        return msg["header"]["msg_id"]


class Points(Client):
    def test_order(self):
        reply, published = self.run_cell("print a\nvalue 1")
        kinds = [m["content"].get("execution_state") or m["msg_type"] for m in published]
        self.assertEqual(kinds, ["busy", "execute_input", "stream", "execute_result", "idle"])
        self.assertEqual(reply["status"], "ok")

    def test_count_and_silent(self):
        before = self.run_cell("1+1")[0]["execution_count"]
        reply, published = self.run_cell("print x\n1+1", silent=True)
        self.assertEqual([m["msg_type"] for m in published], ["status", "status"])
        self.assertEqual(reply["execution_count"], before)
        reply, published = self.run_cell("1+1", store_history=False)
        self.assertEqual(reply["execution_count"], before)
        self.assertIn("execute_result", [m["msg_type"] for m in published])
        self.assertEqual(self.run_cell("1+1")[0]["execution_count"], before + 1)

    def test_user_expressions(self):
        reply, _ = self.run_cell("", user_expressions={"a": "1+2", "b": "zzz"})
        self.assertEqual(reply["user_expressions"]["a"]["data"], {"text/plain": "3"})
        self.assertEqual(reply["user_expressions"]["b"]["status"], "error")

    def test_abort(self):
        ids = [self.kc.execute(code, allow_stdin=True) for code in ("input x\nfail x", "print no", "print no")]
        self.kc.get_stdin_msg(timeout=TIMEOUT)
        self.reply(self.kc.kernel_info())  # so all cells have come in
        self.kc.input("")
        statuses = [self.reply(i)["content"]["status"] for i in ids]
        self.assertEqual(statuses, ["error", "aborted", "aborted"])
        self.assertEqual(self.run_cell("print yes")[0]["status"], "ok")

    def test_error_fields(self):
        reply, published = self.run_cell("fail boom")
        self.assertEqual([m["msg_type"] for m in published][1:-1], ["execute_input", "error"])
        for content in (reply, published[2]["content"]):
            self.assertIsInstance(content["traceback"], list)
            self.assertEqual((content["ename"], content["evalue"]), ("Error", "boom"))

    def test_stdin(self):
        for command, password in (("input", False), ("password", True)):
            msg_id = self.kc.execute(command + " name: ", allow_stdin=True)
            question = self.kc.get_stdin_msg(timeout=TIMEOUT)["content"]
            self.assertEqual(question, {"prompt": "name:", "password": password})
            self.kc.input("Ada")
            self.assertEqual(self.reply(msg_id)["content"]["status"], "ok")
            self.assertIn("got Ada\n", [m["content"].get("text") for m in self.published(msg_id)])
        reply, _ = self.run_cell("input x", allow_stdin=False)
        self.assertEqual(reply["status"], "error")

    def test_formats(self):
        _, published = self.run_cell('json {"a": 1}\npng abc')
        data = [m["content"]["data"] for m in published if m["msg_type"] == "display_data"]
        self.assertEqual(data[0]["application/json"], {"a": 1})
        self.assertEqual(data[1]["image/png"], "YWJj")
        self.assertTrue(all("text/plain" in d for d in data))

    def test_headers(self):
        msg_id = self.kc.execute("value 1")
        messages = [self.reply(msg_id)] + self.published(msg_id)
        self.assertEqual(len({m["header"]["msg_id"] for m in messages}), len(messages))
        for msg in messages:
            self.assertEqual(msg["header"]["version"], "5.5")
            self.assertNotEqual(msg["header"]["session"], self.kc.session.session)
            self.assertIsNotNone(msg["header"]["date"].tzinfo)
            self.assertEqual(msg["parent_header"]["session"], self.kc.session.session)

    def test_bad_signature(self):
        stranger = Session(key=b"wrong", signature_scheme="hmac-sha256")
        for channel in (self.kc.shell_channel, self.kc.control_channel):
            stranger.send(channel.socket, "kernel_info_request")
            channel.socket.send_multipart([b"nonsense"])
        self.assertEqual(self.run_cell("1+1")[0]["status"], "ok")
        self.assertTrue(self.km.is_alive())

    def test_unknown_message(self):
        msg_id = self.send(self.kc.shell_channel, "tea_request")
        self.assertEqual([m["content"]["execution_state"] for m in self.published(msg_id)], ["busy", "idle"])

    def test_late_output(self):
        msg_id = self.kc.execute("later 200ms late")
        self.published(msg_id)
        self.run_cell("1+1")
        while True:
            msg = self.kc.iopub_channel.get_msg(timeout=TIMEOUT)
            if msg["msg_type"] == "stream":
                break
        self.assertEqual((msg["parent_header"]["msg_id"], msg["content"]["text"]), (msg_id, "late\n"))

    def test_control_while_busy(self):
        msg_id = self.kc.execute("sleep 1h")
        info = self.send(self.kc.control_channel, "kernel_info_request")
        self.assertEqual(self.reply(info, self.kc.control_channel)["msg_type"], "kernel_info_reply")
        for ask in (self.kc.kernel_info, self.kc.comm_info, lambda: self.kc.complete("prin"), lambda: self.kc.inspect("print")):
            self.assertEqual(self.reply(ask())["content"]["status"], "ok")
        interrupt = self.send(self.kc.control_channel, "interrupt_request")
        self.assertEqual(self.reply(interrupt, self.kc.control_channel)["msg_type"], "interrupt_reply")
        self.assertEqual(self.reply(msg_id)["content"]["ename"], "Interrupted")

    def test_interrupt_kernel(self):
        self.run_cell("set kept 1")
        msg_id = self.kc.execute("print begun\nsleep 1h")
        while self.kc.iopub_channel.get_msg(timeout=TIMEOUT)["msg_type"] != "stream":
            pass
        self.km.interrupt_kernel()
        self.assertEqual(self.reply(msg_id)["content"]["ename"], "Interrupted")
        debug = self.send(self.kc.control_channel, "debug_request", {"type": "request", "seq": 1, "command": "inspectVariables"})
        names = [v["name"] for v in self.reply(debug, self.kc.control_channel)["content"]["body"]["variables"]]
        self.assertIn("kept", names)

    def test_missing_fields(self):
        for msg_type in ("execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request"):
            msg_id = self.send(self.kc.shell_channel, msg_type)
            self.assertIn("status", self.reply(msg_id)["content"], msg_type)

    def test_cursor(self):
        reply = self.reply(self.kc.complete("é𝄞 hé", 5))["content"]
        self.assertEqual((reply["matches"], reply["cursor_start"], reply["cursor_end"]), (["héllo"], 3, 5))

    def test_lines(self):
        n = 50000
        _, published = self.run_cell(f"lines {n}")
        text = "".join(m["content"]["text"] for m in published if m["msg_type"] == "stream")
        self.assertEqual(text, "".join(f"{i}\n" for i in range(n)))

    def test_heartbeat(self):
        self.kc.hb_channel.unpause()
        deadline = time.time() + TIMEOUT
        while not self.kc.hb_channel.is_beating() and time.time() < deadline:
            time.sleep(0.05)
        self.assertTrue(self.kc.hb_channel.is_beating())
        context = zmq.Context()
        socket = context.socket(zmq.REQ)
        socket.connect(self.kc._make_url("hb"))
        for ping in (b"ping", b"\x00\xff", b"x" * 1000):
            socket.send(ping)
            self.assertTrue(socket.poll(TIMEOUT * 1000))
            self.assertEqual(socket.recv(), ping)
        socket.close(linger=0)
        context.destroy(linger=0)

    def test_welcome_comes_first(self):
        url, session = self.kc._make_url("iopub"), self.kc.session
        running = self.kc.execute("\n".join(["print x\nsleep 10ms"] * 100))
        context, sockets = zmq.Context(), []
        for topic in (b"", b"", b"stream", b"", b"kernel.", b""):
            socket = context.socket(zmq.SUB)
            socket.subscribe(topic)
            socket.connect(url)
            self.assertTrue(socket.poll(TIMEOUT * 1000))
            _, frames = session.feed_identities(socket.recv_multipart())
            msg = session.deserialize(frames)
            self.assertEqual((msg["msg_type"], msg["content"]), ("iopub_welcome", {"subscription": topic.decode()}))
            self.assertEqual(msg["parent_header"], {})
            sockets.append(socket)
        for socket in sockets:
            socket.close(linger=0)
        context.destroy(linger=0)
        self.reply(running)

    def test_restart(self):
        km, kc = start_new_kernel(kernel_name=NAME)
        try:
            for _ in range(3):
                kc.execute("sleep 1h")
                km.restart_kernel()
                kc.wait_for_ready(timeout=TIMEOUT)
                msg_id = kc.execute("1+1")
                while True:
                    msg = kc.get_shell_msg(timeout=TIMEOUT)
                    if msg["parent_header"]["msg_id"] == msg_id:
                        break
                self.assertEqual(msg["content"]["execution_count"], 1)
        finally:
            kc.stop_channels()
            km.shutdown_kernel()


class Notebooks(unittest.TestCase):
    def notebook(self, *codes):
        cells = [nbformat.v4.new_code_cell(code) for code in codes]
        return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": {"name": NAME, "display_name": NAME}})

    def test_nbclient(self):
        nb = self.notebook("print hello", "1+2", "html <b>x</b>", "named bar 1", "update bar 2", "print a\nclear\nprint b")
        NotebookClient(nb, timeout=TIMEOUT, kernel_name=NAME).execute()
        self.assertEqual([c.execution_count for c in nb.cells], [1, 2, 3, 4, 5, 6])
        self.assertEqual(nb.cells[0].outputs[0].text, "hello\n")
        self.assertEqual(nb.cells[1].outputs[0].data, {"text/plain": "3"})
        self.assertEqual(nb.cells[3].outputs[0].data, {"text/plain": "2"})
        self.assertEqual(nb.cells[5].outputs[0].text, "b\n")
        nbformat.validate(nb)

    def test_nbclient_error(self):
        nb = self.notebook("fail boom", "print no")
        with self.assertRaises(CellExecutionError) as caught:
            NotebookClient(nb, timeout=TIMEOUT, kernel_name=NAME).execute()
        self.assertIn("boom", str(caught.exception))

    def test_nbclient_timeout(self):
        nb = self.notebook("sleep 1h", "print yes")
        client = NotebookClient(nb, timeout=4, interrupt_on_timeout=True, allow_errors=True, kernel_name=NAME)
        client.execute()
        self.assertEqual(nb.cells[0].outputs[0].ename, "Interrupted")
        self.assertEqual(nb.cells[1].outputs[0].text, "yes\n")


class Console(unittest.TestCase):
    def test_console(self):
        try:
            import pexpect
            import jupyter_console  # noqa: F401
        except ImportError as missing:
            self.skipTest(f"{missing.name} is not installed")
        child = pexpect.spawn(sys.executable, ["-m", "jupyter_console", "--kernel", NAME, "--simple-prompt"], encoding="utf-8", timeout=TIMEOUT)
        child.expect(r"In \[1\]: ")
        child.sendline("1+2")
        child.expect(r"Out\[1\]: 3")
        child.expect(r"In \[2\]: ")
        child.sendline("input name?")
        child.expect(r"name\?")
        child.sendline("Ada")
        child.expect("got Ada")
        child.expect(r"In \[3\]: ")
        child.sendline("fail boom")
        child.expect("boom")
        child.expect(r"In \[4\]: ")
        child.sendeof()
        child.expect(["exit", pexpect.EOF])
        child.sendline("y")
        child.expect(pexpect.EOF)


class Death(unittest.TestCase):
    def test_killed_client(self):
        script = (
            "import sys, time\n"
            "from jupyter_client.manager import start_new_kernel\n"
            f"km, kc = start_new_kernel(kernel_name={NAME!r})\n"
            "kc.execute('sleep 1h')\n"
            "print(km.provisioner.pid, flush=True)\n"
            "time.sleep(3600)\n"
        )
        client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        pid = int(client.stdout.readline())
        client.send_signal(signal.SIGKILL)
        client.wait()
        client.stdout.close()
        deadline = time.time() + 5
        while time.time() < deadline and alive(pid):
            time.sleep(0.05)
        self.assertFalse(alive(pid), "the kernel outlived its client by 5 s")


def alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return ") Z " not in stat.read()
    except FileNotFoundError:
        try:
            os.kill(pid, 0)
            return True
        except ProcessLookupError:
            return False


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
