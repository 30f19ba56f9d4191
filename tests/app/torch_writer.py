"""What torch.save pickles, written without PyTorch: tensors that name their storage."""

import collections
import io
import pickle
import sys
import types


class Stub:
    """A name of torch's, which pickle writes without torch."""


def stub(module, name):
    made = type(name, (Stub,), {}) if name[0].isupper() else types.FunctionType((lambda: None).__code__, {}, name)
    made.__module__, made.__qualname__ = module, name
    sys.modules.setdefault(module, types.ModuleType(module))
    setattr(sys.modules[module], name, made)
    return made


class Held:
    def __init__(self, what):
        self.what = what


class Tensor:
    def __init__(self, key, kind, count, offset, shape, strides):
        self.storage, self.rest = ("storage", kind, key, "cpu", count), (offset, shape, strides, False, collections.OrderedDict())

    def __reduce__(self):
        return sys.modules["torch._utils"]._rebuild_tensor_v2, (Held(self.storage), *self.rest)


class Pickler(pickle.Pickler):
    def persistent_id(self, value):
        return value.what if isinstance(value, Held) else None


def pickled(tensors, protocol):
    """A dict of tensors, each given as the arguments of Tensor without its type, which is float32."""
    stub("torch._utils", "_rebuild_tensor_v2")
    kind = stub("torch", "FloatStorage")
    out = io.BytesIO()
    Pickler(out, protocol).dump(collections.OrderedDict((name, Tensor(key, kind, *rest)) for name, (key, *rest) in tensors.items()))
    for module in ("torch._utils", "torch"):  # PyTorch itself can be imported now
        del sys.modules[module]
    return out.getvalue()
