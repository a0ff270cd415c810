"""Code that may cheat, found by reading it: nothing is run.

Read are the student's answers and own cells. What is found is no proof, and nothing found is no
proof either: Python has too many ways. A person looks at what is told here.
"""

import ast
import builtins
import pkgutil
import re
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from IPython.core.inputtransformer2 import TransformerManager
from nbformat import NotebookNode

import dtviz
from homework.assignments import Assignment
from homework.findings import Finding

_SHOWN_OF = 60  # characters of a command

MAX_SCANNED = 100_000
"""Characters of code that are read; more is no homework and is told."""

MAX_TOLD = 20
"""Findings of one cell that are told."""

# IPython reads a cell again for every magic in it.
_MAX_TRANSFORMED = 10_000  # characters
_MAX_ESCAPED = 50  # lines of a cell
_ESCAPED = re.compile(r"^\s*[%!?/,;]|[?]\s*$|=\s*[%!]|^\s*(?:>>>|In \[)", re.MULTILINE)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MODULES = _words(
    """
    _ctypes _imp _io _posixsubprocess _pytest _socket _thread asyncio atexit bdb builtins cffi
    cloudpickle code codeop concurrent ctypes dill faulthandler forbiddenfruit ftplib gc glob
    homework http imp importlib inspect ipykernel joblib jupyter_client linecache marshal mmap
    mock multiprocessing nbclient nbformat nbgrader nt os pdb pickle pip pkgutil posix psutil
    pty pytest requests resource runpy sched select selectors shelve shutil signal site socket
    socketserver sqlite3 ssl subprocess sysconfig tempfile threading trace tracemalloc urllib
    zipimport zmq
    """
)
"""Modules that an answer has no use for, by which tests or the machine can be reached."""

_ATTRIBUTES = {
    "sys": _words(
        """
        __displayhook__ __excepthook__ __stderr__ __stdout__ _current_frames _getframe
        _getframemodulename addaudithook displayhook excepthook executable meta_path
        modules monitoring path path_hooks path_importer_cache setprofile settrace
        """
    ),
    "io": frozenset({"FileIO", "open", "open_code"}),
    "traceback": frozenset({"extract_stack", "walk_stack", "walk_tb"}),
    "types": frozenset({"CodeType", "FrameType", "FunctionType", "ModuleType"}),
    "numpy": _words(
        "DataSource ctypeslib fromfile genfromtxt load loadtxt memmap save savetxt savez"
    ),
    "pandas": _words("read_csv read_excel read_json read_pickle read_table"),
    "matplotlib.pyplot": frozenset({"imread"}),
    "unittest": frozenset({"mock"}),
}
"""Of modules that have honest uses, what reaches tests, frames or files."""

_REACHED = _words("builtins ctypes gc importlib inspect linecache os subprocess sys threading")
"""Modules that other modules hold as attributes."""

_ANYWHERE = _words(
    """
    __builtins__ __closure__ __code__ __globals__ __loader__ __subclasses__ _getframe ag_frame
    ast_transformers cr_frame f_back f_builtins f_code f_globals f_locals gi_frame
    input_transformer_manager input_transformers_cleanup input_transformers_post read_bytes
    read_text tb_frame tb_next user_global_ns user_ns
    """
)
"""Attributes that reach frames, the shell or files, whatever they are of."""

METHODS = _words(
    """
    __array__ __array_function__ __array_interface__ __array_priority__ __array_struct__
    __array_ufunc__ __array_wrap__ __bool__ __class__ __complex__ __eq__ __float__ __ge__
    __getattribute__ __gt__ __index__ __instancecheck__ __int__ __le__ __lt__ __ne__
    __round__ __subclasscheck__
    """
)
"""Methods by which an object can claim to be, or to equal, what it is not."""

_CALLED = frozenset({"__import__", "compile", "eval", "exec", "open"})
_SHELL = _words("In Out _dh _i _ih _ii _iii _oh __builtins__ __loader__ __spec__ get_ipython")
_CHANGES = _words("__delitem__ __ior__ __setitem__ clear pop popitem setdefault update")
_READS = _words("get items keys values copy __contains__ __getitem__")
# Names that students use for things of their own, and no test relies on.
_OFTEN_OWN = _words(
    "copyright credits dir exit help id input license quit __doc__ __name__ __debug__"
)
_BUILTINS = frozenset(dir(builtins)) - _OFTEN_OWN
_HARMLESS_MAGICS = _words(
    "colors config matplotlib pinfo pinfo2 pprint precision who who_ls whos xmode"
)
_TIMERS = frozenset({"capture", "time", "timeit"})

# What the chapters use themselves: the facade, and these modules by their names.
_SHOWN = frozenset(dtviz.__all__)
_INNER = frozenset(module.name for module in pkgutil.iter_modules(dtviz.__path__)) - _SHOWN


_Told = Iterator[tuple[int, str]]


@dataclass
class _Names:
    """What names stand for in a notebook, as its imports say; and which give an answer away."""

    paths: dict[str, str] = field(default_factory=dict)
    starred: bool = False

    def path(self, node: ast.expr) -> str:
        """What a name, or an attribute of one, stands for; ``""`` if it was not imported."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.paths:
            return ""
        return ".".join([self.paths[node.id], *reversed(parts)])

    def learn(self, tree: ast.AST) -> None:
        """Take in the imports of a cell, and further names for modules and classes."""
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.name if alias.asname else alias.name.partition(".")[0]
                    self.paths[alias.asname or whole] = whole
            elif isinstance(node, ast.ImportFrom) and not node.level:
                for alias in node.names:
                    if alias.name == "*":
                        self.starred = self.starred or node.module == "dtviz"
                    self.paths[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            elif isinstance(node, ast.Assign):
                path = self.path(node.value)
                named = isinstance(node.value, ast.Name) or path.rpartition(".")[2].istitle()
                names = [t.id for t in node.targets if isinstance(t, ast.Name)]
                self.paths |= dict.fromkeys(names if path and named else (), path)


@dataclass(frozen=True)
class _Code:
    """A cell of the student's that could be read."""

    cell: str
    where: str
    tree: ast.Module
    without: frozenset[str]
    answer: bool


def suspicions(notebook: NotebookNode, assignment: Assignment) -> tuple[Finding, ...]:
    """Code in a submission that may cheat.

    Parameters
    ----------
    notebook : NotebookNode
        What `homework.restore.restore` gave: cells of ours have nbgrader's metadata, the student's
        own have none.
    assignment : Assignment
        What it answers.

    Returns
    -------
    tuple of Finding
        Of kind ``"suspicious"``, each with the line it is about.
    """
    findings: list[Finding] = []
    codes: list[_Code] = []
    names, reader = _Names(), _Reader()
    after, own = "", 0
    for cell in notebook.cells:
        ours = cell.metadata.get("nbgrader", {})
        name = ours.get("grade_id", "")
        own, after = (0, name) if name else (own + 1, after)
        if cell.cell_type != "code":
            continue
        if name and not ours.get("solution"):
            names.learn(_parsed(cell.source))
            continue
        tree, told = reader.read(cell.source)
        if tree is not None:
            names.learn(tree)
        where = "" if name else f"the student's own cell {own} after {after or 'the beginning'}, "
        findings += [Finding("suspicious", name, where + message) for message in told]
        if tree is not None:
            question = assignment.question_of(name or after)
            without = frozenset(question.without if question else ())
            codes.append(_Code(name, where, tree, without, bool(name)))
    carried = _carriers(codes, names)
    for code in codes:
        lines = sorted({*_scan(code.tree, names), *_given_away(code, names, carried)})
        shown = [f"line {line}: {message}" for line, message in lines[:MAX_TOLD]]
        if len(lines) > MAX_TOLD:
            shown.append(f"and {len(lines) - MAX_TOLD} more")
        findings += [Finding("suspicious", code.cell, code.where + message) for message in shown]
    return tuple(findings)


# -- reading a cell --------------------------------------------------------------------------------


@dataclass
class _Reader:
    """Reads cells as Python, up to a number of characters: no submission may take all our time."""

    left: int = MAX_SCANNED
    left_to_transform: int = _MAX_TRANSFORMED
    unread: int = 0

    def read(self, source: str) -> tuple[ast.Module | None, list[str]]:
        """A cell as Python, or else what is to be told of it.

        A cell that is no Python even for IPython does not run: it is no suspicion.
        """
        if len(source) > self.left:
            return None, self._untouched(f"more than {MAX_SCANNED} characters of code")
        self.left -= len(source)
        try:
            return _parsed(source), []
        except (RecursionError, MemoryError):
            return None, self._untouched("the code is nested too deeply")
        except (SyntaxError, ValueError):
            return self._as_ipython(source)

    def _as_ipython(self, source: str) -> tuple[ast.Module | None, list[str]]:
        escaped = len(_ESCAPED.findall(source))
        if not escaped:
            return None, []
        if len(source) > self.left_to_transform or escaped > _MAX_ESCAPED:
            return None, self._untouched("too many magics")
        self.left_to_transform -= len(source)
        try:
            return _parsed(_transformed(source)), []
        except (SyntaxError, ValueError, RuntimeError, MemoryError):
            return None, []

    def _untouched(self, reason: str) -> list[str]:
        self.unread += 1
        return [f"{reason}: the cell was not read"] if self.unread <= MAX_TOLD else []


def _transformed(source: str) -> str:
    """A cell as IPython gives it to Python."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return TransformerManager().transform_cell(source)  # type: ignore[no-untyped-call]


def _parsed(source: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


# -- what is told ----------------------------------------------------------------------------------


def _scan(tree: ast.Module, names: _Names) -> _Told:
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    bound = {name for node in ast.walk(tree) for name in _bound_by(node)}
    bound |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    yield from _rebound(tree)
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for message in _of_node(node, names, parents, bound):
            yield line, message


def _stored(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Store | ast.Del)


def _of_node(
    node: ast.AST, names: _Names, parents: dict[ast.AST, ast.AST], bound: set[str]
) -> Iterator[str]:
    match node:
        case ast.Import() | ast.ImportFrom():
            yield from _of_import(node)
        case ast.Attribute():
            yield from _of_attribute(node, names)
        case ast.Name():
            yield from _of_name(node, parents, bound)
        case ast.Call():
            yield from _of_call(node, names)
        case ast.Subscript() if _stored(node) and names.path(node.value).endswith(".__dict__"):
            yield f"writes into {names.path(node.value)}"
        case ast.ClassDef():
            for method in _methods(node):
                yield f"the class {node.name} defines {method}"
        case ast.Constant(value=str(text)) if text in METHODS | _ANYWHERE | {"get_ipython"}:
            yield f"names {text} in a string"


def _of_import(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    given = [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        yield from _of_module(node.module or "", given)
    else:
        yield from (message for module in given for message in _of_module(module, []))


def _of_module(module: str, given: list[str]) -> Iterator[str]:
    top, _, rest = module.partition(".")
    inner = rest.partition(".")[0]
    if top in MODULES:
        yield f"imports {module}"
    elif top == "IPython":
        if module != "IPython.display" and not (module == "IPython" and given == ["display"]):
            yield f"imports {module}"
    elif top == "dtviz":
        yield from (f"imports dtviz.{n}" for n in (inner, *given) if n in _INNER)
        yield from (f"imports {module}.{n}" for n in given if n.startswith("_"))
    elif f"{top}.{inner}" == "unittest.mock":
        yield f"imports {module}"
    else:
        yield from (f"imports {module}.{n}" for n in given if n in _ATTRIBUTES.get(module, ()))


def _of_attribute(node: ast.Attribute, names: _Names) -> Iterator[str]:
    path = names.path(node)
    owner, _, name = path.rpartition(".")
    if _stored(node):
        if path:
            yield f"assigns to {path}"
        elif node.attr in METHODS:
            yield f"assigns to {node.attr} of an object"
    elif node.attr in _ANYWHERE:
        yield f"uses the attribute {node.attr}"
    elif owner and _reaching(owner, name):
        yield f"uses {path}"
    elif owner == "dtviz" and (name in _INNER or re.match(r"_[^_]", name)):
        yield f"uses {path} of the library's inside"


def _reaching(owner: str, name: str) -> bool:
    """Whether an attribute of what was imported reaches tests, frames, files or other modules."""
    within = name in _ATTRIBUTES.get(owner, ())
    return within or name == "__dict__" or name.lstrip("_") in _REACHED


def _of_name(node: ast.Name, parents: dict[ast.AST, ast.AST], bound: set[str]) -> Iterator[str]:
    if _stored(node):
        return
    if node.id in _CALLED:
        yield f"uses {node.id}"
    elif node.id in {"delattr", "setattr"}:
        call = parents[node]
        if not isinstance(call, ast.Call) or call.func is not node:
            yield f"uses {node.id} other than by calling it"
    elif node.id in _SHELL - bound:
        yield from _of_shell(node, parents)
    elif node.id in {"globals", "locals", "vars"} - bound:
        call = parents[node]
        if not isinstance(call, ast.Call) or call.func is not node:
            yield f"uses {node.id} other than by calling it"
        elif node.id == "globals" and not call.args and not _only_read(call, parents):
            yield "may write into globals()"
        elif _written(call, parents):
            yield f"writes into {node.id}()"


def _only_read(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> bool:
    """Whether a dictionary of names is but looked into."""
    match parents[call]:
        case ast.Subscript() as item:
            return not _stored(item)
        case ast.Attribute() as method:
            return method.attr in _READS
        case ast.Compare() | ast.For() | ast.comprehension() | ast.Expr():
            return True
        case ast.Call(func=ast.Name(id="len" | "list" | "print" | "set" | "sorted")):
            return True
    return False


def _written(call: ast.Call, parents: dict[ast.AST, ast.AST]) -> bool:
    match parents[call]:
        case ast.Subscript() as item:
            return _stored(item)
        case ast.Attribute() as method:
            return method.attr in _CHANGES
        case ast.AugAssign():
            return True
    return False


def _of_shell(node: ast.Name, parents: dict[ast.AST, ast.AST]) -> Iterator[str]:
    """IPython's own names; where it wrote them itself, the magic that stood there."""
    method = parents.get(parents[node])
    run = parents.get(method) if method is not None else None
    if not isinstance(method, ast.Attribute) or not isinstance(run, ast.Call):
        yield f"uses {node.id}"
        return
    words = [str(a.value) if isinstance(a, ast.Constant) else "" for a in run.args] or [""]
    if method.attr in {"system", "getoutput"}:
        yield f"runs the shell command {words[0][:_SHOWN_OF]!r}"
    elif method.attr not in {"run_line_magic", "run_cell_magic"}:
        yield f"uses {node.id}().{method.attr}"
    elif words[0] in _TIMERS:
        yield from _timed(words)
    elif words[0] not in _HARMLESS_MAGICS:
        yield f"runs the magic {words[0][:_SHOWN_OF]}"


def _timed(words: Sequence[str]) -> Iterator[str]:
    """What is to be told of the code whose time a magic takes."""
    body = words[-1]
    if len(words) == 2:  # a line: options stand before the code
        body = re.sub(r"^\s*(?:-\w+\s*\d*\s+)*", "", body)
    try:
        tree = _parsed(body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        yield f"runs the magic {words[0]} on what is no Python"
        return
    names = _Names()
    names.learn(tree)
    # Its imports may stand in other cells: the usual names are taken for what they usually are.
    names.paths = {"np": "numpy", "dt": "dtviz", "plt": "matplotlib.pyplot"} | names.paths
    yield from (message for _, message in _scan(tree, names))


def _of_call(node: ast.Call, names: _Names) -> Iterator[str]:
    called = node.func.id if isinstance(node.func, ast.Name) else ""
    method = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    target = names.path(node.args[0]) if node.args else ""
    if called in {"setattr", "delattr"} or method in {"__setattr__", "__delattr__"}:
        receiver = names.path(node.func.value) if isinstance(node.func, ast.Attribute) else ""
        if changed := target or receiver:
            yield f"sets an attribute of {changed}"
        elif node.args and isinstance(node.args[0], ast.Call):
            yield f"sets an attribute by {called or method}"
    elif called == "vars" and target:
        yield f"uses vars of {target}"
    elif called == "getattr" and target and len(node.args) > 1:
        yield from _of_getattr(target, node.args[1])
    elif method == "open" and names.path(node.func).partition(".")[0] in {"", "pathlib"}:
        yield "opens a file"


def _of_getattr(target: str, name: ast.expr) -> Iterator[str]:
    word = name.value if isinstance(name, ast.Constant) else None
    if isinstance(word, str):
        if _reaching(target, word):
            yield f"uses {target}.{word}"
    elif target in {*_ATTRIBUTES, "dtviz"}:
        yield f"takes an attribute of {target} by a computed name"


def _methods(node: ast.ClassDef) -> Iterator[str]:
    for part in node.body:
        match part:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                found = [name]
            case ast.Assign(targets=targets):
                found = [t.id for t in targets if isinstance(t, ast.Name)]
            case ast.AnnAssign(target=ast.Name(id=name)):
                found = [name]
            case _:
                found = []
        yield from (name for name in found if name in METHODS)


def _rebound(tree: ast.Module) -> _Told:
    """Built-in names that a cell gives to something else, for all cells after it."""
    shared = {n for node in ast.walk(tree) if isinstance(node, ast.Global) for n in node.names}
    for node, top in _scoped(tree):
        for name in _bound_by(node):
            if name in _BUILTINS and (top or name in shared):
                yield (
                    getattr(node, "lineno", 0),
                    f"rebinds the built-in name {name}",
                )


def _scoped(tree: ast.AST) -> Iterator[tuple[ast.AST, bool]]:
    """All nodes, and whether what they bind is bound in the notebook itself."""
    waiting: list[tuple[ast.AST, bool]] = [(tree, True)]
    local = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.comprehension)
    while waiting:
        node, top = waiting.pop()
        yield node, top
        inner = top and not isinstance(node, local)
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]


def _bound_by(node: ast.AST) -> list[str]:
    """The names that a node itself binds."""
    match node:
        case ast.Name(id=name) if _stored(node):
            return [name]
        case ast.alias(name=name, asname=asname):
            return [asname or name.partition(".")[0]]
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            return [node.name]
        case ast.ExceptHandler() | ast.MatchAs() | ast.MatchStar() if node.name:
            return [node.name]
    return []


# -- the library's own function --------------------------------------------------------------------


def _given_away(code: _Code, names: _Names, carried: dict[str, frozenset[str]]) -> _Told:
    """Uses in an answer of functions that would give it away, and of names that carry one."""
    if not code.answer:
        return
    own = {name for node in ast.walk(code.tree) for name in _bound_by(node)}
    for node in ast.walk(code.tree):
        for name in _named(node, code.without, names, own):
            yield (
                getattr(node, "lineno", 0),
                f"uses dtviz.{name}, not at hand here",
            )
        if isinstance(node, ast.Name) and not _stored(node) and node.id not in own:
            for name in sorted(carried.get(node.id, frozenset()) & code.without):
                yield node.lineno, f"uses {node.id}, which holds dtviz.{name} by another cell"


def _named(node: ast.AST, wanted: frozenset[str], names: _Names, own: set[str]) -> list[str]:
    """The wanted functions of `dtviz` that a node names."""
    found: list[str] = []
    match node:
        case ast.ImportFrom(module=str(module)) if module.partition(".")[0] == "dtviz":
            found = [alias.name for alias in node.names]
        case ast.Attribute(attr=attr) if names.path(node).startswith("dtviz."):
            found = [attr]
        case ast.Name(id=word) if not _stored(node) and names.starred and word not in own:
            found = [word]
        case ast.Call(func=ast.Name(id="getattr"), args=[it, ast.Constant(value=str(word)), *_]):
            found = [word] if names.path(it).partition(".")[0] == "dtviz" else []
    return [name for name in found if name in wanted]


def _carriers(codes: list[_Code], names: _Names) -> dict[str, frozenset[str]]:
    """Names by which cells of the student's own hold functions of `dtviz`, or users of them.

    To compare with the library in a cell of one's own is honest; to take it into an answer is not.
    """
    every = frozenset[str]().union(*(code.without for code in codes))
    carried = {
        name: frozenset({path.rpartition(".")[2]}) & every
        for name, path in names.paths.items()
        if path.startswith("dtviz.")
    }
    made: list[tuple[list[str], frozenset[str], set[str]]] = []
    for statement in (s for code in codes if not code.answer for s in code.tree.body):
        bound = [n for node, top in _scoped(statement) if top for n in _bound_by(node)]
        if bound and not isinstance(statement, ast.Import | ast.ImportFrom):
            kept = list(_kept(statement))
            held = (name for node in kept for name in _named(node, every, names, set()))
            made.append((bound, frozenset(held), {n.id for n in kept if isinstance(n, ast.Name)}))
    for _ in range(3):  # a carrier of a carrier of a carrier is enough
        for bound, direct, used in made:
            through = (carried[name] for name in used if name in carried)
            if held_now := direct.union(*through):
                carried |= {name: carried.get(name, frozenset()) | held_now for name in bound}
    return carried


def _kept(statement: ast.stmt) -> Iterator[ast.AST]:
    """What a statement keeps: all of a function, of other code what it does not call at once."""
    waiting: list[ast.AST] = [statement]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            yield from ast.walk(node)
            continue
        yield node
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            waiting += [*node.args, *node.keywords]
        else:
            waiting += ast.iter_child_nodes(node)
