"""Prints the labels and all decision values of all .onnx files in a folder, on the rows beside them."""
import pathlib
import sys

import numpy
import onnxruntime

folder = pathlib.Path(sys.argv[1])
for file in sorted(folder.glob("*.onnx")):
    rows = numpy.loadtxt(folder / (file.name.split("_")[0] + ".txt"), dtype=numpy.float32)
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    label, decision = session.run(["label", "decision"], {"X": rows})
    assert label.shape == (len(rows),), label.shape
    assert len(decision) == len(rows), decision.shape
    for i in range(len(rows)):
        print(file.stem, i, int(label[i]), *(repr(float(d)) for d in decision[i]))
