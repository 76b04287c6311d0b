"""lab.py NOTEBOOK OUTDIR [light|dark]: opens the notebook in JupyterLab in headless Chromium, runs all
cells, and leaves screenshots in OUTDIR. Exits 1 when a cell fails, a picture is missing or the kernel
is not the one named in the notebook."""
import json
import shutil
import sys
import time

import labserver

source, out = sys.argv[1:3]
theme = sys.argv[3] if len(sys.argv) > 3 else "light"


def run_all(lab):
    """Runs all cells; gives those that ran and the saved notebook."""
    codes = sum(1 for cell in json.loads(lab.file.read_text())["cells"] if cell["cell_type"] == "code")
    lab.menu("Run", "Run All Cells")
    end = time.time() + 240
    while time.time() < end:
        lab.page.wait_for_timeout(1000)
        kernel = lab.kernel()
        if not kernel or kernel["execution_state"] != "idle":
            continue
        saved = lab.save()
        counted = [c for c in saved["cells"] if c["cell_type"] == "code" and c.get("execution_count")]
        if len(counted) == codes or any(o["output_type"] == "error" for c in counted for o in c["outputs"]):
            return counted, saved
    raise SystemExit("the notebook did not finish in 240 s")


with labserver.serve(source, out, theme, theme) as lab:
    page = lab.page
    # Launcher first: the kernel and its logo as a user finds them.
    lab.picture(f"launcher-{theme}")
    card = page.locator(".jp-LauncherCard", has_text="Go (gonb-svm)").first
    card.wait_for(timeout=10000)
    if card.locator("img").count() == 0:
        raise SystemExit("the launcher shows no logo for Go (gonb-svm)")

    lab.open()
    counted, saved = run_all(lab)
    shutil.copy(lab.file, lab.out / f"executed-{theme}.ipynb")
    failed = [o for c in counted for o in c["outputs"] if o["output_type"] == "error"]
    if failed:
        raise SystemExit(f"a cell failed: {failed[0]['ename']}: {failed[0]['evalue']}")
    name = lab.kernel()["name"]
    if name != saved["metadata"]["kernelspec"]["name"]:
        raise SystemExit(f"ran on kernel {name}")

    # A tall window shows the whole notebook at once.
    page.set_viewport_size({"width": 1200, "height": 5000})
    page.wait_for_timeout(1500)
    page.evaluate("document.querySelectorAll('.jp-WindowedPanel-outer').forEach(e => e.scrollTop = 0)")
    page.wait_for_timeout(1500)
    page.locator(".jp-NotebookPanel-notebook").first.screenshot(path=lab.out / f"notebook-{theme}.png")
    pictures = page.locator(".jp-OutputArea-output img, .jp-OutputArea-output svg")
    print(f"{len(counted)} code cells ran, {pictures.count()} pictures shown")
    if pictures.count() == 0:
        raise SystemExit("no picture is shown")
