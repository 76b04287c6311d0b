"""lab.py NOTEBOOK OUTDIR [light|dark]: opens the notebook in JupyterLab in headless Chromium, runs all
cells, and leaves screenshots in OUTDIR. Exits 1 when a cell fails, a picture is missing or the kernel
is not the one named in the notebook."""
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

notebook, out = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
theme = sys.argv[3] if len(sys.argv) > 3 else "light"
out.mkdir(parents=True, exist_ok=True)
root = Path(tempfile.mkdtemp(prefix="lab-"))
shutil.copy(notebook, root / notebook.name)

settings = root / "settings"
theme_file = settings / "@jupyterlab" / "apputils-extension" / "themes.jupyterlab-settings"
theme_file.parent.mkdir(parents=True)
theme_file.write_text(json.dumps({"theme": "JupyterLab Dark" if theme == "dark" else "JupyterLab Light"}))
news = settings / "@jupyterlab" / "apputils-extension" / "notification.jupyterlab-settings"
news.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))
tracker = settings / "@jupyterlab" / "notebook-extension" / "tracker.jupyterlab-settings"
tracker.parent.mkdir(parents=True)
tracker.write_text(json.dumps({"windowingMode": "none"}))

environment = dict(os.environ, JUPYTERLAB_SETTINGS_DIR=str(settings),
                   JUPYTERLAB_WORKSPACES_DIR=str(root / "workspaces"), JUPYTER_CONFIG_DIR=str(root / "config"))
log = open(out / f"server-{theme}.log", "w+")
server = subprocess.Popen(
    [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", "--ip=127.0.0.1", "--port=0",
     "--ServerApp.port_retries=50", "--IdentityProvider.token=test", f"--ServerApp.root_dir={root}"],
    env=environment, cwd=root, stdout=log, stderr=subprocess.STDOUT)


def address(deadline=60):
    end = time.time() + deadline
    while time.time() < end:
        found = re.search(r"http://127\.0\.0\.1:(\d+)/lab", Path(log.name).read_text())
        if found:
            return f"http://127.0.0.1:{found[1]}"
        if server.poll() is not None:
            break
        time.sleep(0.2)
    raise SystemExit("JupyterLab did not start:\n" + Path(log.name).read_text())


try:
    url = address()
    with sync_playwright() as p:
        browser = p.chromium.launch(
            executable_path=shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
                  "--disable-sync", "--no-first-run", "--disable-quic"])
        page = browser.new_page(viewport={"width": 1200, "height": 1000}, device_scale_factor=1.5)
        # Launcher first: the kernel and its logo as a user finds them.
        page.goto(f"{url}/lab?token=test")
        page.wait_for_selector(".jp-LauncherCard", timeout=60000)
        page.wait_for_timeout(1000)
        page.screenshot(path=out / f"launcher-{theme}.png")
        card = page.locator(".jp-LauncherCard", has_text="Go (gonb-svm)").first
        card.wait_for(timeout=10000)
        if card.locator("img").count() == 0:
            raise SystemExit("the launcher shows no logo for Go (gonb-svm)")

        page.goto(f"{url}/lab/tree/{notebook.name}")
        page.wait_for_selector(".jp-NotebookPanel-notebook .jp-Cell", timeout=60000)
        page.get_by_text("Go (gonb-svm) | Idle").wait_for(timeout=60000)
        page.wait_for_timeout(500)
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        codes = sum(1 for cell in json.loads(notebook.read_text())["cells"] if cell["cell_type"] == "code")
        end = time.time() + 240
        while True:
            if time.time() > end:
                page.screenshot(path=out / f"stuck-{theme}.png")
                raise SystemExit("the notebook did not finish in 240 s")
            page.wait_for_timeout(1000)
            model = page.request.get(f"{url}/api/kernels?token=test").json()
            if not model or model[0]["execution_state"] != "idle":
                continue
            page.keyboard.press("Control+s")
            page.wait_for_timeout(1000)
            saved = json.loads((root / notebook.name).read_text())
            counted = [c for c in saved["cells"] if c["cell_type"] == "code" and c.get("execution_count")]
            if len(counted) == codes:
                break
            if any(o["output_type"] == "error" for c in counted for o in c["outputs"]):
                break
        shutil.copy(root / notebook.name, out / f"executed-{theme}.ipynb")
        failed = [o for c in counted for o in c["outputs"] if o["output_type"] == "error"]
        if failed:
            raise SystemExit(f"a cell failed: {failed[0]['ename']}: {failed[0]['evalue']}")
        if model[0]["name"] != saved["metadata"]["kernelspec"]["name"]:
            raise SystemExit(f"ran on kernel {model[0]['name']}")

        # A tall window shows the whole notebook at once.
        page.set_viewport_size({"width": 1200, "height": 5000})
        page.wait_for_timeout(1500)
        page.evaluate("document.querySelectorAll('.jp-WindowedPanel-outer').forEach(e => e.scrollTop = 0)")
        page.wait_for_timeout(1500)
        page.locator(".jp-NotebookPanel-notebook").first.screenshot(path=out / f"notebook-{theme}.png")
        pictures = page.locator(".jp-OutputArea-output img, .jp-OutputArea-output svg")
        print(f"{len(counted)} code cells ran, {pictures.count()} pictures shown")
        if pictures.count() == 0:
            raise SystemExit("no picture is shown")
        browser.close()
finally:
    server.terminate()
    try:
        server.wait(10)
    except subprocess.TimeoutExpired:
        server.kill()
    shutil.rmtree(root, ignore_errors=True)
