"""JupyterLab with settings of its own and headless Chromium in front of it, for the scripts beside this one."""
import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright


class Lab:
    """One notebook in JupyterLab: url is the server's, page the browser's, file the notebook that Lab saves."""

    def __init__(self, url, page, file, out):
        self.url, self.page, self.file, self.out = url, page, file, out

    def open(self):
        """Opens the notebook and waits for its kernel."""
        self.page.goto(f"{self.url}/lab/tree/{self.file.name}")
        self.page.wait_for_selector(".jp-NotebookPanel-notebook .jp-Cell", timeout=60000)
        self.idle()
        self.page.wait_for_timeout(500)

    def idle(self, seconds=60):
        """Waits until the status bar says that the kernel rests."""
        self.page.get_by_text("Go (gonb-svm) | Idle").wait_for(timeout=1000 * seconds)

    def menu(self, menu, entry):
        """Chooses an entry of the menu bar by the beginning of its name."""
        self.page.get_by_role("menuitem", name=menu, exact=True).click()
        self.page.get_by_role("menuitem", name=re.compile("^" + re.escape(entry))).first.click()

    def kernel(self):
        """The server's model of the notebook's kernel, or None."""
        models = self.page.request.get(f"{self.url}/api/kernels?token=test").json()
        return models[0] if models else None

    def save(self):
        """Saves the notebook and reads it."""
        self.page.keyboard.press("Control+s")
        self.page.wait_for_timeout(1000)
        return json.loads(self.file.read_text())

    def picture(self, name):
        self.page.screenshot(path=self.out / f"{name}.png")


def settings(folder, theme):
    """Writes Lab's settings: no news, no windowing (all cells are in the page), the theme, and widgets in saved notebooks."""
    for plugin, values in {
        "@jupyter-widgets/jupyterlab-manager/plugin": {"saveState": True},
        "@jupyterlab/apputils-extension/themes": {"theme": "JupyterLab Dark" if theme == "dark" else "JupyterLab Light"},
        "@jupyterlab/apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "@jupyterlab/notebook-extension/tracker": {"windowingMode": "none"},
    }.items():
        file = folder / f"{plugin}.jupyterlab-settings"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(values))


def address(server, log, seconds=180):
    end = time.time() + seconds
    while time.time() < end and server.poll() is None:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/lab", log.read_text())
        if found:
            return f"http://127.0.0.1:{found[1]}"
        time.sleep(0.2)
    raise SystemExit("JupyterLab did not start:\n" + log.read_text())


@contextlib.contextmanager
def serve(notebook, out, name, theme="light"):
    """Starts JupyterLab on a copy of the notebook, and the browser; both end with the context. The
    server's log is out/server-NAME.log; when the context fails, out/failed-NAME.png shows the page."""
    notebook, out = Path(notebook).resolve(), Path(out).resolve()
    out.mkdir(parents=True, exist_ok=True)
    root = Path(tempfile.mkdtemp(prefix="lab-"))
    files = root / "files"
    files.mkdir()
    file = Path(shutil.copy(notebook, files / notebook.name))
    settings(root / "settings", theme)
    environment = dict(os.environ, JUPYTERLAB_SETTINGS_DIR=str(root / "settings"),
                       JUPYTERLAB_WORKSPACES_DIR=str(root / "workspaces"), JUPYTER_CONFIG_DIR=str(root / "config"))
    log = out / f"server-{name}.log"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0",
               "--ServerApp.port_retries=50", "--IdentityProvider.token=test", f"--ServerApp.root_dir={files}"]
    with open(log, "w") as written:
        server = subprocess.Popen(command, env=environment, cwd=files, stdout=written, stderr=subprocess.STDOUT)
    try:
        url = address(server, log)
        with sync_playwright() as p:
            browser = p.chromium.launch(
                executable_path=shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome"),
                args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
                      "--disable-sync", "--no-first-run", "--disable-quic"])
            page = browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=1.5)
            page.set_default_timeout(180000)  # a busy machine takes its time
            page.goto(f"{url}/lab?token=test")
            page.wait_for_selector(".jp-LauncherCard", timeout=60000)
            page.wait_for_timeout(1000)
            try:
                yield Lab(url, page, file, out)
            except BaseException:
                page.screenshot(path=out / f"failed-{name}.png")
                raise
            browser.close()
    finally:
        server.terminate()
        try:
            server.wait(20)
        except subprocess.TimeoutExpired:
            server.kill()
        shutil.rmtree(root, ignore_errors=True)
