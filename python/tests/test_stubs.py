"""The stubs have what the package has, with the same arguments; everything has a description, and it is that of the stubs."""

import ast
import inspect
import pathlib

import pytest

import taut

FOLDER = pathlib.Path(taut.__file__).parent


def stubs(file):
    """Names of the top level; of classes their members, of functions their arguments."""
    tree = ast.parse((FOLDER / file).read_text())
    out = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            out[node.name] = {}
            for m in node.body:
                if isinstance(m, ast.FunctionDef) and not any(isinstance(d, ast.Attribute) for d in m.decorator_list):
                    out[node.name][m.name] = m
                elif isinstance(m, ast.AnnAssign):
                    out[node.name][m.target.id] = m
        elif isinstance(node, ast.FunctionDef):
            out[node.name] = node
    return out


def arguments(function):
    a = function.args
    names = [x.arg for x in [*a.posonlyargs, *a.args, *a.kwonlyargs]]
    return [n for n in names if n != "self"], a.kwarg is not None


CASES = [("__init__.pyi", taut), ("soft.pyi", taut.soft), ("rerun.pyi", taut.rerun)]


@pytest.mark.parametrize("file, module", CASES, ids=lambda x: getattr(x, "__name__", x))
def test_every_public_name_is_in_the_stubs_with_its_arguments(file, module):
    known = stubs(file)
    public = [n for n in dir(module) if not n.startswith("_") and not inspect.ismodule(getattr(module, n))]
    missing = []
    for name in public:
        thing = getattr(module, name)
        if isinstance(thing, type) and issubclass(thing, BaseException):
            continue
        if name not in known:
            missing.append(name)
            continue
        members = [(name, thing, known[name])]
        if isinstance(thing, type):
            members = [(f"{name}.{m}", getattr(thing, m), known[name].get(m)) for m in vars(thing) if not m.startswith("_")]
        for label, member, stub in members:
            if stub is None:
                missing.append(label)
            elif callable(member) and isinstance(stub, ast.FunctionDef) and not isinstance(member, type):
                given = inspect.signature(member).parameters.values()
                names = [p.name for p in given if p.kind != p.VAR_KEYWORD and p.name not in ("self", "world") or label in ("run", "log")]
                stubbed = [n for n in arguments(stub)[0]]
                assert stubbed == names, label
    assert not missing


@pytest.mark.parametrize("file, module", CASES, ids=lambda x: getattr(x, "__name__", x))
def test_the_stubs_have_nothing_else(file, module):
    for name, members in stubs(file).items():
        if name.startswith("_") or isinstance(members, ast.FunctionDef):
            assert name.startswith("_") or hasattr(module, name), name
        elif hasattr(module, name):
            odd = [m for m in members if not hasattr(getattr(module, name), m)]
            assert not odd or name == "Record", (name, odd)
        else:
            # What the engine tells: its type is a record at run time.
            assert isinstance(members, dict) and members, name


def test_everything_has_a_description():
    bare = []
    for module in (taut, taut.soft):
        for name in dir(module):
            thing = getattr(module, name)
            if name.startswith("_") or inspect.ismodule(thing):
                continue
            bare += [] if thing.__doc__ else [name]
            if isinstance(thing, type):
                members = [m for m in vars(thing) if not m.startswith("_")]
                bare += [f"{name}.{m}" for m in members if not getattr(vars(thing)[m], "__doc__", None)]
    assert not bare


def test_the_records_of_the_stubs_are_those_of_a_step():
    report = taut.scene("chain").step()
    for name, record in (("StepReport", report), ("Energy", report.energy), ("Ledger", report.ledger), ("BoundedReport", report.bounded)):
        assert record.kind == name
        assert set(stubs("__init__.pyi")[name]) == set(dir(record)) - {"kind", "to_dict"}, name
