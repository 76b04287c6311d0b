"""work.py OUTDIR: works in JupyterLab as a user does, one function a task, and leaves a screenshot of
each in OUTDIR. Prints "done: NAME" for each task; exits 1 at the first that fails."""
import sys
import tempfile
from pathlib import Path

import nbformat

import labserver

# Labels that follow from nothing make the fit long.
DATA = """kept := 41
ratio, title := 0.25, "toy"
r := rand.New(rand.NewSource(1))
x, y := make([][]float64, 6000), make([]float64, 6000)
for i := range x {
	x[i] = []float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
	y[i] = float64(2*r.Intn(2) - 1)
}
noise := svm.FromDense(x, y)
fmt.Println(noise.Len(), "rows")"""
FIT = 'fmt.Println("fitting")\nsvm.Fit(noise, svm.SMO{Kernel: svm.RBF{Gamma: 0.5}, C: 1e4})'
LOOP = 'fmt.Println("turning")\nfor {\n}'
STILL = 'fmt.Println("still", kept+1)'
QUESTION = 'var name string\nfmt.Print("Your name? ")\nfmt.Scanln(&name)\nfmt.Println("Hello,", name)'

# A path of models, and a plot of its part up to a size that a slider sets.
PATH = """train, test := svm.Load("mnist38")
train, _ = train.Split(0.1, 1)
reference := svm.Fit(train, svm.SMO{Kernel: svm.RBF{Gamma: 0.02}, C: 10})
whole := svm.FitPath(train, test, svm.ISSVM{Reference: reference.Model, Aggressive: true})
fmt.Println("path ready")"""
SLIDER = """draws := 0
widgets.Interact(func(size int) any {
	draws++
	part := *whole
	part.Points = nil
	for _, p := range whole.Points {
		if p.SupportSize <= size {
			part.Points = append(part.Points, p)
		}
	}
	fmt.Println("up to", size)
	return svm.PlotTradeoff(&part)
}, widgets.Range(20, 400, 60))"""
DRAWS = 'fmt.Println("drawn", draws)'
CHART = "svm.PlotTradeoff(whole)"
PROGRESS = "svm.Fit(noise, svm.SMO{Kernel: svm.RBF{Gamma: 0.5}, C: 1e4, Settings: svm.Settings{MaxIterations: 2000000}})"


class Work:
    """The cells of a notebook, by number from 0."""

    def __init__(self, lab):
        self.lab, self.page = lab, lab.page

    def cell(self, n):
        return self.page.locator(".jp-NotebookPanel-notebook .jp-CodeCell").nth(n)

    def edit(self, n):
        self.cell(n).locator(".cm-content").click()
        self.page.keyboard.press("Control+End")

    def run(self, n):
        """Starts a cell."""
        self.edit(n)
        self.page.keyboard.press("Control+Enter")

    def shows(self, n, text, seconds=90):
        """Waits for a text in the outputs of a cell."""
        self.cell(n).locator(".jp-OutputArea-output", has_text=text).first.wait_for(timeout=1000 * seconds)

    def type(self, n, text):
        """Puts a text in the place of a cell's own, by the keyboard."""
        self.edit(n)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.press("Delete")
        self.page.keyboard.type(text, delay=20)


def interrupt(work):
    """A long fit and an endless loop end when interrupted, and the variables are kept."""
    work.run(0)
    work.shows(0, "6000 rows")
    for n, beginning in ((1, "fitting"), (2, "turning")):
        work.run(n)
        work.shows(n, beginning)
        work.page.wait_for_timeout(2000)
        if work.lab.kernel()["execution_state"] != "busy":
            raise SystemExit(f"cell {n} ended by itself: nothing to interrupt")
        work.lab.menu("Kernel", "Interrupt Kernel")
        work.lab.idle()
    work.run(3)
    work.shows(3, "still 42")


def answer(work):
    """fmt.Scanln asks with a field below the cell, and gets what is typed there."""
    work.run(4)
    field = work.cell(4).locator(".jp-Stdin-input")
    field.wait_for(timeout=60000)
    work.shows(4, "Your name?")
    field.fill("Ada")
    work.lab.picture("work-question")
    field.press("Enter")
    work.shows(4, "Hello, Ada")


def complete(work):
    """Tab inside a struct's braces offers its fields."""
    work.type(5, "svm.ISSVM{")
    work.page.keyboard.press("Tab")
    work.page.locator(".jp-Completer-item").first.wait_for(timeout=60000)
    offered = work.page.locator(".jp-Completer-item .jp-Completer-match").all_inner_texts()
    for field in ("Eta", "Epsilon"):
        if field not in offered[:12]:
            raise SystemExit(f"{field} is not among the first that Tab offers: {offered[:12]}")


def inspect(work):
    """Shift-Tab on a type shows its documentation."""
    work.page.keyboard.press("Escape")
    work.type(5, "svm.ISSVM")
    work.page.keyboard.press("Shift+Tab")
    tooltip = work.page.locator(".jp-Tooltip")
    tooltip.wait_for(timeout=60000)
    tooltip.get_by_text("Epsilon").first.wait_for(timeout=10000)


def variables(work):
    """The debugger's sidebar lists the variables with their values."""
    work.page.keyboard.press("Escape")
    work.page.locator(".jp-DebuggerBugButton").first.click()
    work.page.locator('.jp-DebuggerBugButton[aria-pressed="true"]').first.wait_for(timeout=60000)
    panel = work.page.locator(".jp-DebuggerVariables")
    if not panel.is_visible():
        work.page.locator('.jp-SideBar.jp-mod-right [data-id="jp-debugger-sidebar"]').click()
    panel.wait_for(timeout=60000)
    panel.get_by_text("kept").first.wait_for(timeout=60000)
    for value in ("41", "0.25 (float64)", "toy", "6000 rows"):
        if value not in panel.inner_text():
            raise SystemExit(f"the panel does not show {value}: {panel.inner_text()}")


# When the pointer was moved last, and when the slider's output changed last.
WATCH = """area => {
	window.moved = window.drawn = 0;
	document.addEventListener("pointermove", () => { window.moved = performance.now() }, true);
	new MutationObserver(() => { window.drawn = performance.now() }).observe(area, {childList: true, subtree: true, attributes: true});
}"""


def slider(work):
    """A slider that is dragged redraws a plot, and of the places it passes the last is drawn."""
    work.run(6)
    work.shows(6, "path ready")
    work.run(7)
    cell = work.cell(7)
    cell.locator(".widget-interact img, .widget-interact svg.marks, .widget-interact canvas.marks").first.wait_for(timeout=60000)
    cell.get_by_text("up to 60").wait_for(timeout=60000)
    if cell.get_by_text("size", exact=True).count() == 0:
        raise SystemExit("the slider has not the name of its parameter")
    work.page.wait_for_timeout(1000)
    cell.scroll_into_view_if_needed()
    cell.locator(".jp-OutputArea").first.evaluate(WATCH)
    handle = cell.locator(".noUi-handle")
    box, track = handle.bounding_box(), cell.locator(".noUi-target").bounding_box()
    y = box["y"] + box["height"] / 2
    work.page.mouse.move(box["x"] + box["width"] / 2, y)
    work.page.mouse.down()
    for x in range(40):
        work.page.mouse.move(track["x"] + track["width"] * (0.15 + 0.015 * x), y)
        work.page.wait_for_timeout(16)
    value = cell.locator(".widget-readout").inner_text()
    cell.get_by_text(f"up to {value}").wait_for(timeout=60000)
    work.page.wait_for_timeout(500)
    late = work.page.evaluate("window.drawn - window.moved")
    work.page.mouse.up()
    work.run(8)
    work.shows(8, "drawn")
    drawn = cell.page.locator(".jp-CodeCell").nth(8).locator(".jp-OutputArea-output").inner_text().strip()
    print(f"slider: at {value}, complete {late:.0f} ms after the last of 40 moves; {drawn} times")
    saved = work.lab.save()
    states = saved["metadata"].get("widgets", {}).get("application/vnd.jupyter.widget-state+json", {}).get("state", {})
    sizes = [s["state"]["value"] for s in states.values() if s["model_name"] == "IntSliderModel"]
    if sizes != [int(value)]:
        raise SystemExit(f"the saved notebook has sliders at {sizes}, not at {value}")


def progress(work):
    """A bar shows how far a long fit has come. It is caught on its way: it need not be in the middle."""
    work.type(9, PROGRESS)
    work.run(9)
    bar = work.cell(9).locator("progress")
    bar.wait_for(timeout=60000)
    work.cell(9).locator("polyline").wait_for(timeout=60000)
    work.page.wait_for_function("() => [...document.querySelectorAll('progress')].some(e => e.value > 0.3 * e.max)", timeout=240000)
    work.lab.picture("work-halfway")
    work.lab.menu("Kernel", "Interrupt Kernel")
    work.lab.idle()


def chart(work):
    """Lab draws the plot itself, and a text beside the pointer names method, size and error."""
    work.run(10)
    cell = work.cell(10)
    picture = cell.locator(".vega-embed canvas, .vega-embed svg").first
    picture.wait_for(timeout=60000)
    picture.scroll_into_view_if_needed()
    work.page.wait_for_timeout(500)
    box, tip = picture.bounding_box(), work.page.locator("#vg-tooltip-element.visible")
    for x in range(60, int(box["width"]) - 10, 12):
        for y in range(10, int(box["height"]) - 40, 6):
            work.page.mouse.move(box["x"] + x, box["y"] + y)
            if tip.count() and "test error" in tip.inner_text():
                print("chart:", " ".join(tip.inner_text().split()))
                return
    raise SystemExit("no text beside the pointer anywhere on the plot")


def restart(work):
    """Restart and run all starts afresh: the cells run from number 1 on, in order."""
    for n in (1, 2, 4, 5, 9, 10):
        work.type(n, f'fmt.Println("again {n}")')
    work.lab.menu("Kernel", "Restart Kernel and Run All Cells")
    work.page.locator(".jp-Dialog .jp-mod-accept").click()
    work.shows(10, "again 10")
    work.lab.idle()
    counts = [c["execution_count"] for c in work.lab.save()["cells"]]
    if counts != list(range(1, 12)):
        raise SystemExit(f"the cells have the numbers {counts} after restart and run all")


TASKS = (interrupt, answer, complete, inspect, slider, progress, chart, variables, restart)


def main(out):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(code) for code in (DATA, FIT, LOOP, STILL, QUESTION, "", PATH, SLIDER, DRAWS, "", CHART)],
        metadata={"kernelspec": {"name": "gonb-svm", "display_name": "Go (gonb-svm)", "language": "go"}})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "work.ipynb"
        nbformat.write(notebook, file)
        with labserver.serve(file, out, "work") as lab:
            lab.open()
            work = Work(lab)
            for task in TASKS:
                task(work)
                lab.picture(f"work-{task.__name__}")
                print(f"done: {task.__name__}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
