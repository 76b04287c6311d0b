"""points.py TRANSPORT: drives the installed kernel with Jupyter's own client, jupyter_client, over tcp or
ipc, and checks what a kernel must do point by point. Prints "points N mistakes M" and ends with 0 if all hold.

Points are the rules about the order and the meaning of messages; mistakes are what other kernels
were found to get wrong. Both are numbered, so that none is forgotten."""
import faulthandler
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import nbformat
import zmq
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import KernelManager, start_new_kernel
from jupyter_client.session import Session
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

NAME, TRANSPORT = "gonb-svm", sys.argv[1]
KernelManager.transport.default_value = TRANSPORT
TIMEOUT = 60  # seconds for what must come; no measure of speed
ENDLESS = 'fmt.Println("begun")\nfor {\n}'


def setUpModule():
    global km, kc
    km, kc = start_new_kernel(kernel_name=NAME)


def tearDownModule():
    kc.stop_channels()
    km.shutdown_kernel()


class Client(unittest.TestCase):
    def setUp(self):
        for channel in (kc.shell_channel, kc.iopub_channel, kc.control_channel, kc.stdin_channel):
            while channel.msg_ready():
                channel.get_msg(timeout=1)

    def reply(self, msg_id, channel=None):
        """The reply to a request on the channel of the request, and on no other."""
        channel = channel or kc.shell_channel
        while True:
            msg = channel.get_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") == msg_id:
                return msg

    def published(self, msg_id):
        """What came on iopub for a request, from busy to idle."""
        found = []
        while True:
            msg = kc.iopub_channel.get_msg(timeout=TIMEOUT)
            if msg["parent_header"].get("msg_id") == msg_id:
                found.append(msg)
                if msg["content"].get("execution_state") == "idle":
                    return found

    def run_cell(self, code, **options):
        msg_id = kc.execute(code, **options)
        return self.reply(msg_id)["content"], self.published(msg_id)

    def ok(self, code, **options):
        reply, published = self.run_cell(code, **options)
        self.assertEqual(reply["status"], "ok", reply)
        return reply, published

    def value(self, code):
        """The text of a cell's value."""
        results = [m for m in self.ok(code)[1] if m["msg_type"] == "execute_result"]
        return results[0]["content"]["data"]["text/plain"]

    def send(self, channel, msg_type, content=None, buffers=None):
        msg = kc.session.msg(msg_type, content or {})
        kc.session.send(channel.socket, msg, buffers=buffers)
        return msg["header"]["msg_id"]

    def control(self, msg_type, content=None):
        msg_id = self.send(kc.control_channel, msg_type, content)
        return self.reply(msg_id, kc.control_channel)

    def begin(self, code):
        """Starts a cell that prints, and waits until it has."""
        msg_id = kc.execute(code)
        while True:
            msg = kc.iopub_channel.get_msg(timeout=TIMEOUT)
            if msg["msg_type"] == "stream" and msg["parent_header"]["msg_id"] == msg_id:
                return msg_id

    def interrupt(self):
        self.assertEqual(self.control("interrupt_request")["content"]["status"], "ok")

    def end(self, msg_id):
        """Interrupts a cell that runs."""
        self.interrupt()
        reply = self.reply(msg_id)["content"]
        self.assertEqual(reply.get("ename"), "Interrupted", reply)


def kinds(published):
    return [m["content"].get("execution_state") or m["msg_type"] for m in published]


def text(published, name="stdout"):
    return "".join(m["content"]["text"] for m in published if m["msg_type"] == "stream" and m["content"]["name"] == name)


class Points(Client):
    def test_01_order(self):
        msg_id = kc.execute('fmt.Println("a")\nfmt.Fprintln(os.Stderr, "b")\ndisplay.HTML("c")\nfmt.Println("d")\n1 + 1')
        reply = self.reply(msg_id)
        published = self.published(msg_id)
        self.assertEqual(kinds(published), ["busy", "execute_input", "stream", "stream", "display_data", "stream", "execute_result", "idle"])
        self.assertEqual([m["content"]["text"] for m in published if m["msg_type"] == "stream"], ["a\n", "b\n", "d\n"])
        self.assertTrue(published[-2]["header"]["date"] <= reply["header"]["date"] <= published[-1]["header"]["date"])
        self.assertFalse(any(m["parent_header"].get("msg_id") == msg_id for m in self.rest()), "something came after idle")

        _, published = self.ok("for i := range 50000 {\n\tfmt.Println(i)\n}")
        self.assertEqual(text(published), "".join(f"{i}\n" for i in range(50000)))
        self.assertLess(len(published), 1000, "what is printed quickly is gathered")

    def rest(self):
        """What still comes on iopub when nothing runs."""
        found = []
        while kc.iopub_channel.socket.poll(200):
            found.append(kc.iopub_channel.get_msg(timeout=1))
        return found

    def test_02_silent(self):
        before = self.ok("point2 := 1")[0]["execution_count"]
        reply, published = self.run_cell('point2 = 2\nfmt.Println("x")\ndisplay.HTML("x")\n1', silent=True, store_history=True)
        self.assertEqual((reply["status"], reply["execution_count"], kinds(published)), ("ok", before, ["busy", "idle"]))
        reply, published = self.run_cell('panic("x")', silent=True)
        self.assertEqual((reply["status"], kinds(published)), ("error", ["busy", "idle"]))
        self.assertEqual(self.value("point2"), "2")
        history = self.reply(kc.history(hist_access_type="tail", n=2))["content"]["history"]
        self.assertEqual([h[2] for h in history], ["point2 := 1", "point2"])

    def test_03_store_history(self):
        before = self.ok("1")[0]["execution_count"]
        reply, published = self.ok('fmt.Println("x")\n7', store_history=False)
        self.assertEqual((reply["execution_count"], kinds(published)), (before, ["busy", "execute_input", "stream", "execute_result", "idle"]))
        self.assertEqual(self.ok("1")[0]["execution_count"], before + 1)
        self.assertNotIn("7", [h[2][-1:] for h in self.reply(kc.history(hist_access_type="tail", n=2))["content"]["history"]])

    def test_04_user_expressions(self):
        reply, _ = self.ok("point4 := 3", user_expressions={"a": "point4 + 1", "b": "nothing", "c": "[]int{1}[point4]"})
        values = reply["user_expressions"]
        self.assertEqual((values["a"]["status"], values["a"]["data"]["text/plain"], values["a"]["metadata"]), ("ok", "4", {}))
        for name in "bc":
            self.assertEqual((values[name]["status"], type(values[name]["traceback"])), ("error", list))
            self.assertTrue(values[name]["ename"] and values[name]["evalue"])
        self.assertFalse(self.run_cell('panic("x")', user_expressions={"a": "1"})[0].get("user_expressions"))

    def test_05_stop_on_error(self):
        ids = [kc.execute(code, allow_stdin=True) for code in ('display.Input("")\npanic("x")', "point5 := 1")]
        kc.get_stdin_msg(timeout=TIMEOUT)
        ids.append(kc.execute("point5 := 2"))
        self.reply(kc.kernel_info())  # so all cells have come in
        asked = self.send(kc.shell_channel, "is_complete_request", {"code": "1"})
        kc.input("")
        info = None
        statuses = {}
        while len(statuses) < 3 or info is None:
            msg = kc.get_shell_msg(timeout=TIMEOUT)
            if msg["parent_header"]["msg_id"] == asked:
                info = msg["content"]["status"] == "complete"
            else:
                statuses[msg["parent_header"]["msg_id"]] = msg["content"]
        self.assertEqual(([statuses[i]["status"] for i in ids], info), (["error", "aborted", "aborted"], True))
        for i in ids[1:]:
            self.assertEqual(kinds(self.published(i)), ["busy", "idle"])
        self.assertEqual(self.run_cell("point5")[0]["status"], "error", "an aborted cell ran")
        ids = [kc.execute('panic("x")', stop_on_error=False), kc.execute("1")]
        self.assertEqual([self.reply(i)["content"]["status"] for i in ids], ["error", "ok"])

    def test_06_stdin(self):
        kc.input("stale")
        for code, question, password in (
            ('var name string\nfmt.Print("Name? ")\nfmt.Scanln(&name)\nname', "", False),
            ('line, _ := bufio.NewReader(os.Stdin).ReadString(\'\\n\')\nstrings.TrimSpace(line)', "", False),
            ('scanner := bufio.NewScanner(os.Stdin)\nscanner.Scan()\nscanner.Text()', "", False),
            ('display.Input("Name? ")', "Name? ", False),
            ('display.Password("Word? ")', "Word? ", True),
        ):
            msg_id = kc.execute(code, allow_stdin=True)
            asked = kc.get_stdin_msg(timeout=TIMEOUT)
            self.assertEqual((asked["msg_type"], asked["content"]["password"]), ("input_request", password))
            self.assertEqual(asked["parent_header"]["msg_id"], msg_id)
            self.assertTrue(asked["content"]["prompt"].endswith(question))
            kc.input("Ada")
            self.assertEqual(self.reply(msg_id)["content"]["status"], "ok")
            results = [m["content"]["data"]["text/plain"] for m in self.published(msg_id) if m["msg_type"] == "execute_result"]
            self.assertEqual(results, ["Ada"], code)
            reply, _ = self.run_cell(code.replace("fmt.Scanln(&name)", "if _, err := fmt.Scanln(&name); err != nil {\n\tpanic(err)\n}")
                                     .replace(", _ :=", ", err :=").replace("strings.TrimSpace(line)", "if err != nil {\n\tpanic(err)\n}")
                                     .replace("scanner.Text()", "if !scanner.Scan() {\n\tpanic(scanner.Err())\n}"), allow_stdin=False)
            self.assertEqual(reply["status"], "error", code)
        for code in ('display.Input("x")', 'var stopped string\nfmt.Scanln(&stopped)'):
            msg_id = kc.execute(code, allow_stdin=True)
            kc.get_stdin_msg(timeout=TIMEOUT)
            self.end(msg_id)

    def test_07_formats(self):
        _, published = self.ok('display.JSON(map[string]int{"a": 1})\ndisplay.PNG([]byte("abc"))\ndisplay.SVG("<svg/>")\ndisplay.HTML("<b>x</b>")')
        data = [m["content"]["data"] for m in published if m["msg_type"] == "display_data"]
        self.assertEqual(data[0]["application/json"], {"a": 1})
        self.assertEqual(data[1]["image/png"].strip(), "YWJj")
        self.assertEqual(data[2]["image/svg+xml"], "<svg/>")
        self.assertEqual((len(data), all(isinstance(d["text/plain"], str) for d in data)), (4, True))

    def test_08_headers(self):
        msg = kc.session.msg("execute_request", {"code": "1"})
        msg["header"]["of_another"] = {"kept": [1]}
        kc.session.send(kc.shell_channel.socket, msg)
        messages = [self.reply(msg["header"]["msg_id"])] + self.published(msg["header"]["msg_id"])
        self.assertEqual(len({m["header"]["msg_id"] for m in messages}), len(messages))
        self.assertEqual(len({m["header"]["session"] for m in messages}), 1)
        for m in messages:
            self.assertEqual((m["header"]["version"], m["header"]["msg_type"]), ("5.5", m["msg_type"]))
            self.assertNotEqual(m["header"]["session"], kc.session.session)
            self.assertTrue(m["header"]["username"] and m["header"]["date"].tzinfo)
            self.assertEqual(m["parent_header"]["of_another"], {"kept": [1]})

    def test_09_signatures(self):
        stranger = Session(key=b"wrong", signature_scheme="hmac-sha256")
        for channel in (kc.shell_channel, kc.control_channel, kc.stdin_channel):
            stranger.send(channel.socket, "execute_request", {"code": "point9 := 1"})
            channel.socket.send_multipart([b"nonsense"])
            channel.socket.send_multipart([b"<IDS|MSG>", b"", b"{}"])
            frames = kc.session.serialize(kc.session.msg("execute_request", {"code": "point9 := 1"}))
            for i in range(1, 6):  # a bit of the signature or of what is signed
                wrong = list(frames)
                wrong[i] = wrong[i][:-1] + bytes([wrong[i][-1] ^ 1])
                channel.socket.send_multipart(wrong)
        self.assertEqual(self.run_cell("point9")[0]["status"], "error", "an unsigned cell ran")
        msg_id = self.send(kc.shell_channel, "kernel_info_request", buffers=[b"buffers are not signed"])
        self.assertEqual(self.reply(msg_id)["content"]["status"], "ok")
        self.assertTrue(km.is_alive())

    def test_10_wire(self):
        with subscriber() as other:
            self.ok('fmt.Println("a")\n1')
            topics = {}
            while "idle" not in topics:
                before, msg = other.next()
                self.assertEqual(len(before), 1, "an iopub message has one topic")
                topics[kinds([msg])[0]] = before[0].decode()
            self.assertEqual(topics["stream"], "stream.stdout")
            self.assertRegex(topics["idle"], r"^kernel\.[\w-]+\.status$")
            self.assertRegex(topics["execute_result"], r"execute_result$")

    def test_11_unknown(self):
        for channel in (kc.shell_channel, kc.control_channel):
            msg_id = self.send(channel, "tea_request", {"sugar": 2})
            self.assertEqual(kinds(self.published(msg_id)), ["busy", "idle"])
        msg_id = self.send(kc.shell_channel, "execute_request", {"code": "1", "sugar": 2, "cell_meta": None})
        self.assertEqual(self.reply(msg_id)["content"]["status"], "ok")

    def test_12_late_output(self):
        msg_id = kc.execute('go func() {\n\ttime.Sleep(500 * time.Millisecond)\n\tfmt.Println("late")\n}()')
        self.assertEqual(self.reply(msg_id)["content"]["status"], "ok")
        self.assertEqual(text(self.published(msg_id)), "")
        late = kc.iopub_channel.get_msg(timeout=TIMEOUT)
        self.assertEqual((late["msg_type"], late["content"].get("text"), late["parent_header"]["msg_id"]), ("stream", "late\n", msg_id))
        # While a later cell runs it is no other.
        first = kc.execute('gate := make(chan bool)\ngo func() {\n\t<-gate\n\tfmt.Println("of the first")\n\tgate <- true\n}()')
        self.published(first)
        second = kc.execute('gate <- true\n<-gate\nfmt.Println("of the second")\ntime.Sleep(300 * time.Millisecond)')
        parents = {}
        while len(parents) < 2:
            msg = kc.iopub_channel.get_msg(timeout=TIMEOUT)
            if msg["msg_type"] == "stream":
                parents[msg["content"]["text"]] = msg["parent_header"]["msg_id"]
        self.assertEqual(parents, {"of the first\n": first, "of the second\n": second})
        self.reply(second)

    def test_13_control_while_busy(self):
        msg_id = self.begin(ENDLESS)
        self.assertEqual(self.control("kernel_info_request")["msg_type"], "kernel_info_reply")
        self.assertEqual(self.control("list_subshell_request")["content"], {"status": "ok", "subshell_id": []})
        self.assertTrue(self.control("debug_request", {"type": "request", "seq": 1, "command": "inspectVariables"})["content"]["success"])
        self.assertEqual(self.control("usage_request")["msg_type"], "usage_reply")
        for ask in (kc.kernel_info, kc.comm_info, lambda: kc.complete("strings.ToUpp"), lambda: kc.inspect("fmt.Println"),
                    lambda: kc.is_complete("1"), lambda: kc.history(hist_access_type="tail", n=1)):
            self.assertNotEqual(self.reply(ask())["content"].get("status"), "error")
        self.end(msg_id)

    def test_14_connection_file(self):
        with open(km.connection_file) as f:
            info = json.load(f)
        self.assertEqual(info["transport"], TRANSPORT)
        info.update(curve_publickey="x" * 40, curve_secretkey="y" * 40, of_another={"kept": 1})
        strange = tempfile.mktemp(suffix=".json")
        ports = {p: 1000 + i for i, p in enumerate(("shell_port", "iopub_port", "stdin_port", "control_port", "hb_port"))}
        if TRANSPORT == "ipc":
            info.update(ports, ip=tempfile.mktemp())
        else:
            sockets = [zmq.Context.instance().socket(zmq.ROUTER) for _ in ports]
            info.update({p: s.bind_to_random_port("tcp://127.0.0.1") for p, s in zip(ports, sockets)})
            for s in sockets:
                s.close(linger=0)
            time.sleep(0.2)
        with open(strange, "w") as f:
            json.dump(info, f)
        argv = KernelSpecManager().get_kernel_spec(NAME).argv
        process = subprocess.Popen([a.replace("{connection_file}", strange) for a in argv], stdin=subprocess.PIPE)
        session = Session(key=info["key"].encode())
        for port, msg_type in (("shell_port", "kernel_info_request"), ("control_port", "shutdown_request")):
            socket = zmq.Context.instance().socket(zmq.DEALER)
            socket.connect(f"tcp://127.0.0.1:{info[port]}" if TRANSPORT == "tcp" else f"ipc://{info['ip']}-{info[port]}")
            session.send(socket, msg_type, {})
            self.assertTrue(socket.poll(1000 * TIMEOUT), f"no answer on {port}")
            reply = session.deserialize(session.feed_identities(socket.recv_multipart())[1])
            self.assertEqual((reply["msg_type"], reply["content"]["status"]), (msg_type.replace("request", "reply"), "ok"))
            socket.close(linger=0)
        self.assertEqual(process.wait(timeout=TIMEOUT), 0)
        process.stdin.close()
        os.remove(strange)

    def test_15_parent(self):
        script = (
            "import sys, time\n"
            "from jupyter_client.manager import KernelManager, start_new_kernel\n"
            f"KernelManager.transport.default_value = {TRANSPORT!r}\n"
            f"km, kc = start_new_kernel(kernel_name={NAME!r})\n"
            f"kc.execute({ENDLESS!r})\n"
            "while kc.get_iopub_msg()['msg_type'] != 'stream': pass\n"
            "print(km.provisioner.pid, flush=True)\n"
            "time.sleep(3600)\n"
        )
        client = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        pid = int(client.stdout.readline())
        client.send_signal(signal.SIGKILL)
        client.wait()
        client.stdout.close()
        began = time.time()
        while alive(pid) and time.time() - began < TIMEOUT:
            time.sleep(0.02)
        self.assertFalse(alive(pid), "the kernel outlived its client")
        print(f"\nthe kernel ended {time.time() - began:.1f} s after its client was killed", flush=True)


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


class subscriber:
    """Another client of iopub."""

    def __enter__(self):
        self.session = Session(key=kc.session.key)
        self.socket = zmq.Context.instance().socket(zmq.SUB)
        self.socket.subscribe(b"")
        self.socket.connect(kc._make_url("iopub"))
        _, welcome = self.next()
        assert (welcome["msg_type"], welcome["content"]) == ("iopub_welcome", {"subscription": ""}), welcome
        return self

    def next(self):
        """The next message and what stands before its delimiter."""
        assert self.socket.poll(1000 * TIMEOUT), "nothing came on iopub"
        topics, frames = self.session.feed_identities(self.socket.recv_multipart())
        return topics, self.session.deserialize(frames)

    def __exit__(self, *_):
        self.socket.close(linger=0)


class Mistakes(Client):
    def test_01_idle_comes_last_also_for_one_who_has_just_come(self):
        for _ in range(20):
            with subscriber() as other:
                msg_id = kc.execute('fmt.Println("a")\n1')
                found = []
                while "idle" not in found:
                    _, msg = other.next()
                    if msg["parent_header"].get("msg_id") == msg_id:
                        found += kinds([msg])
                self.assertEqual(found, ["busy", "execute_input", "stream", "execute_result", "idle"])

    def test_02_control_is_answered_on_control(self):
        for msg_type in ("kernel_info_request", "interrupt_request", "usage_request", "debug_request", "create_subshell_request"):
            msg_id = self.send(kc.control_channel, msg_type)
            reply = self.reply(msg_id, kc.control_channel)
            self.assertEqual(reply["msg_type"], msg_type.replace("request", "reply"))
            self.assertEqual(kinds(self.published(msg_id)), ["busy", "idle"])
        while kc.shell_channel.msg_ready():
            self.assertNotIn("interrupt", kc.get_shell_msg(timeout=1)["msg_type"])
        other, client = start_new_kernel(kernel_name=NAME)
        msg = client.session.msg("shutdown_request", {"restart": False})
        client.control_channel.send(msg)
        while True:
            reply = client.control_channel.get_msg(timeout=TIMEOUT)
            if reply["parent_header"]["msg_id"] == msg["header"]["msg_id"]:
                break
        self.assertEqual((reply["msg_type"], reply["content"]), ("shutdown_reply", {"status": "ok", "restart": False}))
        client.stop_channels()
        other.shutdown_kernel(now=True)

    def test_03_kernel_info_does_not_wait_for_the_cell(self):
        msg_id = self.begin(ENDLESS)
        for _ in range(10):
            self.assertEqual(self.control("kernel_info_request")["content"]["status"], "ok")
        self.end(msg_id)

    def test_04_every_request_has_a_reply(self):
        requests = {
            "is_complete_request": {"code": "f("}, "comm_info_request": {}, "connect_request": {},
            "history_request": {"hist_access_type": "range", "session": 0, "start": 1, "stop": 2, "output": True, "raw": True},
            "create_subshell_request": {}, "delete_subshell_request": {"subshell_id": "x"}, "list_subshell_request": {},
        }
        for access in ("tail", "search", "nonsense"):
            self.assertIn("status", self.reply(kc.history(hist_access_type=access, n=1000))["content"])
        for msg_type, content in requests.items():
            reply = self.reply(self.send(kc.shell_channel, msg_type, content))
            self.assertEqual((reply["msg_type"], "status" in reply["content"]), (msg_type.replace("request", "reply"), True))
        features = self.reply(kc.kernel_info())["content"]["supported_features"]
        self.assertNotIn("kernel subshells", features, "subshells are refused, so they must not be offered")

    def test_05_fields_of_replies(self):
        for code in ('panic("x")', "undefined_name", "x := := 1", "%nonsense"):
            reply, published = self.run_cell(code)
            error = [m["content"] for m in published if m["msg_type"] == "error"]
            self.assertEqual((reply["status"], len(error)), ("error", 1), code)
            for content in (reply, error[0]):
                self.assertTrue(content["ename"] and isinstance(content["evalue"], str))
                self.assertTrue(content["traceback"] and all(isinstance(line, str) for line in content["traceback"]))
        nothing = self.reply(kc.complete("zzzzzz"))["content"]
        self.assertEqual((nothing["status"], nothing["matches"], type(nothing["metadata"])), ("ok", [], dict))
        self.assertEqual(self.reply(kc.kernel_info())["content"]["status"], "ok")

    def test_06_counting(self):
        other, client = start_new_kernel(kernel_name=NAME)
        counts = []
        for code, options in (("1", {"silent": True}), ("1", {"store_history": False}), ("1", {}), ('panic("x")', {}), ("1", {"silent": True}), ("1", {})):
            msg_id = client.execute(code, **options)
            while True:
                reply = client.get_shell_msg(timeout=TIMEOUT)
                if reply["parent_header"]["msg_id"] == msg_id:
                    break
            counts.append(reply["content"]["execution_count"])
        self.assertEqual(counts, [0, 0, 1, 2, 2, 3])
        client.stop_channels()
        other.shutdown_kernel(now=True)

    def test_07_missing_fields(self):
        for msg_type in ("execute_request", "complete_request", "inspect_request", "is_complete_request", "history_request", "comm_info_request",
                         "debug_request"):
            for content in ({}, {"code": None, "cursor_pos": None, "silent": None}):
                self.assertIn("content", self.reply(self.send(kc.shell_channel, msg_type, content)), msg_type)
        for msg_type in ("comm_open", "comm_msg", "comm_close"):
            self.assertEqual(kinds(self.published(self.send(kc.shell_channel, msg_type)))[-1], "idle")
        for content in ({"code": 1}, {"code": "1", "silent": "x"}, {"code": "1", "user_expressions": 5}):
            self.assertEqual(self.reply(self.send(kc.shell_channel, "execute_request", content))["content"]["status"], "error")
        self.assertTrue(km.is_alive())

    def test_08_cursor_in_code_points(self):
        before = 's := "é𝄞👩‍🔬"; strings.ToUppe'
        reply = self.reply(kc.complete(before + "(s)", len(before)))["content"]
        self.assertEqual((reply["cursor_start"], reply["cursor_end"]), (before.index("ToUppe"), len(before)))
        self.assertIn("ToUpper", reply["matches"])
        found = self.reply(kc.inspect(before + "r(s)", len(before)))["content"]
        self.assertTrue(found["found"] and "ToUpper" in found["data"]["text/plain"])

    def test_09_no_script(self):
        _, published = self.ok('train, _ := svm.Load("banana")\nfit := svm.Fit(train, svm.SMO{C: 1})\ndisplay.Show(train)\n'
                               "display.Show(svm.PlotBoundary(fit.Model, train))\ndisplay.Table([][]int{{1, 2}})\nfit")
        seen = 0
        for m in published:
            for mime, data in (m["content"].get("data") or {}).items():
                seen += 1
                self.assertNotIn("javascript", mime)
                self.assertFalse("text/html" == mime and "<script" in data)
        self.assertGreater(seen, 6)

    def test_10_errors_are_errors(self):
        nb = nbformat.v4.new_notebook(metadata={"kernelspec": {"name": NAME, "display_name": NAME}})
        nb.cells = [nbformat.v4.new_code_cell(code) for code in ("[]int{}[len(os.Args)+5]", "undefined_name", "1")]
        for cell in nb.cells[:2]:
            cell.metadata["tags"] = ["raises-exception"]
        NotebookClient(nb, timeout=TIMEOUT, kernel_name=NAME).execute()
        self.assertEqual([[o.output_type for o in c.outputs] for c in nb.cells], [["error"], ["error"], ["execute_result"]])
        del nb.cells[1].metadata["tags"]
        with self.assertRaises(CellExecutionError):
            NotebookClient(nb, timeout=TIMEOUT, kernel_name=NAME).execute()

    def test_11_language(self):
        language = self.reply(kc.kernel_info())["content"]["language_info"]
        self.assertEqual((language["name"], language["mimetype"], language["file_extension"]), ("go", "text/x-go", ".go"))
        self.assertTrue(language["version"] and language["pygments_lexer"] and language["codemirror_mode"] and language["nbconvert_exporter"])

    def test_12_kernelspec(self):
        spec = KernelSpecManager().get_kernel_spec(NAME)
        self.assertTrue(os.path.isabs(spec.argv[0]) and os.access(spec.argv[0], os.X_OK))
        self.assertEqual((spec.interrupt_mode, spec.language), ("message", "go"))
        with open(os.path.join(spec.resource_dir, "kernel.json")) as f:
            self.assertEqual(json.load(f)["kernel_protocol_version"], "5.5")
        for logo in ("logo-32x32.png", "logo-64x64.png", "logo-svg.svg"):
            self.assertTrue(os.path.exists(os.path.join(spec.resource_dir, logo)))
        manager = KernelManager(kernel_name=NAME)
        manager.start_kernel(env={"HOME": os.environ["HOME"], "PATH": "/nowhere"})
        client = manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=TIMEOUT)
        client.stop_channels()
        manager.shutdown_kernel()

    def test_13_interrupt_keeps_variables(self):
        self.ok("kept := 41")
        msg_id = self.begin(ENDLESS)
        km.interrupt_kernel()
        reply = self.reply(msg_id)["content"]
        self.assertEqual(reply.get("ename"), "Interrupted", reply)
        msg_id = self.begin(ENDLESS)
        os.kill(km.provisioner.pid, signal.SIGINT)
        reply = self.reply(msg_id)["content"]
        self.assertEqual(reply.get("ename"), "Interrupted", reply)
        self.assertEqual(self.value("kept + 1"), "42")


if __name__ == "__main__":
    faulthandler.dump_traceback_later(400, exit=True)  # a client that waits for ever says where
    count = {c.__name__: len([n for n in dir(c) if re.match(r"test_\d\d_", n)]) for c in (Points, Mistakes)}
    program = unittest.main(argv=sys.argv[:1] + sys.argv[2:], exit=False, verbosity=2)
    result = program.result
    if result.wasSuccessful() and not result.skipped and result.testsRun == sum(count.values()):
        print(f"points {count['Points']} mistakes {count['Mistakes']}")
    sys.exit(0 if result.wasSuccessful() else 1)
