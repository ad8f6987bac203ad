"""The classes of answers."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Optional, Union

from . import _ptxmc


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


@dataclass(frozen=True)
class SmallerPair(_Plain):
    """A smaller pair of tests of which the target still differs from the source: their texts, and a report."""

    source: str
    target: str
    tried: int
    text: str = field(repr=False)


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
    smaller: Optional[SmallerPair] = None


@dataclass(frozen=True)
class MappingAnswer(_Plain):
    """Whether mappings compile all small programs correctly.

    `counterexample` has the texts of the smallest program and of what it becomes, or is None; `unknown` says why not
    all programs are decided.
    """

    counterexample: Optional[tuple[str, str]]
    unknown: str
    programs: int
    runs: int
    text: str = field(repr=False)
    seconds: float = 0


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


@dataclass(frozen=True)
class Axiom(_WithPicture):
    """An axiom without which a forbidden condition would be allowed, with an execution that only it forbids."""

    name: str
    breaks_no_other: bool
    execution: Optional[Execution] = field(repr=False, default=None)


@dataclass(frozen=True)
class Explanation(_Plain):
    """Why a condition is forbidden: axioms that forbid it together. `reason` says why it is not known."""

    axioms: list[Axiom]
    reason: str
    text: str = field(repr=False)


@dataclass(frozen=True)
class SmallTest(_Plain):
    """A small litmus test. `cycle` is empty if it was not made from one."""

    name: str
    cycle: str
    placement: str
    threads: int
    instructions: int
    text: str = field(repr=False)


@dataclass(frozen=True)
class Difference(_WithPicture):
    """The smallest test on which two models differ.

    `first` and `second` are its verdicts; `reason` says why one of them is "unknown". `execution` is one that one model
    allows, and `axioms` those by which the other one forbids the condition.
    """

    test: SmallTest
    first: str
    second: str
    reason: str
    axioms: list[str]
    text: str = field(repr=False)
    execution: Optional[Execution] = field(repr=False, default=None)


@dataclass(frozen=True)
class _SearchExtent(_Plain):
    """How far a search for differences has come."""

    tests: int
    instructions: int
    complete: bool
    reason: str
    seconds: float


@dataclass(frozen=True)
class Distinction(_SearchExtent):
    """On which test two models differ; `difference` is None if they differ on none of those that were decided.

    `undecided` is the smallest test that only one of the models decides. `complete`: all tests were decided.
    """

    difference: Optional[Difference]
    undecided: Optional[Difference]


@dataclass(frozen=True)
class LineDifference(_Plain):
    """A model without one of its lines; `is_of_flags`: no axiom uses the line."""

    file: str
    line: int
    change: str
    is_of_flags: bool
    difference: Optional[Difference]
    undecided: str


@dataclass(frozen=True)
class LineDistinction(_SearchExtent):
    """What each line of a model is for. `complete`: all tests were decided, or all lines have a difference."""

    lines: list[LineDifference]


@dataclass(frozen=True)
class Evaluation(_Plain):
    """What instructions compute: hexadecimal digits or "nan", with commas between several results.

    `agrees` compares it with the result that the line gives (None: it gives none). `solved` is the result of Z3 if it
    differs, and `interval` what an approximate instruction may compute.
    """

    result: str
    agrees: Optional[bool]
    solved: str
    interval: str


@dataclass(frozen=True)
class InstructionResult(_Plain):
    """A result of an instruction: as a readable term, and as a definition in SMT-LIB 2."""

    name: str
    term: str
    smtlib: str


@dataclass(frozen=True)
class InstructionExplanation(_Plain):
    """The rule of an instruction. `missing` says why it has none; `declarations` are those of the inputs in SMT-LIB 2."""

    spelling: str
    section: str
    versions: str
    syntax: str
    missing: str
    effects: list[str]
    results: list[InstructionResult]
    declarations: list[str]
    text: str = field(repr=False)
