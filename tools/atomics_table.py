"""The table of what a compiler makes of each atomic operation, order and scope, and what `ptxmc compare` says.

A row is judged in small programs: classic litmus tests in which the operation stands at each place that it
fits, beside operations of other orders, in C++ and in the PTX that the same compiler makes of them. A row is
*wrong* if one of these pairs differs, and *needlessly strong* if all of them still refine with a weaker
instruction. Operations beside it that the compiler refuses are those of the ASPLOS 2019 paper's mapping. "No
counterexample" is no proof."""

import json
import re
import subprocess

import litmus_to_cuda

SCOPES = {"block": "cta", "device": "gpu", "system": "sys"}
ORDERS = {"load": ("relaxed", "consume", "acquire", "seq_cst"),
          "store": ("relaxed", "release", "seq_cst"),
          "fetch_add": ("relaxed", "acquire", "release", "acq_rel", "seq_cst"),
          "compare_exchange": ("relaxed", "acquire", "release", "acq_rel", "seq_cst"),
          "fence": ("acquire", "release", "acq_rel", "seq_cst")}
NO_CODE = "does not compile"


# ---- what the compiler makes of an operation ----

def call_of(operation, order, scope, spelling):
    """The operation on `x`, as a statement that keeps its result in `out[0]`."""
    op = litmus_to_cuda.Operation
    of = litmus_to_cuda.TYPES["int"]
    if operation == "fence":
        return spelling.operation(op("fence", "", [], [order], scope)) + ";"
    if operation == "store":
        return spelling.operation(op("store", "x", ["1"], [order], scope, of)) + ";"
    if operation == "compare_exchange":
        orders = [order, litmus_to_cuda.failure_order(order)]
        call = op("compare_exchange_strong", "x", ["&expected", "1"], orders, scope, of)
        return f"int expected = 0; {spelling.operation(call)}; out[0] = expected;"
    values = ["1"] if operation == "fetch_add" else []
    return f"out[0] = {spelling.operation(op(operation, 'x', values, [order], scope, of))};"


def kernel_of(operation, order, scope, spelling):
    name = f"{operation}_{order}_{scope}"
    body = call_of(operation, order, scope, spelling)
    return f'extern "C" __global__ void {name}(int* x, int* out) {{ {body} }}\n'


def instructions_of(module, entry):
    """The memory operations and fences of a kernel, without types and state spaces: `ld.acquire.gpu`."""
    start = module.index(f".entry {entry}(")
    open_body = module.index("{", start)
    body = module[open_body:litmus_to_cuda.closing(module, open_body)]
    found = []
    for line in body.split("\n"):
        opcode = re.match(r"\s*((?:ld|st|atom|red|fence|membar)(?:\.\w+(?:::\w+)*)*)[\s;]", line)
        if not opcode or opcode[1].startswith("ld.param"):
            continue
        words = [word for word in opcode[1].split(".") if not re.fullmatch(r"global|[bsu]\d+", word)]
        if words == ["st"]:
            continue  # of the result
        found.append(ordered(words))
    return found


def ordered(words):
    """Order, scope and operation in the order of the manual."""
    orders = ("relaxed", "acquire", "release", "acq_rel", "sc", "volatile", "weak")
    rank = {word: 0 for word in orders} | {word: 1 for word in ("cta", "cluster", "gpu", "sys")}
    if words[0] in ("atom", "red") and not any(word in orders for word in words):
        words = [words[0], "relaxed", *words[1:]]  # PTX ISA 8.7 § 9.7.13.5: the default
    if words[0] in ("atom", "red") and not any(rank.get(word) == 1 for word in words):
        words = [*words, "gpu"]
    return ".".join([words[0], *sorted(words[1:], key=lambda word: rank.get(word, 2))])


def rules_of(kind, arch, compiled):
    """The instructions by (operation, order, scope); None where the compiler refuses the operation.
    `compiled(text, arch, name)` is the module of a CUDA file, or None."""
    spelling = litmus_to_cuda.SPELLINGS[kind]
    rules = {}
    for operation, orders in ORDERS.items():
        for order in orders:
            kernels = [kernel_of(operation, order, scope, spelling) for scope in SCOPES]
            if kind == "clang":
                kernels = kernels[-1:]  # the builtins have no scopes
            module = compiled(spelling.prelude + "".join(kernels), arch, f"{operation}_{order}")
            if module is None:
                rules.update({(operation, order, scope): None for scope in SCOPES})
                continue
            for scope in SCOPES:
                entry = f"{operation}_{order}_{'system' if kind == 'clang' else scope}"
                rules[operation, order, scope] = instructions_of(module, entry)
    return rules


# ---- programs in which a row is judged ----

# Threads of accesses: R or W, location, value written.
SHAPES = {
    "MP": [["Wx1", "Wy1"], ["Ry", "Rx"]],
    "SB": [["Wx1", "Ry"], ["Wy1", "Rx"]],
    "LB": [["Rx", "Wy1"], ["Ry", "Wx1"]],
    "S": [["Wx2", "Wy1"], ["Ry", "Wx1"]],
    "R": [["Wx1", "Wy1"], ["Wy2", "Rx"]],
    "2+2W": [["Wx1", "Wy2"], ["Wy1", "Wx2"]],
    "WRC": [["Wx1"], ["Rx", "Wy1"], ["Ry", "Rx"]],
    "IRIW": [["Wx1"], ["Wy1"], ["Rx", "Ry"], ["Ry", "Rx"]],
    "release-sequence": [["Wx1", "Wy1"], ["Ry", "Wy3"], ["Ry", "Rx"]],
}

# The orders of the accesses beside the operation: of reads and of writes.
NEIGHBOURS = {"seq_cst": ("seq_cst", "seq_cst"), "release-acquire": ("acquire", "release"),
              "relaxed-last": ("acquire", "release")}


def kind_fits(operation, access):
    if operation == "load":
        return access[0] == "R"
    if operation == "store":
        return access[0] == "W"
    return operation in ("fetch_add", "compare_exchange")


def programs_with(operation, order):
    """(name, threads): each thread a list of (operation, order, access)."""
    programs = {}
    for shape, threads in SHAPES.items():
        for choice, (of_reads, of_writes) in NEIGHBOURS.items():
            plain = [[("load" if access[0] == "R" else "store", of_reads if access[0] == "R" else of_writes, access)
                      for access in thread] for thread in threads]
            for t, thread in enumerate(threads):
                for i, access in enumerate(thread):
                    program = [list(row) for row in plain]
                    if operation == "fence":
                        if i == 0:
                            continue
                        program[t] = [(op, "relaxed", a) for op, _, a in program[t]]
                        program[t].insert(i, ("fence", order, ""))
                    elif not kind_fits(operation, access):
                        continue
                    else:
                        program[t][i] = (operation, order, access)
                        if choice == "relaxed-last":
                            others = [k for k in range(len(thread)) if k != i]
                            for k in others:
                                program[t][k] = (program[t][k][0], "relaxed", program[t][k][2])
                    programs[f"{shape}.{choice}.P{t}.{i}"] = program
        if operation != "fence" and operation in ("load", "store"):
            rows = [[(operation, order, a) if kind_fits(operation, a) else
                     ("load" if a[0] == "R" else "store", "seq_cst", a) for a in thread] for thread in threads]
            programs[f"{shape}.all"] = rows
        if operation == "fence" and all(len(thread) == 2 for thread in threads):
            programs[f"{shape}.all"] = [[("load" if a[0] == "R" else "store", "relaxed", a) if a else
                                         ("fence", order, "") for a in (thread[0], "", thread[1])]
                                        for thread in threads]
    return programs


def value_of(access):
    return int(access[2:] or 0)


def source_text(name, threads):
    """The program in C++, each thread in a CTA of its own, at device scope."""
    text = f"C {name}\n{{ x = 0; y = 0; }}\n"
    for t, thread in enumerate(threads):
        text += f"\nP{t}@cta {t},gpu 0 (atomic_int* x, atomic_int* y) {{\n"
        for i, (operation, order, access) in enumerate(thread):
            orders = f"memory_order_{order}, memory_scope_device"
            place = access[1:2]
            if operation == "fence":
                text += f"  atomic_thread_fence({orders});\n"
            elif operation == "load":
                text += f"  int r{i} = atomic_load_explicit({place}, {orders});\n"
            elif operation == "store":
                text += f"  atomic_store_explicit({place}, {value_of(access)}, {orders});\n"
            elif operation == "fetch_add":
                text += f"  int r{i} = atomic_fetch_add_explicit({place}, {value_of(access)}, {orders});\n"
            else:
                failure = litmus_to_cuda.failure_order(order)
                text += (f"  int r{i} = 0;\n  atomic_compare_exchange_strong_explicit({place}, &r{i}, "
                         f"{value_of(access)}, memory_order_{order}, memory_order_{failure}, memory_scope_device);\n")
        text += "}\n"
    return text + "\nexists (x = 0)\n"


def cells_of(index, operation, access, instructions):
    """The instructions of an operation with their operands, as cells of a column of PTX."""
    cells = []
    place, register = access[1:2], f"r{index}"
    for opcode in instructions:
        name = opcode.split(".")[0]
        if name in ("fence", "membar"):
            cells.append(opcode)
        elif name == "ld":
            cells.append(f"{opcode} {register}, {place}")
        elif name == "st":
            cells.append(f"{opcode} {place}, {value_of(access)}")
        elif opcode.endswith(".cas"):
            cells.append(f"{opcode} {register}, {place}, 0, {value_of(access)}")
        else:
            cells.append(f"{opcode} {register}, {place}, {value_of(access)}")
    return cells


def target_text(name, threads, rules):
    """The program in columns of PTX by the rules of the compiler."""
    columns = []
    for thread in threads:
        column = []
        for i, (operation, order, access) in enumerate(thread):
            column += cells_of(i, operation, access, rules[operation, order, "device"])
        columns.append(column)
    height = max(len(column) for column in columns)
    rows = [[column[i] if i < len(column) else "" for column in columns] for i in range(height)]
    text = f"PTX {name}\n{{ x : s32 = 0; y : s32 = 0; }}\n"
    text += " | ".join(f"P{t}@cta {t},gpu 0" for t in range(len(columns))) + " ;\n"
    return text + "".join(" | ".join(row) + " ;\n" for row in rows) + "exists (x = 0)\n"


def of_paper(operation, order):
    """What the mapping of the ASPLOS 2019 paper makes of an operation at device scope."""
    name = {"load": "ld", "store": "st", "fence": "fence"}.get(operation, "atom")
    suffix = {"fetch_add": ".add", "compare_exchange": ".cas"}.get(operation, "")
    if operation == "fence":
        return [f"fence.{'sc' if order == 'seq_cst' else order}.gpu"]
    order = "acquire" if order == "consume" else order
    strongest = {"ld": "acquire", "st": "release", "atom": "acq_rel"}[name]
    access = f"{name}.{strongest if order == 'seq_cst' else order}.gpu{suffix}"
    return ["fence.sc.gpu", access] if order == "seq_cst" else [access]


class Judge:
    """Asks `ptxmc compare`; answers are kept by the text of the pairs."""

    def __init__(self, program, folder):
        self.program, self.folder, self.known = program, folder / "pairs", {}
        self.folder.mkdir(exist_ok=True)

    def differing(self, key, rules, standard):
        """The names of programs around the operation that differ by the rules, and the number of programs."""
        operation, order, _ = key
        code = {known: of_paper(*known[:2]) if made is None else made for known, made in rules.items()}
        pairs = {name: (source_text(name, program), target_text(name, program, code))
                 for name, program in programs_with(operation, order).items()}
        open_pairs = {name: pair for name, pair in pairs.items() if (pair, standard) not in self.known}
        self._compare(open_pairs, standard)
        verdicts = {name: self.known[pair, standard] for name, pair in pairs.items()}
        return [name for name, verdict in verdicts.items() if verdict != "refines"], len(pairs)

    def _compare(self, pairs, standard):
        if not pairs:
            return
        for file in self.folder.iterdir():
            file.unlink()
        for name, (source, target) in pairs.items():
            (self.folder / f"{name}.source.litmus").write_text(source)
            (self.folder / f"{name}.target.litmus").write_text(target)
        run = subprocess.run([self.program, "compare", "--json", "--std", standard, str(self.folder)],
                             capture_output=True, text=True)
        for line in run.stdout.splitlines():
            answer = json.loads(line)
            if "target" not in answer:
                raise RuntimeError(f"ptxmc compare: {line}\n{run.stderr.strip()}")
            name = answer["target"].rsplit("/", 1)[-1].removesuffix(".target.litmus")
            if name in pairs:
                self.known[pairs[name], standard] = answer["verdict"]
        missing = [name for name, pair in pairs.items() if (pair, standard) not in self.known]
        if missing:
            raise RuntimeError(f"ptxmc compare says nothing about {missing[0]}:\n{run.stderr.strip()}")


WEAKER = {"sc": ["acq_rel"], "acq_rel": ["acquire", "release"], "acquire": ["relaxed"], "release": ["relaxed"]}


def weaker_rules(instructions):
    """The sequences with one instruction weaker, or one fence left out."""
    result = []
    for i, opcode in enumerate(instructions):
        words = opcode.split(".")
        before, after = instructions[:i], instructions[i + 1:]
        if words[0] in ("fence", "membar"):
            result.append(before + after)
        for k, word in enumerate(words):
            for weaker in WEAKER.get(word, []):
                if words[0] == "fence" and weaker == "relaxed":
                    continue
                result.append(before + [".".join(words[:k] + [weaker] + words[k + 1:])] + after)
    return result


def enough(judge, rules, key):
    """A weakest rule with which no program differs, by repeated weakening; None if no step is possible."""
    current = rules[key]
    if current is None:
        return None
    standards = [standard for standard in ("c++20", "c++17") if not judge.differing(key, rules, standard)[0]]
    if not standards:
        return None
    while True:
        for candidate in weaker_rules(current):
            changed = dict(rules)
            changed[key] = candidate
            if not any(judge.differing(key, changed, standard)[0] for standard in standards):
                current = candidate
                break
        else:
            return current if current != rules[key] else None


def with_scope(instructions, scope):
    """The instructions with S in place of the scope."""
    if instructions is None:
        return NO_CODE
    text = "; ".join(instructions) or "nothing"
    return re.sub(rf"\b{SCOPES[scope]}\b", "S", text)


def spelled(rules, operation, order):
    """One text for all scopes, or one for each."""
    texts = {scope: with_scope(rules[operation, order, scope], scope) for scope in SCOPES}
    if len(set(texts.values())) == 1:
        return f"`{texts['device']}`" if rules[operation, order, "device"] is not None else NO_CODE
    written = {scope: "; ".join(rules[operation, order, scope]) for scope in SCOPES}
    if len(set(written.values())) == 1:
        return f"`{written['device']}` at each scope"
    return ", ".join(f"{scope}: `{text}`" for scope, text in written.items())


def verdict_text(judge, rules, key, standard):
    if rules[key] is None:
        return ""
    names, count = judge.differing(key, rules, standard)
    return f"**wrong**: {len(names)} of {count}, such as {names[0]}" if names else f"none of {count}"


def row_text(judge, rules, operation, order):
    key = (operation, order, "device")
    weakest = enough(judge, rules, key)
    strength = f"`{with_scope(weakest, 'device')}` is enough" if weakest is not None else ""
    cells = [operation, order, spelled(rules, operation, order), verdict_text(judge, rules, key, "c++20"),
             verdict_text(judge, rules, key, "c++17"), strength]
    return "| " + " | ".join(cells) + " |\n"


def markdown(kind, arches, compiled, program, folder):
    """The table for each set of architectures with the same code."""
    judge = Judge(program, folder)
    groups = {}
    for arch in arches:
        rules = rules_of(kind, arch, compiled)
        same = next((group for group in groups.values() if group[0] == rules), None)
        if same:
            same[1].append(arch)
        else:
            groups[arch] = (rules, [arch])
    text = ""
    for rules, same in groups.values():
        text += (f"{kind}, {', '.join(same)}; S is the scope, and verdicts are those at device scope:\n\n"
                 "| operation | order | PTX | differs by C++20 | differs by C++17 | needlessly strong |\n"
                 "|---|---|---|---|---|---|\n")
        for operation, orders in ORDERS.items():
            for order in orders:
                text += row_text(judge, rules, operation, order)
        text += "\n"
    return text.rstrip("\n") + "\n"
