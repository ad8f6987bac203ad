"""What may a PTX program do?

`litmus` decides a litmus test, `check` the properties of a kernel launch, `states` finds the final states of a launch.
`compare` compares a program with its source, `fences` says which fences and qualifiers a program needs, and `run`
executes a launch once. Each takes a text, or the path of a file as a `pathlib.Path`, and raises `Error` for an input without an answer.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _ptxmc
from ._ptxmc import Launch, LitmusTest, Model

__all__ = [
    "Annotation", "Assignment", "Buffer", "Call", "Change", "Comparison", "Diagnostic", "Error", "Event", "Execution",
    "FenceAnswer", "Finding", "Launch", "LaunchAnswer", "LitmusAnswer", "LitmusTest", "Model", "Place", "Progress",
    "RunAnswer", "RunFinding", "State", "StatesAnswer", "check", "compare", "fences", "litmus", "model_names",
    "parse_launch", "parse_litmus", "read_launch", "read_litmus", "run", "states",
]

__version__: str = _ptxmc.version()


@dataclass(frozen=True)
class Diagnostic:
    """A sentence about a position in an input. Line 0: the whole file."""

    file: str
    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}" if self.line else f"{self.file}: {self.message}"


class Error(Exception):
    """Why an input has no answer.

    `kind` is "wrong input", "unsupported", "limit", "disagreement" (of the engines) or "internal". `diagnostics` has
    every mistake that was found, the first of which the error is.
    """

    def __init__(self, kind: str, file: str, line: int, column: int, message: str,
                 diagnostics: Sequence[dict[str, Any]] = ()) -> None:
        super().__init__(str(Diagnostic(file, line, column, message)))
        self.kind = kind
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.diagnostics = [Diagnostic(**one) for one in diagnostics]


@dataclass(frozen=True)
class Progress:
    """How far a decision is. `stage` is "preparing", "exploring" or "solving"."""

    stage: str
    seconds: float
    estimated_executions: float
    executions: int


@dataclass(frozen=True)
class Event:
    """One operation of one thread in an execution. `thread` is empty for initial writes."""

    kind: str
    thread: str
    instruction: str
    line: int
    column: int
    address: Optional[int]
    location: str
    size: int
    value: str
    order: str
    scope: str


class Execution:
    """An execution that the model allows. A notebook shows its picture, which needs the program `dot` of Graphviz."""

    def __init__(self, inner: _ptxmc.Execution) -> None:
        self._inner = inner
        self.events: list[Event] = [Event(**event) for event in inner.events()]
        self.relations: dict[str, list[tuple[int, int]]] = inner.relations()

    def svg(self) -> str:
        """The picture as SVG. Raises Error if Graphviz is missing."""
        return self._inner.svg()

    def dot(self) -> str:
        """The picture in the language of Graphviz."""
        return self._inner.dot()

    def text(self) -> str:
        """The picture as plain text."""
        return self._inner.text()

    def as_dict(self) -> dict[str, Any]:
        """Events and relations as dictionaries and lists."""
        return {"events": [dataclasses.asdict(event) for event in self.events], "relations": self.relations}

    def _repr_svg_(self) -> Optional[str]:
        try:
            return self.svg()
        except Error:
            return None  # the text is shown

    def __repr__(self) -> str:
        return self.text()


def _execution(inner: Optional[_ptxmc.Execution]) -> Optional[Execution]:
    return None if inner is None else Execution(inner)


def _dictionary(value: Any) -> Any:
    if isinstance(value, Execution):
        return value.as_dict()
    if dataclasses.is_dataclass(value):
        return {one.name: _dictionary(getattr(value, one.name)) for one in dataclasses.fields(value)}
    if isinstance(value, list):
        return [_dictionary(one) for one in value]
    return value


@dataclass
class State:
    """A final state: the values of registers and memory by their names.

    A value is an int or a float; of an infinity or NaN it is the text of its bits.
    """

    values: dict[str, Union[int, float, str]]
    matches: bool
    executions: Optional[int]
    execution: Optional[Execution] = field(repr=False, default=None)


def _states(states: Sequence[dict[str, Any]]) -> list[State]:
    return [State(state["values"], state["matches"], state["executions"], _execution(state["execution"]))
            for state in states]


class _Plain:
    """What answers have in common."""

    def as_dict(self) -> dict[str, Any]:
        """The answer as dictionaries and lists."""
        return dict(_dictionary(self))


class _WithPicture(_Plain):
    execution: Optional[Execution]

    def _repr_svg_(self) -> Optional[str]:
        return None if self.execution is None else self.execution._repr_svg_()


@dataclass
class LitmusAnswer(_WithPicture):
    """The answer to a litmus test.

    For a condition the verdict is "allowed" if some execution satisfies it (of forall: violates it), "forbidden" if
    none does, or "unknown", with the reason. For a fault it is "allowed" if some execution has the fault. `holds` says
    whether the condition with its quantifier is true, or that there is no fault.
    """

    name: str
    condition: str
    model: str
    engine: str
    verdict: str
    word: str
    holds: Optional[bool]
    reason: str
    as_expected: Optional[bool]
    undefined_behaviour: bool
    states: list[State]
    states_complete: bool
    executions: Optional[int]
    notes: list[str]
    findings: list[str]
    flags: list[str]
    warnings: list[Diagnostic]
    seconds: float
    execution: Optional[Execution] = field(repr=False, default=None)


@dataclass(frozen=True)
class Place:
    """A position in a PTX module, and in the program that was compiled to it (empty: unknown)."""

    line: int
    column: int
    source_file: str
    source_line: int


@dataclass
class Finding:
    """A violation of a property of a launch. A notebook shows the execution behind it."""

    property: str
    place: Place
    other: Optional[Place]
    threads: list[str]
    message: str
    inputs: str
    hint: str
    same_value: bool
    assumed_zero: list[str]
    execution: Optional[Execution] = field(repr=False, default=None)

    def _repr_svg_(self) -> Optional[str]:
        return None if self.execution is None else self.execution._repr_svg_()


@dataclass
class LaunchAnswer(_Plain):
    """The answer to a launch: the names of the violated properties, or "safe". `unknown` says why some property is
    not decided; empty: all are."""

    entries: list[str]
    model: str
    engine: str
    verdicts: list[str]
    unknown: str
    as_expected: Optional[bool]
    findings: list[Finding]
    assumed_zero: list[str]
    executions: Optional[int]
    seconds: float


@dataclass
class StatesAnswer(_WithPicture):
    """The final states of a launch. `verdict` says whether one of them satisfies the condition."""

    model: str
    engine: str
    verdict: str
    reason: str
    states: list[State]
    states_complete: bool
    seconds: float
    execution: Optional[Execution] = field(repr=False, default=None)


@dataclass
class Comparison(_WithPicture):
    """Whether a target allows only what its source allows; `refines` is None if it is not known.

    `extra` has the outcomes of the target that the source forbids, with the names of the source, and `execution` the
    execution of the target behind the first of them. `missing` is the number of outcomes of the source that the target
    does not have.
    """

    source_model: str
    target_model: str
    refines: Optional[bool]
    vacuous: bool
    reason: str
    observed: list[str]
    extra: list[State]
    missing: Optional[int]
    axioms: list[str]
    notes: list[str]
    text: str = field(repr=False)
    seconds: float = 0
    execution: Optional[Execution] = field(repr=False, default=None)


@dataclass(frozen=True)
class Annotation:
    """An annotation of a program, or a place where a fence may stand (`is_inserted`).

    `status` is "needed", "wasted", "either" or "missing"; empty: no assignment is known. `enough` has the levels that
    suffice, weaker ones first. `because` says what comes back if it is weaker than in the cheapest assignment.
    """

    thread: str
    line: int
    column: int
    instruction: str
    is_fence: bool
    is_inserted: bool
    level: str
    status: str
    enough: list[str]
    because: str


@dataclass(frozen=True)
class Change:
    """A change of one instruction. `what` is "replace by", "insert before" or "remove"."""

    annotation: int
    what: str
    instruction: str


@dataclass(frozen=True)
class Assignment:
    """Annotations that suffice, none of which can be weaker. `cost` is relative to the program."""

    cost: int
    changes: list[Change]


@dataclass
class FenceAnswer(_Plain):
    """Which annotations of a program are needed, wasted or missing.

    If the program `holds` its property, `assignments` are what it can do with; otherwise they repair it. `program` is
    its text with the cheapest one, or None if it cannot be written.
    """

    model: str
    holds: bool
    property: str
    lost: str
    annotations: list[Annotation]
    assignments: list[Assignment]
    complete: bool
    reason: str
    programs: int
    program: Optional[str] = field(repr=False)
    text: str = field(repr=False)
    seconds: float = 0


@dataclass(frozen=True)
class Call:
    """A call of a device function that is open where something is found."""

    function: str
    place: Place


@dataclass(frozen=True)
class RunFinding:
    """What was found in one execution. `calls` has the innermost call first, with the place of the finding."""

    kind: str
    thread: str
    message: str
    calls: list[Call]


@dataclass(frozen=True)
class Buffer:
    """A buffer after the launch. Its elements are texts; "?" is an unknown value."""

    name: str
    type: str
    elements: list[str]


@dataclass
class RunAnswer(_Plain):
    """One execution of a launch. `contradicted` and `open` compare its findings with what the launch file expects."""

    entries: list[str]
    output: str
    findings: list[RunFinding]
    ignored: int
    contradicted: list[str]
    open: list[str]
    buffers: list[Buffer]
    assumed_zero: list[str]
    instructions: int
    launches: int


ModelOrName = Union[Model, str, None]
OnProgress = Optional[Callable[[Progress], Optional[bool]]]


def model_names() -> list[str]:
    """The names of the memory models that come along."""
    return _ptxmc.model_names()


def parse_litmus(text: str, file: str = "test.litmus") -> LitmusTest:
    """Reads a litmus test. `file` is its name in messages."""
    return _ptxmc.parse_litmus(text, file)


def read_litmus(path: Union[str, os.PathLike[str]]) -> list[LitmusTest]:
    """Reads the tests in a file: one, or several in a file of NVIDIA's mixed-proxy tool."""
    return _ptxmc.read_litmus(os.fspath(path))


def parse_launch(text: str, module: Optional[str] = None, file: str = "launch.toml") -> Launch:
    """Reads the text of a launch file. `module` is the text of its PTX module, in place of the file that the launch
    names, which is found relative to `file`."""
    return _ptxmc.parse_launch(text, module, file)


def read_launch(path: Union[str, os.PathLike[str]]) -> Launch:
    """Reads a launch file."""
    return _ptxmc.read_launch(os.fspath(path))


def _model(model: ModelOrName) -> Optional[Model]:
    return Model(model) if isinstance(model, str) else model


def _options(model: ModelOrName, engine: str, bound: int, timeout: float, memory: int, jobs: int,
             progress: OnProgress) -> _ptxmc.Options:
    call = None if progress is None else lambda now: progress(Progress(**now))
    return _ptxmc.Options(_model(model), engine, bound, timeout, memory, jobs, call)


def _test(test: Union[str, os.PathLike[str], LitmusTest]) -> LitmusTest:
    if isinstance(test, LitmusTest):
        return test
    if isinstance(test, str):
        return parse_litmus(test)
    tests = read_litmus(test)
    if len(tests) != 1:
        raise Error("wrong input", os.fspath(test), 0, 0, f"found {len(tests)} tests in one file, expected one")
    return tests[0]


def _launch(launch: Union[str, os.PathLike[str], Launch], module: Optional[str]) -> Launch:
    if isinstance(launch, Launch):
        if module is not None:
            raise ValueError("module: found it with a Launch, expected it with the text of a launch file")
        return launch
    if isinstance(launch, str):
        return parse_launch(launch, module)
    if module is None:
        return read_launch(launch)
    with open(launch, encoding="utf-8") as file:
        return parse_launch(file.read(), module, os.fspath(launch))


def litmus(test: Union[str, os.PathLike[str], LitmusTest], *, model: ModelOrName = None, engine: str = "auto",
           property: str = "condition", scheduling: str = "fair", bound: int = 2, timeout: float = 60, memory: int = 0,
           jobs: int = 1, all_states: bool = True, max_states: int = 10_000, count_executions: bool = False,
           state_executions: bool = False, progress: OnProgress = None) -> LitmusAnswer:
    """Decides a litmus test: its text, a path, or one that was read.

    model: a Model, or the name or path of one; None: the newest one of PTX, or of C++ for tests of C++.
    engine: "auto", "explorer", "smt", "both" (which must agree).
    property: "condition", "race", "termination", "assertion", "uninitialized", "out-of-bounds", "divergence",
        "undefined".
    scheduling: for termination: "fair", "occupancy:cta", "occupancy:cluster", "occupancy:gpu".
    bound: a loop's back edge is taken at most so many times.
    timeout, memory: seconds, and bytes that the process may have; 0: no limit.
    all_states: find every final state; otherwise only decide.
    state_executions: give an execution with each final state.
    progress: called about ten times a second; if it returns False, the decision ends with what is known.
    """
    read = _test(test)
    answer = _ptxmc.decide(read, _options(model, engine, bound, timeout, memory, jobs, progress), property, scheduling,
                           all_states, max_states, count_executions, state_executions)
    answer["states"] = _states(answer["states"])
    answer["execution"] = _execution(answer["execution"])
    return LitmusAnswer(name=read.name, condition=read.condition,
                        warnings=[Diagnostic(**one) for one in read.warnings], **answer)


def _finding(finding: dict[str, Any]) -> Finding:
    finding["place"] = Place(**finding["place"])
    finding["other"] = None if finding["other"] is None else Place(**finding["other"])
    finding["execution"] = _execution(finding["execution"])
    return Finding(**finding)


def check(launch: Union[str, os.PathLike[str], Launch], module: Optional[str] = None, *, model: ModelOrName = None,
          engine: str = "auto", properties: Sequence[str] = (), bound: int = 2, timeout: float = 300, memory: int = 0,
          jobs: int = 1, progress: OnProgress = None) -> LaunchAnswer:
    """Decides the properties of a launch: the text of a launch file, a path, or one that was read.

    module: the text of the PTX module, in place of the file that the launch names.
    properties: only these: "assertion", "race", "uninitialized", "out-of-bounds", "divergence", "undefined",
        "deadlock".
    The other arguments are those of `litmus`.
    """
    answer = _ptxmc.check(_launch(launch, module), _options(model, engine, bound, timeout, memory, jobs, progress),
                          list(properties))
    answer["findings"] = [_finding(one) for one in answer["findings"]]
    return LaunchAnswer(**answer)


def states(launch: Union[str, os.PathLike[str], Launch], shown: Sequence[str] = (), exists: str = "",
           module: Optional[str] = None, *, model: ModelOrName = None, engine: str = "auto", bound: int = 2,
           timeout: float = 300, memory: int = 0, jobs: int = 1, progress: OnProgress = None) -> StatesAnswer:
    """Finds the final states of a launch.

    shown: elements of memory: "out[0]", or "out" for all elements of a buffer.
    exists: a condition as in a launch file: does some final state satisfy it?
    The other arguments are those of `check`.
    """
    answer = _ptxmc.find_states(_launch(launch, module),
                                _options(model, engine, bound, timeout, memory, jobs, progress), list(shown), exists)
    answer["states"] = _states(answer["states"])
    answer["execution"] = _execution(answer["execution"])
    return StatesAnswer(**answer)


ProgramOrText = Union[str, os.PathLike[str], LitmusTest, Launch]


def _program(program: ProgramOrText) -> Union[LitmusTest, Launch]:
    """A path that ends in `.toml` is a launch file; a text is that of a litmus test."""
    if isinstance(program, Launch):
        return program
    if not isinstance(program, (str, LitmusTest)) and os.fspath(program).endswith(".toml"):
        return read_launch(program)
    return _test(program)


def compare(source: ProgramOrText, target: ProgramOrText, *, model: ModelOrName = None,
            source_model: ModelOrName = None, target_model: ModelOrName = None, observe: str = "",
            ignore_races: bool = False, engine: str = "auto", bound: int = 2, timeout: float = 60, memory: int = 0,
            jobs: int = 1, progress: OnProgress = None) -> Comparison:
    """Compares a program with its source, for example what a compiler makes with what it was given.

    source, target: each the text of a litmus test, a path (`.toml`: a launch file), or a test or launch that was read.
    source_model, target_model: the models of the sides; None: `model`, or the newest one of C++ for a source of C++.
    observe: what is compared: names of the source, each with that of the target, "1:r0=out[3];x=x[0]".
    ignore_races: compare outcomes although a source of C++ has a data race.
    The other arguments are those of `litmus`.
    """
    found = _ptxmc.compare(_program(source), _program(target),
                           _options(model, engine, bound, timeout, memory, jobs, progress), _model(source_model),
                           _model(target_model), observe, ignore_races)
    found["extra"] = _states(found["extra"])
    found["execution"] = _execution(found["execution"])
    return Comparison(**found)


def fences(program: ProgramOrText, *, model: ModelOrName = None, races: str = "keep", same_outcomes: bool = False,
           costs: Union[str, os.PathLike[str]] = "", engine: str = "auto", bound: int = 2, timeout: float = 60,
           memory: int = 0, jobs: int = 1, progress: OnProgress = None) -> FenceAnswer:
    """Finds the fences and qualifiers that a program needs for its condition, or for what `check` decides of a launch.

    program: the text of a litmus test, a path (`.toml`: a launch file), or a test or launch that was read.
    races: data races of a litmus test: none that it does not have ("keep"), none ("forbid"), any ("ignore").
    same_outcomes: keep the set of final states of a litmus test, in place of its condition.
    costs: a file with a table of costs.
    The other arguments are those of `litmus`.
    """
    answer = _ptxmc.find_fences(_program(program), _options(model, engine, bound, timeout, memory, jobs, progress),
                                races, same_outcomes, os.fspath(costs))
    answer["annotations"] = [Annotation(**one) for one in answer["annotations"]]
    answer["assignments"] = [Assignment(one["cost"], [Change(**change) for change in one["changes"]])
                             for one in answer["assignments"]]
    return FenceAnswer(**answer)


def _run_finding(finding: dict[str, Any]) -> RunFinding:
    calls = [Call(call["function"], Place(**call["place"])) for call in finding["calls"]]
    return RunFinding(finding["kind"], finding["thread"], finding["message"], calls)


def run(launch: Union[str, os.PathLike[str], Launch], module: Optional[str] = None, *, seed: Optional[int] = None,
        max_steps: int = 1_000_000_000) -> RunAnswer:
    """Executes a launch once, in one interleaving: the text of a launch file, a path, or a launch that was read.

    module: the text of the PTX module, in place of the file that the launch names.
    seed: of a random interleaving; None: threads take turns.
    max_steps: instructions, after which the finding is "step-limit".
    """
    answer = _ptxmc.run(_launch(launch, module), seed, max_steps)
    answer["findings"] = [_run_finding(one) for one in answer["findings"]]
    answer["buffers"] = [Buffer(**one) for one in answer["buffers"]]
    return RunAnswer(**answer)
