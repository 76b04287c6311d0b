"""execute.py IN.ipynb OUT.ipynb [TIMEOUT]: runs a notebook with nbclient through the kernelspec "gonb-svm"."""
import sys

import nbformat
from nbclient import NotebookClient

source, target = sys.argv[1:3]
timeout = int(sys.argv[3]) if len(sys.argv) > 3 else 300
notebook = nbformat.read(source, as_version=4)
NotebookClient(notebook, timeout=timeout, kernel_name="gonb-svm").execute()
nbformat.validate(notebook)
nbformat.write(notebook, target)
