"""Take what tells of this machine out of the interpreter: paths, arguments, environment, our own modules.

This hides the host's layout from curiosity; it is no wall, and none relies on it.
"""

from __future__ import annotations

import _imp
import builtins
import gc
import importlib.abc
import importlib.machinery
import os
import platform
import sys
import types
from collections.abc import Sequence
from typing import Final

LIBRARY_ROOT: Final = "lib"
OUR_PACKAGE: Final = "grader"
OUR_NAME: Final = "sandbox"
SITE_MODULES: Final = ("site", "sitecustomize", "usercustomize", "_distutils_hack")
SITE_BUILTINS: Final = ("copyright", "credits", "license")


class NothingMore(importlib.abc.MetaPathFinder):
    """Answers an import of what was not loaded in time."""

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,  # noqa: ARG002 -- the protocol's name
        target: types.ModuleType | None = None,  # noqa: ARG002 -- the protocol's name
    ) -> importlib.machinery.ModuleSpec | None:
        """Say in the words of an ordinary import error that the module is not here."""
        raise ModuleNotFoundError(f"No module named {fullname!r} in the sandbox", name=fullname)


def put_on() -> None:
    """Do all of it, once, after the last import of our own."""
    roots = sorted({path for path in sys.path if path} | {os.path.dirname(os.__file__)}, key=len, reverse=True)  # noqa: PTH120
    for name in [*SITE_MODULES, *(name for name in sys.modules if name.split(".")[0] == OUR_PACKAGE)]:
        sys.modules.pop(name, None)
    # What Python itself calls when it finds compiled code that has moved; nested code is changed along.
    fix_file_name = vars(_imp)["_fix_co_filename"]
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType):
            fix_file_name(thing.__code__, _neutral(thing.__code__.co_filename, roots))
    for module in list(sys.modules.values()):
        if isinstance(module, types.ModuleType):
            _hide_origin(module, roots)
    for name in SITE_BUILTINS:
        vars(builtins).pop(name, None)
    _hide_interpreter()


def _neutral(path: str, roots: Sequence[str]) -> str:
    if f"/{OUR_PACKAGE}/" in path:
        return OUR_NAME
    for root in roots:
        if path.startswith(root):
            return LIBRARY_ROOT + path[len(root) :]
    return path


def _hide_origin(module: types.ModuleType, roots: Sequence[str]) -> None:
    names = vars(module)
    for key in ("__file__", "__cached__"):
        if isinstance(names.get(key), str):
            names[key] = _neutral(names[key], roots)
    if "__path__" in names:
        names["__path__"] = []
    names["__loader__"] = None
    spec = names.get("__spec__")
    if isinstance(spec, importlib.machinery.ModuleSpec):
        is_package = spec.submodule_search_locations is not None
        names["__spec__"] = importlib.machinery.ModuleSpec(module.__name__, None, is_package=is_package)


def _hide_interpreter() -> None:
    sys.argv[:] = [""]
    sys.orig_argv[:] = [""]
    sys.path[:] = []
    sys.path_hooks.clear()
    sys.path_importer_cache.clear()
    sys.meta_path[:] = [importlib.machinery.BuiltinImporter, importlib.machinery.FrozenImporter, NothingMore()]
    vars(sys).update(executable="", _base_executable="", _home=None, _stdlib_dir=None)
    sys.prefix = sys.exec_prefix = sys.base_prefix = sys.base_exec_prefix = "/"
    sys.modules["__main__"] = types.ModuleType("__main__")
    os.environ.clear()
    vars(platform)["_uname_cache"] = None
