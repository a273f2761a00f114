"""Export trained weights to an ONNX file (extra `train`)."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np

from tilescore.datasets.labels import CLASS_NAMES
from tilescore.errors import InputError
from tilescore.faults import out_of_memory
from tilescore.files.outputs import write_whole
from tilescore.vision.inference.session import load_onnxruntime

_TOLERANCE: Final = 1e-3
_SIZES: Final = ((640, 640), (480, 640), (96, 640))
"""Inputs (height, width) on which the outputs of the file and of torch are compared."""
_MOST_LOGIT: Final = 60.0
"""Largest input of the exponential, which must stay finite; a trained network stays far below."""
PART: Final = ".part"
"""Stands between the name of the weights of a split convolution and the number of its part of the output channels."""
SHARE: Final = ".share"
"""The same for the parts of the input channels."""
_BLOCK: Final = 16
"""Number of channels that onnxruntime computes at once."""
_BY_CHANNEL: Final = frozenset({"Sigmoid", "Mul", "AveragePool"})
"""Operators that keep channels apart, so that a channel of zeros stays without effect."""
FILLED: Final = "filled"
"""Metadata key: the share of useful arithmetic of each padded convolution, as JSON."""
_KEPT_NOTES: Final = ("author", "license", "names", "stride", "task")


def export(weights: Path, out: Path) -> float:
    """Write `out` with free input sizes.

    Returns:
        The largest difference to torch: scores 0-1, boxes in input widths.

    Raises InputError if the weights are no detector of our classes, ValueError if the outputs of the file differ from
    those of the weights.
    """
    with tempfile.TemporaryDirectory() as folder:
        # ultralytics writes its file beside the weights.
        copy = Path(shutil.copy(weights, folder))
        network = _detector(copy, weights)
        written = network.export(format="onnx", imgsz=640, simplify=True, dynamic=True)
        finish(Path(written), Path(written))
        difference = max(difference_to(copy, Path(written), size) for size in _SIZES)
        if difference > _TOLERANCE:
            raise ValueError(f"the export of '{weights}' differs from torch by {difference:.1e}, over {_TOLERANCE}.")
        write_whole(out, Path(written).read_bytes())
    return difference


def _detector(checkpoint: Path, weights: Path) -> Any:
    """The network in a checkpoint of ultralytics; raises InputError if it is no detector of our classes."""
    from tilescore.models.training.yolo import YOLO  # gigabytes that only training needs

    try:
        network = YOLO(str(checkpoint))
    except Exception as error:  # a checkpoint of another library raises errors of any kind
        if out_of_memory(error):
            raise
        message = f"'{weights}' is no checkpoint of ultralytics, or it is damaged: give the .pt file of a detector."
        raise InputError("bad_checkpoint", message, path=str(weights)) from error
    if network.task != "detect" or tuple(network.names.values()) != CLASS_NAMES:
        message = (
            f"'{weights}' is no detector of our {len(CLASS_NAMES)} classes in our order: train one on a set that "
            "tilescore dataset split has written."
        )
        raise InputError("no_detector", message, path=str(weights))
    return network


def finish(written: Path, out: Path) -> None:
    """Copy the file of ultralytics without its notes about the machine, in a form that runs faster."""
    import onnx

    model = onnx.load(written)
    kept = [entry for entry in model.metadata_props if entry.key in _KEPT_NOTES]
    notes = {entry.key: entry.value for entry in kept}
    del model.metadata_props[:]
    onnx.helper.set_model_props(model, notes)
    _quicken_boxes(model)
    _part_convolutions(model.graph)
    _enlarge_late(model)
    onnx.checker.check_model(model)
    onnx.save(model, out)


def _quicken_boxes(model: Any) -> None:
    """Replace the softmax of the box sides by sums of exponentials, in place.

    Each side of a box is an expectation over sixteen steps (1, 4 x 16, N). The exported softmax takes a tenth of the
    time of the network, because its memory access is scattered. One convolution of the exponentials gives the same
    sums. A network without this softmax stays unchanged.
    """
    from onnx import helper, numpy_helper

    nodes = model.graph.node
    makers = {name: node for node in nodes for name in node.output}
    expectation = next((node for node in nodes if node.op_type == "Conv" and "/dfl/" in node.name), None)
    if expectation is None:
        return
    steps = next(w for w in model.graph.initializer if w.name == expectation.input[1])
    weights = numpy_helper.to_array(steps).ravel()
    softmax = makers[expectation.input[0]]
    logits = makers[makers[softmax.input[0]].input[0]].input[0]
    sides = next(node for node in nodes if expectation.output[0] in node.input)
    sums = np.concatenate([np.kron(np.eye(4), row[None]) for row in (weights, np.ones_like(weights))])
    given = {
        "boxes.least": np.float32(-_MOST_LOGIT),
        "boxes.most": np.float32(_MOST_LOGIT),
        "boxes.sums": sums[..., None].astype(np.float32),
        "boxes.halves": np.array([4, 4], np.int64),
    }
    model.graph.initializer.extend(numpy_helper.from_array(np.asarray(value), name) for name, value in given.items())
    at = list(nodes).index(sides)
    made = [
        helper.make_node("Clip", [logits, "boxes.least", "boxes.most"], ["boxes.calm"]),
        helper.make_node("Exp", ["boxes.calm"], ["boxes.shares"]),
        helper.make_node("Conv", ["boxes.shares", "boxes.sums"], ["boxes.both"], kernel_shape=[1]),
        helper.make_node("Split", ["boxes.both", "boxes.halves"], ["boxes.weighted", "boxes.total"], axis=1),
        helper.make_node("Div", ["boxes.weighted", "boxes.total"], list(sides.output)),
    ]
    nodes.remove(sides)
    for place, node in enumerate(made, start=at):
        nodes.insert(place, node)
    _prune(model.graph)


def _part_convolutions(graph: Any) -> None:
    """Replace a convolution followed by a split by several convolutions, in place.

    onnxruntime computes convolutions in blocks of channels and cannot split blocks. It would reorder the tensor twice,
    which takes a tenth of the time of the network.
    """
    from onnx import helper, numpy_helper

    makers = {name: node for node in graph.node for name in node.output}
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    for split in [node for node in graph.node if node.op_type == "Split"]:
        times = makers.get(split.input[0])
        if times is None or times.op_type != "Mul":
            continue
        kinds = {maker.op_type: maker for name in times.input if (maker := makers.get(name)) is not None}
        if kinds.keys() != {"Conv", "Sigmoid"} or kinds["Sigmoid"].input[0] != kinds["Conv"].output[0]:
            continue
        whole = kinds["Conv"]
        ends = np.cumsum(numpy_helper.to_array(tensors[split.input[1]]))[:-1]
        tables = [np.split(numpy_helper.to_array(tensors[name]), ends) for name in whole.input[1:]]
        place = list(graph.node).index(whole)
        for number, (out, *parts) in enumerate(zip(split.output, *tables, strict=True)):
            names = [f"{name}{PART}{number}" for name in whole.input[1:]]
            graph.initializer.extend(numpy_helper.from_array(*pair) for pair in zip(parts, names, strict=True))
            conv = helper.make_node("Conv", [whole.input[0], *names], [f"{out}.sums"], name=f"{out}.conv")
            conv.attribute.extend(whole.attribute)
            sigmoid = helper.make_node("Sigmoid", [f"{out}.sums"], [f"{out}.gate"])
            for node in (helper.make_node("Mul", [f"{out}.sums", f"{out}.gate"], [out]), sigmoid, conv):
                graph.node.insert(place, node)
        graph.node.remove(split)
    _prune(graph)


def _enlarge_late(model: Any) -> None:
    """Move 1x1 convolutions before the upsampling and the concatenation that precede them, in place.

    Upsampling repeats values, so a 1x1 convolution gives the same result before it, with a quarter of the work. The
    convolution of a concatenation is the sum of the convolutions of its parts.
    """
    from onnx import helper, numpy_helper, shape_inference

    graph = model.graph
    makers = {name: node for node in graph.node for name in node.output}
    tensors = {tensor.name: tensor for tensor in graph.initializer}
    shapes = {
        value.name: value.type.tensor_type.shape for value in shape_inference.infer_shapes(model).graph.value_info
    }
    for conv in [node for node in graph.node if node.op_type == "Conv"]:
        joined, weights = makers.get(conv.input[0]), numpy_helper.to_array(tensors[conv.input[1]])
        if joined is None or joined.op_type != "Concat" or weights.shape[2:] != (1, 1):
            continue
        growing = {name: node for name in joined.input if (node := makers.get(name)) and node.op_type == "Resize"}
        if not growing:
            continue
        ends = np.cumsum([shapes[name].dim[1].dim_value for name in joined.input])[:-1]
        made, sums = [], []
        for number, (name, share) in enumerate(zip(joined.input, np.split(weights, ends, axis=1), strict=True)):
            table, out = f"{conv.input[1]}{SHARE}{number}", f"{conv.output[0]}{SHARE}{number}"
            graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(share), table))
            taken, grown = growing[name].input[0] if name in growing else name, [out]
            if name in growing:
                grown = [f"{out}.small"]
                enlarged = helper.make_node("Resize", [*grown, *growing[name].input[1:]], [out], name=f"{out}.enlarged")
                enlarged.attribute.extend(growing[name].attribute)
                made.append(enlarged)
            offset = conv.input[2:] if number == 0 else []
            part = helper.make_node("Conv", [taken, table, *offset], grown, name=f"{out}.conv")
            part.attribute.extend(conv.attribute)
            made.append(part)
            sums.append(out)
        place = list(graph.node).index(conv)
        graph.node.remove(conv)
        for node in (helper.make_node("Sum", sums, list(conv.output), name=f"{conv.output[0]}.sum"), *made):
            graph.node.insert(place, node)
    _prune(graph)


def fill_blocks(path: Path) -> None:
    """Pad the output channels of convolutions with zeros to whole blocks, in place: faster, and the same result.

    onnxruntime pads blocks too, but then it cannot pool them and reorders the tensor twice. The metadata key `FILLED`
    holds the share of useful arithmetic.
    """
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(path)
    tensors = {tensor.name: tensor for tensor in model.graph.initializer}
    shares: dict[str, float] = {}

    def widen(name: str, axis: int, more: int) -> None:
        array = numpy_helper.to_array(tensors[name])
        edges = [(0, more if at == axis else 0) for at in range(array.ndim)]
        tensors[name].CopyFrom(numpy_helper.from_array(np.pad(array, edges), name))

    for conv in [node for node in model.graph.node if node.op_type == "Conv"]:
        channels = tensors[conv.input[1]].dims[0]
        more = -channels % _BLOCK
        reached, takers = _reached(model.graph, conv.output[0])
        if not more or {node.op_type for node in takers} != {"Conv"}:
            continue
        for name in conv.input[1:]:
            widen(name, 0, more)
        for taker in takers:
            widen(taker.input[1], 1, more)
        for node in (conv, *takers):
            shares[node.name] = shares.get(node.name, 1.0) * channels / (channels + more)
        for value in [value for value in model.graph.value_info if value.name in reached]:
            model.graph.value_info.remove(value)
    helper.set_model_props(model, {FILLED: json.dumps(shares)})
    onnx.checker.check_model(model)
    onnx.save(model, path)


def _reached(graph: Any, name: str) -> tuple[set[str], list[Any]]:
    """The tensors that the channels of a tensor reach channel by channel, and the nodes that mix these channels."""
    reached, takers, waiting = {name}, [], [name]
    while waiting:
        here = waiting.pop()
        for node in [node for node in graph.node if here in node.input]:
            if node.op_type not in _BY_CHANNEL:
                takers.append(node)
            elif node.output[0] not in reached:
                reached.add(node.output[0])
                waiting.append(node.output[0])
    return reached, takers


def _prune(graph: Any) -> None:
    """Remove nodes and weights that nothing uses."""
    while True:
        used = {name for node in graph.node for name in node.input} | {output.name for output in graph.output}
        dead = [node for node in graph.node if used.isdisjoint(node.output)]
        for node in dead:
            graph.node.remove(node)
        if not dead:
            break
    for tensor in [tensor for tensor in graph.initializer if tensor.name not in used]:
        graph.initializer.remove(tensor)


def difference_to(weights: Path, onnx: Path, size_hw: tuple[int, int]) -> float:
    """The largest difference between an ONNX file and the weights in torch: scores 0-1, boxes in input widths."""
    import torch

    from tilescore.models.training.yolo import YOLO

    height, width = size_hw
    picture = np.random.default_rng(0).random((1, 3, height, width), np.float32)
    with torch.no_grad():
        expected = YOLO(str(weights)).model.float().eval()(torch.from_numpy(picture))[0].numpy()
    session = load_onnxruntime().InferenceSession(str(onnx), providers=["CPUExecutionProvider"])
    got = session.run(None, {session.get_inputs()[0].name: picture})[0]
    scale = np.ones((1, expected.shape[1], 1), np.float32)
    scale[:, :4] = max(size_hw)
    return float(np.abs((got - expected) / scale).max())
