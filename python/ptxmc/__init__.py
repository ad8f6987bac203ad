"""What may a PTX program do?

`litmus` decides a litmus test, `check` the properties of a kernel launch, `states` finds the final states of a launch.
`compare` compares a program with its source, `fences` says which fences and qualifiers a program needs, `explain` why a
condition is forbidden, and `run` executes a launch once. Each takes a text, or the path of a file as a `pathlib.Path`,
and raises `Error` for an input without an answer. `generate` makes litmus tests from cycles, and `distinguish` finds
the smallest test on which two models differ. `evaluate` and `explain_instruction` are about single instructions.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Optional, Union

from . import _ptxmc
from ._ptxmc import Launch, LitmusTest, Model
from .answers import (
    Annotation, Assignment, Axiom, Buffer, Call, Change, Comparison, Diagnostic, Difference, Distinction, Error,
    Evaluation, Event, Execution, Explanation, FenceAnswer, Finding, InstructionExplanation, InstructionResult,
    LaunchAnswer, LineDifference, LineDistinction, LitmusAnswer, MappingAnswer, Place, Progress, RunAnswer, RunFinding,
    SmallerPair, SmallTest, State, StatesAnswer, _execution, _states,
)

__all__ = [
    "Annotation", "Assignment", "Axiom", "Buffer", "Call", "Change", "Comparison", "Diagnostic", "Difference",
    "Distinction", "Error", "Evaluation", "Event", "Execution", "Explanation", "FenceAnswer", "Finding",
    "InstructionExplanation", "InstructionResult", "Launch", "LaunchAnswer", "LineDifference", "LineDistinction",
    "LitmusAnswer", "LitmusTest", "MappingAnswer", "Model", "Place", "Progress", "RunAnswer", "RunFinding", "SmallTest",
    "SmallerPair", "State", "StatesAnswer", "check", "check_mappings", "compare", "compiled", "distinguish",
    "distinguish_lines", "evaluate", "explain", "explain_instruction", "fences", "generate", "litmus", "model_names",
    "parse_launch", "parse_litmus", "read_launch", "read_litmus", "run", "states",
]

__version__: str = _ptxmc.version()


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
            ignore_races: bool = False, reduce: bool = False, engine: str = "auto", bound: int = 2,
            timeout: float = 60, memory: int = 0, jobs: int = 1, progress: OnProgress = None) -> Comparison:
    """Compares a program with its source, for example what a compiler makes with what it was given.

    source, target: each the text of a litmus test, a path (`.toml`: a launch file), or a test or launch that was read.
    source_model, target_model: the models of the sides; None: `model`, or the newest one of C++ for a source of C++.
    observe: what is compared: names of the source, each with that of the target, "1:r0=out[3];x=x[0]".
    ignore_races: compare outcomes although a source of C++ has a data race.
    reduce: of two litmus tests that differ: look for a smaller pair that differs (`smaller` of the answer).
    The other arguments are those of `litmus`.
    """
    found = _ptxmc.compare(_program(source), _program(target),
                           _options(model, engine, bound, timeout, memory, jobs, progress), _model(source_model),
                           _model(target_model), observe, ignore_races, reduce)
    found["extra"] = _states(found["extra"])
    found["execution"] = _execution(found["execution"])
    found["smaller"] = None if found["smaller"] is None else SmallerPair(**found["smaller"])
    return Comparison(**found)


def compiled(source: Union[str, os.PathLike[str], LitmusTest], mapping: Union[str, os.PathLike[str]]) -> LitmusTest:
    """Makes the test of PTX that a mapping (a name or a path) makes of a test of C++."""
    return _ptxmc.compiled(_test(source), os.fspath(mapping))


def check_mappings(*mappings: Union[str, os.PathLike[str]], model: ModelOrName = None,
                   source_model: ModelOrName = None, kinds: Sequence[str] = (), scope: str = "device",
                   threads: int = 2, operations: int = 2, locations: int = 2, engine: str = "auto",
                   timeout: float = 60, memory: int = 0, jobs: int = 1,
                   progress: OnProgress = None) -> MappingAnswer:
    """Searches for the smallest program of C++ that mappings compile wrongly.

    mappings: names or paths; several: code that is linked together.
    source_model: the model of the programs; None: the newest one of C++. `model` is that of PTX.
    kinds: of operations: "load", "store", "rmw", "cas", "fence"; empty: all.
    scope: of the operations: "block", "cluster", "device", "system".
    threads, operations, locations: at most so many threads, accesses of a thread, and locations.
    """
    return MappingAnswer(**_ptxmc.check_mappings(
        [os.fspath(one) for one in mappings], _options(model, engine, 2, timeout, memory, jobs, progress),
        _model(source_model), list(kinds), scope, threads, operations, locations))


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


def explain(test: Union[str, os.PathLike[str], LitmusTest], *, model: ModelOrName = None, bound: int = 2,
            timeout: float = 60, memory: int = 0, progress: OnProgress = None) -> Explanation:
    """Explains why the condition of a litmus test is forbidden. The arguments are those of `litmus`."""
    found = _ptxmc.explain(_test(test), _options(model, "auto", bound, timeout, memory, 1, progress))
    axioms = [Axiom(one["name"], one["breaks_no_other"], _execution(one["execution"])) for one in found["axioms"]]
    return Explanation(axioms, found["reason"], found["text"])


def generate(*named: str, edges: str = "Pod**, Rfe, Fre, Coe", accesses: str = "weak", scopes: str = "gpu",
             threads: int = 4, size: int = 4) -> list[SmallTest]:
    """Makes litmus tests from cycles of relations.

    named: these cycles: "PodWW release.gpu Rfe acquire.gpu PodRR Fre"; none: all cycles of the following lists.
    edges, accesses: the edges of a cycle, and the spellings of its accesses, with commas between them.
    scopes: how far threads are apart: "cta", "cluster", "gpu", "sys", or "all": every way to place them.
    threads, size: a test has at most so many threads, a cycle so many edges.
    """
    cycles = _ptxmc.CycleOptions(edges, accesses, scopes, threads)
    return [SmallTest(**one) for one in _ptxmc.generate(list(named), cycles, size)]


_EDGES = ("Pod**, Pos**, Rfe, Rfi, Fre, Coe, Rmw, DpAddrdR, DpDatadW, DpCtrldW, fence.sc.gpu.d**, "
          "fence.acq_rel.gpu.d**")
_ACCESSES = "weak, relaxed.gpu, acquire.gpu, release.gpu"


def _difference(found: Optional[dict[str, Any]]) -> Optional[Difference]:
    if found is None:
        return None
    found["test"] = SmallTest(**found["test"])
    found["execution"] = _execution(found["execution"])
    return Difference(**found)


def distinguish(first: Union[Model, str], second: Union[Model, str], *, instructions: int = 6, edges: str = _EDGES,
                accesses: str = _ACCESSES, scopes: str = "gpu", threads: int = 3, tests: Sequence[LitmusTest] = (),
                undecided: bool = False, engine: str = "auto", bound: int = 2, timeout: float = 600, memory: int = 0,
                jobs: int = 1, progress: OnProgress = None) -> Distinction:
    """Seeks the smallest litmus test (instructions, then threads) on which two models differ.

    instructions: of a test, at most.
    edges, accesses, scopes, threads: what the tests are made of, see `generate`.
    tests: decide these, in place of generated ones.
    undecided: a test that only one of the models decides is a difference too.
    timeout: of the whole search.
    jobs: tests that are decided at the same time.
    """
    options = _search(edges, accesses, scopes, threads, instructions, tests, undecided,
                      _options(None, engine, bound, timeout, memory, jobs, progress))
    found = _ptxmc.distinguish(_named(first), _named(second), options)
    found["difference"] = _difference(found["difference"])
    found["undecided"] = _difference(found["undecided"])
    return Distinction(**found)


def distinguish_lines(model: Union[Model, str], *, instructions: int = 6, edges: str = _EDGES,
                      accesses: str = _ACCESSES, scopes: str = "gpu", threads: int = 3,
                      tests: Sequence[LitmusTest] = (), engine: str = "auto", bound: int = 2, timeout: float = 600,
                      memory: int = 0, jobs: int = 1, progress: OnProgress = None) -> LineDistinction:
    """Seeks for each line of a model the smallest litmus test on which the model without it differs.

    The arguments are those of `distinguish`.
    """
    options = _search(edges, accesses, scopes, threads, instructions, tests, False,
                      _options(None, engine, bound, timeout, memory, jobs, progress))
    found = _ptxmc.distinguish_lines(_named(model), options)
    for line in found["lines"]:
        line["difference"] = _difference(line["difference"])
    found["lines"] = [LineDifference(**line) for line in found["lines"]]
    return LineDistinction(**found)


def _named(model: Union[Model, str]) -> Model:
    return Model(model) if isinstance(model, str) else model


def _search(edges: str, accesses: str, scopes: str, threads: int, instructions: int, tests: Sequence[LitmusTest],
            undecided: bool, options: _ptxmc.Options) -> _ptxmc.DistinguishOptions:
    return _ptxmc.DistinguishOptions(options, _ptxmc.CycleOptions(edges, accesses, scopes, threads), instructions,
                                     list(tests), undecided)


def evaluate(line: str, *, engine: str = "auto", intervals: bool = False, timeout: float = 0) -> Evaluation:
    """Evaluates instructions on given inputs: "instruction;input,input,…", hexadecimal, as `ptxmc eval` does.

    Several instructions before the inputs share registers and flags: "sub.cc.u32;subc.u32;1,2,3,4". An expected result
    may follow the inputs.
    engine: "auto": the rules on numbers, "smt": their terms in Z3, "both": compared.
    intervals: say what an approximate instruction may compute.
    """
    return Evaluation(**_ptxmc.evaluate(line, engine, intervals, timeout))


def explain_instruction(instruction: str) -> InstructionExplanation:
    """Explains an instruction, for example "mad.hi.sat.s32 d, a, b, c": its section, effects and results as terms."""
    found = _ptxmc.explain_instruction(instruction)
    found["results"] = [InstructionResult(**one) for one in found["results"]]
    return InstructionExplanation(**found)
