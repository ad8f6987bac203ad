"""The Python module: make python-test."""

import dataclasses
import shutil
import threading
import xml.etree.ElementTree

import ptxmc
import pytest

MP = r"""PTX MP
{ data = 0; flag = 0; }
 P0@cta 0,gpu 0         | P1@cta 1,gpu 0            ;
 st.weak data, 42       | ld.acquire.SCOPE r0, flag ;
 st.release.gpu flag, 1 | ld.weak r1, data          ;
exists (P1:r0 == 1 /\ P1:r1 == 0)
"""
WRONG_SCOPE = MP.replace("SCOPE", "cta")
RIGHT_SCOPE = MP.replace("SCOPE", "gpu")

LAUNCH = """module = "k.ptx"
grid = [1]
block = [2]
[[param]]
name = "p"
buffer = "u32[1]"
"""
MODULE = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 p)
{
  .reg .u64 %rd<3>;
  .reg .u32 %r<2>;
  ld.param.u64 %rd1, [p];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  st.global.u32 [%rd2], %r1;
  ret;
}
"""


def large_test():
    """A test with so many executions that its final states are not listed soon."""
    def line(instruction):
        return " " + " | ".join(instruction.format(thread, thread + 1) for thread in range(8)) + " ;\n"

    return ("PTX large\n{ x = 0; }\n" + line("P{0}") + line("st.relaxed.gpu x, {1}") + line("ld.relaxed.gpu r0, x")
            + line("ld.relaxed.gpu r1, x") + "exists (P0:r0 == 2 /\\ P0:r1 == 3 /\\ P1:r1 == 1 /\\ P2:r0 == 2)\n")


def test_a_condition_is_decided():
    answer = ptxmc.litmus(WRONG_SCOPE)
    assert (answer.verdict, answer.holds, answer.model, answer.name) == ("allowed", True, "ptx-8.7", "MP")
    assert [state.values for state in answer.states] == [
        {"P1:r0": 0, "P1:r1": 0}, {"P1:r0": 0, "P1:r1": 42}, {"P1:r0": 1, "P1:r1": 0}, {"P1:r0": 1, "P1:r1": 42}]
    assert [state.matches for state in answer.states] == [False, False, True, False]
    assert answer.states_complete
    assert ptxmc.litmus(RIGHT_SCOPE, model="ptx-8.7", engine="both").verdict == "forbidden"


def test_an_execution_has_events_and_relations():
    execution = ptxmc.litmus(WRONG_SCOPE).execution
    for source, read in execution.relations["rf"]:
        assert execution.events[source].value == execution.events[read].value
        assert execution.events[read].kind == "read"
    assert {"po", "rf", "co"} <= set(execution.relations)
    release = next(event for event in execution.events if event.order == "release")
    assert (release.thread, release.line, release.location, release.scope) == ("P0", 5, "flag", "gpu")
    assert isinstance(release.address, int)
    assert "st.release.gpu flag, 1" in repr(execution)
    assert "digraph" in execution.dot()


@pytest.mark.skipif(shutil.which("dot") is None, reason="needs Graphviz")
def test_notebooks_show_pictures():
    answer = ptxmc.litmus(WRONG_SCOPE)
    assert xml.etree.ElementTree.fromstring(answer._repr_svg_()).tag.endswith("svg")
    assert answer._repr_svg_() == answer.execution._repr_svg_()
    assert ptxmc.litmus(RIGHT_SCOPE)._repr_svg_() is None


def test_without_graphviz_notebooks_show_text(monkeypatch):
    execution = ptxmc.litmus(WRONG_SCOPE).execution
    monkeypatch.setenv("PATH", "")
    assert execution._repr_svg_() is None
    with pytest.raises(ptxmc.Error, match="dot"):
        execution.svg()


def test_an_answer_is_a_dictionary():
    answer = ptxmc.litmus(WRONG_SCOPE, state_executions=True, count_executions=True)
    dictionary = answer.as_dict()
    assert dictionary["states"][0]["values"] == {"P1:r0": 0, "P1:r1": 0}
    assert dictionary["states"][0]["execution"]["relations"]["rf"]
    assert dictionary["execution"]["events"][0]["kind"] == "initial write"
    assert dictionary["executions"] == 4
    assert dataclasses.is_dataclass(answer)


def test_floating_point_values():
    answer = ptxmc.litmus("PTX F\n{ x : f32 = 1.5; }\n P0 ;\n st.weak x, 2.5 ;\nexists (x == 2.5)\n")
    assert answer.states[0].values == {"x": 2.5}


def test_other_properties():
    answer = ptxmc.litmus(WRONG_SCOPE, property="race")
    assert (answer.word, answer.holds) == ("race", False)
    assert answer.findings
    assert ptxmc.litmus(RIGHT_SCOPE, property="termination", scheduling="occupancy:cta").word == "terminates"
    with pytest.raises(ValueError, match="property: found 'rice'"):
        ptxmc.litmus(WRONG_SCOPE, property="rice")


def test_models():
    assert "ptx-6.4" in ptxmc.model_names()
    assert ptxmc.litmus(WRONG_SCOPE, model=ptxmc.Model("sc")).verdict == "forbidden"
    loose = ptxmc.Model.from_text('"anything"\nempty 0 as nothing\n', "loose.cat")
    assert ptxmc.litmus(RIGHT_SCOPE, model=loose).verdict == "allowed"


def test_files(tmp_path):
    path = tmp_path / "mp.litmus"
    path.write_text(WRONG_SCOPE)
    assert ptxmc.litmus(path).verdict == "allowed"
    (test,) = ptxmc.read_litmus(path)
    assert test.file == str(path)
    (tmp_path / "k.ptx").write_text(MODULE)
    launch = tmp_path / "k.toml"
    launch.write_text(LAUNCH)
    assert ptxmc.check(launch).verdicts == ["race"]
    assert ptxmc.check(launch, MODULE.replace("st.global", "ld.global").replace("[%rd2], %r1", "%r1, [%rd2]")).verdicts \
        != ["race"]


def test_errors_have_positions():
    with pytest.raises(ptxmc.Error) as caught:
        ptxmc.litmus("PTX a\n{ x = 0; }\n P0 ;\n st.weka x, 1 ;\nexists (x == 1)\n")
    error = caught.value
    assert (error.kind, error.file, error.line, error.column) == ("wrong input", "test.litmus", 4, 4)
    assert error.diagnostics[0].message == error.message
    assert str(error).startswith("test.litmus:4:4: ")


def test_a_launch_is_checked():
    answer = ptxmc.check(LAUNCH, MODULE)
    assert answer.verdicts == ["race"]
    assert answer.entries == ["k"]
    race = answer.findings[0]
    assert (race.property, race.place.line, race.other.line) == ("race", 11, 11)
    assert len(race.threads) == 2
    assert race.execution.events
    assert answer.as_dict()["findings"][0]["place"]["line"] == 11
    assert ptxmc.check(LAUNCH, MODULE, properties=["assertion"]).verdicts == ["safe"]
    with pytest.raises(ValueError):
        ptxmc.check(LAUNCH, MODULE, properties=["rice"])


def test_final_states_of_a_launch():
    answer = ptxmc.states(LAUNCH, ["p[0]"], "p[0] == 1", MODULE)
    assert answer.verdict == "allowed"
    assert [state.values for state in answer.states] == [{"p[0]": 0}, {"p[0]": 1}]


def test_progress_stops_a_decision():
    seen = []

    def progress(now):
        seen.append(now)
        return len(seen) < 3

    answer = ptxmc.litmus(large_test(), progress=progress)
    assert not answer.states_complete
    assert len(seen) == 3
    assert seen[0].stage in ("preparing", "exploring", "solving")


def test_an_exception_of_the_callback_is_raised():
    def progress(now):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        ptxmc.litmus(large_test(), progress=progress)


def test_threads_decide_at_the_same_time():
    answers = {}

    def decide(number):
        answers[number] = ptxmc.litmus(WRONG_SCOPE if number % 2 else RIGHT_SCOPE, engine="both").verdict

    threads = [threading.Thread(target=decide, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: "allowed" if number % 2 else "forbidden" for number in range(8)}


WEAKER = RIGHT_SCOPE.replace("exists", "~exists").replace("st.release.gpu", "st.relaxed.gpu")
STRONGER = RIGHT_SCOPE.replace("exists", "~exists").replace("st.release.gpu", "st.release.sys")


def test_a_target_is_compared_with_its_source():
    assert ptxmc.compare(RIGHT_SCOPE, RIGHT_SCOPE).refines is True
    found = ptxmc.compare(RIGHT_SCOPE, WEAKER)
    assert found.refines is False
    assert [state.values["1:r0"] for state in found.extra] == [1]
    assert found.axioms == ["causality"]
    assert "st.relaxed.gpu flag, 1" in repr(found.execution)
    assert found.as_dict()["extra"][0]["values"]["1:r1"] == 0
    assert ptxmc.compare(RIGHT_SCOPE, WEAKER, target_model="ptx-7.5").target_model == "ptx-7.5"
    with pytest.raises(ptxmc.Error):
        ptxmc.compare(RIGHT_SCOPE, WEAKER, observe="5:r9=1:r0")


def test_fences_that_are_wasted_and_missing():
    wasted = ptxmc.fences(STRONGER)
    assert wasted.holds and wasted.complete
    release = next(one for one in wasted.annotations if one.level == "release.sys")
    assert (release.status, release.enough, release.thread) == ("wasted", ["release.gpu"], "P0")
    assert "st.release.gpu flag" in wasted.program
    missing = ptxmc.fences(WEAKER)
    assert not missing.holds and missing.assignments[0].cost > 0
    assert missing.annotations[missing.assignments[0].changes[0].annotation].status == "missing"
    assert ptxmc.litmus(missing.program).holds is True
    assert ptxmc.fences(WEAKER, races="ignore").as_dict()["property"] == "condition"
    with pytest.raises(ValueError):
        ptxmc.fences(WEAKER, races="some")


def test_a_launch_is_executed():
    answer = ptxmc.run(LAUNCH, MODULE)
    assert answer.entries == ["k"]
    assert answer.findings == []
    assert answer.buffers[0].name == "p" and len(answer.buffers[0].elements) == 1
    outside = ptxmc.run(LAUNCH, MODULE.replace("[%rd2], %r1", "[%rd2+4], %r1")).findings
    assert outside[0].kind == "out-of-bounds"
    assert outside[0].calls[0].place.line == 11
    assert ptxmc.run(LAUNCH, MODULE, max_steps=2).findings[0].kind == "step-limit"
    assert dataclasses.is_dataclass(answer) and answer.as_dict()["instructions"] == answer.instructions


def test_axioms_explain_a_forbidden_condition():
    why = ptxmc.explain(RIGHT_SCOPE)
    assert [axiom.name for axiom in why.axioms] == ["causality"]
    assert why.axioms[0].execution.events
    assert "causality" in why.text
    assert ptxmc.explain(WRONG_SCOPE).axioms == []


def test_tests_are_generated():
    tests = {test.name: test for test in ptxmc.generate(edges="Pod**, Rfe, Fre, Coe")}
    assert {"MP", "SB", "LB"} <= set(tests)
    assert ptxmc.litmus(tests["LB"].text).verdict == "allowed"
    (named,) = ptxmc.generate("PodWW release.gpu Rfe acquire.gpu PodRR Fre")
    assert ptxmc.litmus(named.text).verdict == "forbidden"
    with pytest.raises(ptxmc.Error, match="PodXX"):
        ptxmc.generate("PodXX Fre")


def test_models_are_distinguished():
    found = ptxmc.distinguish("sc", "ptx-8.7", edges="PodWR, Fre", accesses="weak")
    assert (found.difference.test.name, found.difference.first, found.difference.second) == (
        "SB", "forbidden", "allowed")
    assert found.difference.as_dict()["test"]["cycle"] == "PodWR Fre PodWR Fre"
    same = ptxmc.distinguish("ptx-7.5", ptxmc.Model("ptx-8.7"), edges="PodWR, Fre", accesses="weak", instructions=4)
    assert same.difference is None and same.complete
    model = ptxmc.Model.from_text("acyclic po | rf | fr as order\n", "order.cat")
    lines = ptxmc.distinguish_lines(model, edges="PodWR, Fre", accesses="weak", instructions=4).lines
    assert [line.difference.test.name for line in lines if "axiom" in line.change] == ["SB"]


def test_mappings_are_checked():
    found = ptxmc.check_mappings("asplos-2019", kinds=["load", "store"], threads=2, operations=1)
    assert found.counterexample is None and found.unknown == "" and found.programs > 0
    with pytest.raises(ptxmc.Error, match="expected load"):
        ptxmc.check_mappings("asplos-2019", kinds=["jump"])


def test_a_smaller_pair_differs():
    source, target = RIGHT_SCOPE, WRONG_SCOPE
    found = ptxmc.compare(source, target, reduce=True)
    assert found.refines is False
    assert ptxmc.compare(found.smaller.source, found.smaller.target).refines is False


def test_instructions_are_evaluated_and_explained():
    assert ptxmc.evaluate("add.u32;1,ffffffff").result == "00000000"
    assert ptxmc.evaluate("add.u32;1,2;3", engine="both").agrees is True
    assert ptxmc.evaluate("sqrt.approx.f32;40000000", intervals=True).interval == "[3fb504f2 .. 3fb504f4]"
    with pytest.raises(ptxmc.Error, match="1 input"):
        ptxmc.evaluate("add.u32;1")
    add = ptxmc.explain_instruction("add.u32")
    assert (add.section, [one.name for one in add.results]) == ("9.7.1.1", ["d"])
