"""widgets.py OUT.html: holds that widgets live on without a kernel and that their work is seen. A notebook
executed by nbclient keeps the state of its widgets and a picture for those who have none; the page
that nbconvert makes of it has both; and while a moved slider redraws, the kernel says that it is busy."""
import json
import sys
from pathlib import Path

import nbformat
from jupyter_client.manager import start_new_kernel
from nbclient import NotebookClient
from nbconvert import HTMLExporter

STATE, VIEW = "application/vnd.jupyter.widget-state+json", "application/vnd.jupyter.widget-view+json"
CODE = """widgets.Interact(func(size int) any {
	fmt.Println("size", size)
	p := plot.New()
	p.Title.Text = "drawn"
	return p
}, widgets.Range(1, 50, 7))"""


def saved():
    """The state in the notebook's metadata and in the page."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CODE)])
    NotebookClient(notebook, timeout=120, kernel_name="gonb-svm").execute()
    nbformat.validate(notebook)
    data = notebook.cells[0].outputs[0].data
    models = notebook.metadata.widgets[STATE].state
    root = models[data[VIEW]["model_id"]]
    assert root["model_name"] == "VBoxModel", root
    for child in root["state"]["children"]:
        assert child.removeprefix("IPY_MODEL_") in models, child
    kinds = {m["model_name"]: m["state"] for m in models.values()}
    assert kinds["IntSliderModel"]["value"] == 7, kinds["IntSliderModel"]
    outputs = kinds["OutputModel"]["outputs"]
    assert outputs[0]["text"] == "size 7\n" and "<svg" in outputs[1]["data"]["image/svg+xml"], outputs
    assert "size 7" in data["text/plain"] and data["image/png"] and data["image/svg+xml"], list(data)
    page, _ = HTMLExporter().from_notebook_node(notebook)
    assert f'type="{STATE}"' in page and f'type="{VIEW}"' in page and data[VIEW]["model_id"] in page
    Path(sys.argv[1]).write_text(page)


def busy():
    """From a slider's message on: busy, idle, then busy, the new picture, idle."""
    manager, client = start_new_kernel(kernel_name="gonb-svm")
    try:
        slider = []
        client.execute_interactive(CODE, timeout=60, output_hook=lambda m: slider.append(m["content"]["comm_id"])
                                   if m["msg_type"] == "comm_open" and m["content"]["data"]["state"]["_model_name"] == "IntSliderModel" else None)
        message = client.session.msg("comm_msg", {"comm_id": slider[0], "data": {"method": "update", "state": {"value": 9}, "buffer_paths": []}})
        client.shell_channel.send(message)
        seen = []
        while seen.count("idle") < 2:
            m = client.get_iopub_msg(timeout=60)
            if m["msg_type"] == "status" and m["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                seen.append(m["content"]["execution_state"])
            elif m["msg_type"] == "comm_msg" and "size 9" in json.dumps(m["content"]["data"]):
                seen.append("drawn")
        assert [s for s in seen if s != "drawn"] == ["busy", "idle", "busy", "idle"] and "drawn" in seen[3:4], seen
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


saved()
busy()
print("widgets kept, busy seen")
