"""Turns a litmus test of scoped C++ (docs/litmus-format.md) into a CUDA kernel and its launch file.

Each thread of the test becomes a branch of one kernel, selected by its block and its place in the block. Local
variables of a thread are stored to the buffer `out` at its end. The launch file names them by `observe`, so
that `ptxmc compare` finds them.
"""

import re
from dataclasses import dataclass, field


class InputError(Exception):
    """A mistake in the test, or something in it that has no translation: `file:line:column: error: …`."""


@dataclass(frozen=True)
class Type:
    """A type of integers: its name in CUDA, and in launch files."""
    cuda: str
    launch: str

    @property
    def bits(self):
        return int(self.launch[1:])


def _types():
    signed = {"char": 8, "signed char": 8, "int8_t": 8, "short": 16, "int16_t": 16, "int": 32, "int32_t": 32,
              "long": 64, "long long": 64, "int64_t": 64}
    unsigned = {"bool": 8, "unsigned char": 8, "uint8_t": 8, "unsigned short": 16, "uint16_t": 16,
                "unsigned": 32, "unsigned int": 32, "uint32_t": 32, "unsigned long": 64,
                "unsigned long long": 64, "uint64_t": 64, "size_t": 64}
    cuda = {("s", 8): "signed char", ("s", 16): "short", ("s", 32): "int", ("s", 64): "long long",
            ("u", 8): "unsigned char", ("u", 16): "unsigned short", ("u", 32): "unsigned",
            ("u", 64): "unsigned long long"}
    table = {}
    for sign, names in (("s", signed), ("u", unsigned)):
        for name, bits in names.items():
            table[name] = Type("bool" if name == "bool" else cuda[sign, bits], f"{sign}{bits}")
    return table


TYPES = _types()
ATOMIC_TYPES = {"atomic_" + name: TYPES[of] for name, of in
                {"bool": "bool", "char": "char", "schar": "signed char", "uchar": "unsigned char",
                 "short": "short", "ushort": "unsigned short", "int": "int", "uint": "unsigned",
                 "long": "long", "ulong": "unsigned long", "llong": "long long",
                 "ullong": "unsigned long long", "size_t": "size_t"}.items()}
_TYPE_NAMES = "|".join(sorted((re.escape(name).replace(r"\ ", r"\s+") for name in TYPES), key=len, reverse=True))

ORDERS = ("relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst")
SCOPES = {"work_item": "thread", "thread": "thread", "work_group": "block", "block": "block",
          "cluster": "cluster", "device": "device", "all_svm_devices": "system", "system": "system"}
READ_OPERATIONS = {"load": 0, "exchange": 1, "fetch_add": 1, "fetch_sub": 1, "fetch_and": 1, "fetch_or": 1,
                   "fetch_xor": 1, "fetch_min": 1, "fetch_max": 1, "compare_exchange_strong": 2,
                   "compare_exchange_weak": 2}
OPERATIONS = {"store": 1, **READ_OPERATIONS}  # the number of values besides the object


@dataclass
class Variable:
    name: str
    type: Type
    count: int = 1
    is_array: bool = False
    initial: list = field(default_factory=lambda: [0])


@dataclass
class Parameter:
    name: str
    type: Type
    is_atomic: bool = False
    is_volatile: bool = False
    class_name: str = ""  # `cuda::atomic<int, cuda::thread_scope_device>`


@dataclass
class Thread:
    name: str  # "P0"
    placement: dict
    parameters: list
    body: str
    start: int  # the offset of the body
    registers: list = field(default_factory=list)  # (name, Type)
    block: int = 0
    lane: int = 0


@dataclass
class Test:
    file: str
    text: str
    name: str
    variables: list
    threads: list
    question: str

    def error(self, offset, message):
        line = self.text.count("\n", 0, offset) + 1
        column = offset - (self.text.rfind("\n", 0, offset) + 1) + 1
        return InputError(f"{self.file}:{line}:{column}: error: {message}")


# ---- reading ----

def without_comments(text):
    """The text with blanks in place of comments. `(* … *)` is a comment outside of functions only."""
    result, i, depth = list(text), 0, 0
    while i < len(text):
        end = None
        if text.startswith("//", i):
            end = text.find("\n", i)
            end = len(text) if end < 0 else end
        elif text.startswith("/*", i):
            end = text.find("*/", i + 2)
            end = len(text) if end < 0 else end + 2
        elif text.startswith("(*", i) and depth == 0:
            nesting, end = 1, i + 2
            while end < len(text) and nesting:
                step = 2 if text[end:end + 2] in ("(*", "*)") else 1
                nesting += {"(*": 1, "*)": -1}.get(text[end:end + 2], 0)
                end += step
        elif text[i] == '"' and depth == 0:
            end = text.find('"', i + 1)
            end = len(text) if end < 0 else end + 1
        if end is not None:
            for k in range(i, end):
                if result[k] != "\n":
                    result[k] = " "
            i = end
            continue
        depth += {"{": 1, "}": -1}.get(text[i], 0)
        i += 1
    return "".join(result)


def closing(text, start):
    """The offset of the bracket that closes the one at `start`; None if there is none."""
    pairs, depth = {"(": ")", "{": "}", "[": "]"}, 0
    for i in range(start, len(text)):
        depth += text[i] == text[start]
        depth -= text[i] == pairs[text[start]]
        if depth == 0:
            return i
    return None


def split_at(text, separator, start=0, opening="([{", ending=")]}"):
    """The parts between separators outside of brackets, with their offsets."""
    parts, depth, begin = [], 0, 0
    for i, c in enumerate(text):
        depth += (c in opening) - (c in ending)
        if c == separator and depth == 0:
            parts.append((text[begin:i], start + begin))
            begin = i + 1
    parts.append((text[begin:], start + begin))
    return parts


def base_type(text):
    return TYPES.get(" ".join(text.split()))


def _parameter(test, text, offset):
    match = re.fullmatch(r"\s*(.*?)\s*([*&])\s*(\w+)\s*", text, re.S)
    if not match:
        raise test.error(offset, f"found the parameter '{text.strip()}', expected a pointer such as `int* x`")
    words, name = match[1], match[3]
    is_volatile = re.search(r"\bvolatile\b", words) is not None
    words = re.sub(r"\b(volatile|const|__global|global)\b", " ", words).strip()
    atomic = re.fullmatch(r"_Atomic\s*\(?\s*([^()]*?)\s*\)?", words)
    member = re.fullmatch(r"((?:cuda::|std::|cuda::std::)*atomic)\s*<\s*([^,<>]+?)\s*(?:,\s*([\w:]+)\s*)?>", words)
    if words in ATOMIC_TYPES:
        return Parameter(name, ATOMIC_TYPES[words], True, is_volatile)
    if atomic and base_type(atomic[1]):
        return Parameter(name, base_type(atomic[1]), True, is_volatile)
    if member and base_type(member[2]):
        scope = "cuda::thread_scope_" + (_scope_name(member[3]) or "system") if member[3] else "cuda::thread_scope_system"
        of = base_type(member[2])
        return Parameter(name, of, True, is_volatile, f"cuda::atomic<{of.cuda}, {scope}>")
    if base_type(words):
        return Parameter(name, base_type(words), False, is_volatile)
    raise test.error(offset, f"found the type '{words}', expected an integer type or an atomic one")


def _name_classes(parameters, body):
    """An atomic object of which a member is called, `y->load()`, is a cuda::atomic of the system."""
    for parameter in parameters:
        if parameter.is_atomic and not parameter.class_name and re.search(rf"\b{parameter.name}\s*->", body):
            parameter.class_name = f"cuda::atomic<{parameter.type.cuda}, cuda::thread_scope_system>"


def _initial_state(test, text, offset, types):
    """The entries between the braces. Variables without a type have that of the parameters."""
    found = {}
    for entry, at in split_at(text, ";", offset):
        if not entry.strip():
            continue
        at += len(entry) - len(entry.lstrip())
        match = re.fullmatch(r"\s*(?P<type>[\w\s]*?)\s*(?P<open>\[)?(?P<name>[A-Za-z_]\w*)(?(open)\])"
                             r"(?:\s*\[\s*(?P<count>\d+)\s*\])?\s*(?:=\s*(?P<value>.*))?", entry, re.S)
        if "__shared__" in entry:
            raise test.error(at, "found a shared variable, expected global ones: a launch shows no others")
        if not match:
            raise test.error(at, f"found '{entry.strip()}', expected a variable such as `x = 0`")
        words = re.sub(r"\b(volatile|const)\b", " ", match["type"]).strip()
        name = match["name"]
        of = (ATOMIC_TYPES.get(words) or base_type(words)) if words else types.get(name, TYPES["int"])
        if of is None:
            raise test.error(at, f"found the type '{words}', expected an integer type")
        count = int(match["count"] or 1)
        value = (match["value"] or "0").strip()
        numbers = [part.strip() for part, _ in split_at(value.strip("{}"), ",")]
        try:
            initial = [int(number, 0) for number in numbers if number]
        except ValueError:
            raise test.error(at, f"found the value '{value}', expected numbers") from None
        if len(initial) > count:
            raise test.error(at, f"found {len(initial)} values, expected at most {count}")
        found[name] = Variable(name, of, count, match["count"] is not None,
                               initial + [0] * (count - len(initial)))
    return found


def _registers(test, body, start):
    """The variables that the statements of a function declare outside of inner blocks."""
    result, i, begin, depth = [], 0, 0, 0
    while i < len(body):
        c = body[i]
        depth += (c in "({") - (c in ")}")
        if depth == 0 and c in ";}":
            match = re.match(rf"\s*(?:const\s+)?({_TYPE_NAMES})\s+(?=[A-Za-z_]\w*\s*(?:[=,;]|$))",
                             body[begin:i + 1])
            if match and c == ";":
                for part, _ in split_at(body[begin + match.end():i], ","):
                    name = re.match(r"\s*(\w+)", part)
                    result.append((name[1], base_type(match[1])))
            begin = i + 1
        i += 1
    return result


_THREAD = re.compile(r"\s*(?:void\s+|__global__\s+|kernel\s+)*(P\d+)\s*(?:@([^(]*))?\(")


def read_test(text, file):
    """Reads a test. Raises InputError."""
    clean = without_comments(text)
    test = Test(file, text, "", [], [], "")
    header = re.match(r"\ufeff?\s*C\s+(\S+)", clean)
    if not header:
        raise test.error(0, "found another header, expected `C name`: a test of scoped C++")
    test.name = header[1]
    open_state = clean.find("{", header.end())
    close_state = closing(clean, open_state) if open_state >= 0 else None
    if close_state is None:
        raise test.error(header.end(), "found no initial state, expected `{ x = 0; }` below the header")
    at = close_state + 1
    while match := _THREAD.match(clean, at):
        close = closing(clean, match.end() - 1)
        open_body = clean.find("{", close) if close else -1
        close_body = closing(clean, open_body) if open_body >= 0 else None
        if close_body is None or clean[close + 1:open_body].strip():
            raise test.error(match.start(1), f"found no function of {match[1]}, expected `{{ … }}` behind its parameters")
        parameters = [_parameter(test, part, offset) for part, offset
                      in split_at(clean[match.end():close], ",", match.end(), "(<", ")>") if part.strip()]
        placement = {}
        for part, offset in split_at(match[2] or "", ",", match.start(2) if match[2] else 0):
            words = part.split()
            if words and (len(words) != 2 or not words[1].isdigit()):
                raise test.error(offset, f"found '{part.strip()}', expected a placement such as `cta 0,gpu 0`")
            if words:
                placement[words[0]] = int(words[1])
        body = clean[open_body + 1:close_body]
        _name_classes(parameters, body)
        test.threads.append(Thread(match[1], placement, parameters, body, open_body + 1,
                                   _registers(test, body, open_body + 1)))
        at = close_body + 1
    if not test.threads:
        raise test.error(at, "found no thread, expected a function such as `P0 (int* x) { … }`")
    test.question = clean[at:].strip()
    types = {}
    for thread in test.threads:
        for parameter in thread.parameters:
            types.setdefault(parameter.name, parameter.type)
    variables = _initial_state(test, clean[open_state + 1:close_state], open_state + 1, types)
    for name, of in types.items():
        variables.setdefault(name, Variable(name, of))
    test.variables = list(variables.values())
    _check_observed(test, at)
    return test


def _check_observed(test, offset):
    for thread, name in set(re.findall(r"\bP?(\d+):(\w+)", test.question)):
        owner = next((t for t in test.threads if t.name == "P" + thread), None)
        if owner is None or name not in (register for register, _ in owner.registers):
            raise test.error(offset, f"found the register {thread}:{name}, expected one that P{thread} declares "
                                     "outside of inner blocks")


# ---- threads and their places ----

def place_threads(test):
    """Gives each thread its block and its place in it. Returns the sizes of grid, block and cluster (or None)."""
    if len({thread.placement.get("gpu", 0) for thread in test.threads}) > 1:
        raise test.error(test.threads[0].start, "found threads of several GPUs, expected one: a launch is of one GPU")
    for thread in test.threads:
        for key in thread.placement:
            if key not in ("cta", "gpu", "cluster", "warp"):
                raise test.error(thread.start, f"found a placement in a {key}, expected cta, cluster and gpu")
    blocks, lanes = {}, {}
    for number, thread in enumerate(test.threads):
        placement = thread.placement
        cta = (placement.get("cluster", "none"), placement["cta"]) if placement else ("alone", number)
        lanes.setdefault(cta, []).append(thread)
    ordered = sorted(lanes, key=lambda cta: (str(cta[0]), cta[1])) if _clusters(test) else list(lanes)
    for index, cta in enumerate(ordered):
        blocks[cta] = index
        for lane, thread in enumerate(lanes[cta]):
            thread.block, thread.lane = index, lane
    return len(blocks), max(len(threads) for threads in lanes.values()), _clusters(test)


def _clusters(test):
    """The number of CTAs of each cluster, if some cluster has several; None if none has."""
    ctas = {}
    for thread in test.threads:
        if "cluster" in thread.placement:
            ctas.setdefault(thread.placement["cluster"], set()).add(thread.placement["cta"])
    sizes = {len(members) for members in ctas.values()}
    if not sizes or sizes == {1}:
        return None
    if len(sizes) > 1 or any("cluster" not in thread.placement for thread in test.threads):
        raise test.error(test.threads[0].start, "found clusters of different sizes, expected one size: that of the launch")
    return sizes.pop()


# ---- bodies ----

def _order_name(text):
    match = re.fullmatch(r"(?:(?:cuda::|std::|cuda::std::)*memory_order(?:_|::)|__ATOMIC_)(\w+)", text.strip())
    name = match[1].lower() if match else ""
    return name if name in ORDERS else None


def _scope_name(text):
    match = re.fullmatch(r"(?:cuda::)?(?:memory|thread)_scope_(\w+)", text.strip())
    return SCOPES.get(match[1]) if match else None


@dataclass
class Operation:
    name: str      # "load", "fence", …
    object: str    # the pointer
    values: list
    orders: list
    scope: str     # "device"
    type: Type = None


class LibcuSpelling:
    """Operations as cuda::atomic_ref of libcu++."""
    prelude = "#include <cuda/atomic>\n"
    block, lane = "blockIdx.x", "threadIdx.x"

    def order(self, name):
        return "cuda::memory_order_" + name

    def operation(self, op):
        orders = [self.order(name) for name in op.orders]
        if op.name == "fence":
            return f"cuda::atomic_thread_fence({orders[0]}, cuda::thread_scope_{op.scope})"
        target = op.object[1:] if op.object.startswith("&") else f"*{op.object}"
        values = list(op.values)
        if op.name.startswith("compare_exchange"):
            expected = values[0]
            values[0] = expected[1:].strip() if expected.startswith("&") else f"*{expected}"
        reference = f"cuda::atomic_ref<{op.type.cuda}, cuda::thread_scope_{op.scope}>({target})"
        return f"{reference}.{op.name}({', '.join(values + orders)})"


class BuiltinSpelling:
    """Operations as the builtins of GCC and clang, which have no scopes: they are of the whole system."""
    prelude = ("#define __global__ __attribute__((global))\n"
               "#define __threadfence() __nvvm_membar_gl()\n"
               "#define __threadfence_block() __nvvm_membar_cta()\n"
               "#define __threadfence_system() __nvvm_membar_sys()\n")
    block, lane = "__nvvm_read_ptx_sreg_ctaid_x()", "__nvvm_read_ptx_sreg_tid_x()"

    def order(self, name):
        return "__ATOMIC_" + name.upper()

    def operation(self, op):
        orders = [self.order(name) for name in op.orders]
        if op.name == "fence":
            return f"__atomic_thread_fence({orders[0]})"
        values = list(op.values)
        name = op.name
        if name.startswith("compare_exchange"):
            values.append("true" if name.endswith("weak") else "false")
            name = "compare_exchange"
            if len(orders) == 1:
                orders.append(self.order(failure_order(op.orders[0])))
        suffix = "" if name.startswith("fetch") else "_n"
        return f"__atomic_{name}{suffix}({', '.join([op.object] + values + orders)})"


SPELLINGS = {"nvcc": LibcuSpelling(), "clang": BuiltinSpelling()}


def failure_order(success):
    """The order of a failed compare_exchange if only one order is given: [atomics.types.operations]."""
    return {"acq_rel": "acquire", "release": "relaxed"}.get(success, success)


class Body:
    """The translation of the body of a thread."""

    def __init__(self, test, thread, spelling):
        self.test, self.thread, self.spelling = test, thread, spelling
        self.parameters = {parameter.name: parameter for parameter in thread.parameters}

    def translated(self):
        self._refuse_unknown()
        return self._rewrite(self.thread.body, self.thread.start)

    def _refuse_unknown(self):
        body, start = self.thread.body, self.thread.start
        if match := re.search(r"\breturn\b", body):
            raise self.test.error(start + match.start(), "found `return`, expected a function that ends at its end")
        for match in re.finditer(r"(?<![\w)\]])\s*\*\s*(\w+)|\b(\w+)\s*\[", body):
            parameter = self.parameters.get(match[1] or match[2])
            before = body[:match.start()].rstrip()[-1:]
            if parameter and parameter.is_atomic and not (match[1] and (before.isalnum() or before in ")]_") and before):
                if self._is_reference(body, match):
                    continue
                raise self.test.error(start + match.start(match.lastindex),
                                      f"found an access to the atomic `{parameter.name}` without an operation, "
                                      "expected one such as atomic_load_explicit")

    @staticmethod
    def _is_reference(body, match):
        """`&y[1]`, `(*y).load()`, `atomic_ref<…> r(*y)`: no access."""
        before = body[:match.start()].rstrip()
        behind = body[match.end():].lstrip()
        if match[2]:
            return before.endswith("&")
        return behind.startswith(")") and (behind[1:].lstrip().startswith((".", ";")))

    def _rewrite(self, text, offset):
        result, i = [], 0
        for match in re.finditer(r"[A-Za-z_][\w]*(?:::[A-Za-z_]\w*)*", text):
            if match.start() < i:
                continue
            result.append(text[i:match.start()])
            i = match.end()
            behind = re.match(r"\s*\(", text[i:])
            is_member = re.search(r"(\.|->)\s*$", text[:match.start()]) is not None
            if behind and not is_member:
                open_at = i + behind.end() - 1
                close = closing(text, open_at)
                if close is None:
                    raise self.test.error(offset + open_at, "found '(' without ')'")
                arguments = split_at(text[open_at + 1:close], ",", offset + open_at + 1)
                operation = self._operation(match[0], arguments, offset + match.start())
                if operation is not None:
                    result.append(operation)
                    i = close + 1
                    continue
            result.append(self._word(match[0]))
        result.append(text[i:])
        return "".join(result)

    def _word(self, word):
        if order := _order_name(word):
            return self.spelling.order(order)
        if scope := _scope_name(word):
            return "cuda::thread_scope_" + scope
        return word

    def _operation(self, function, arguments, offset):
        """The operation that a call is, in the spelling of the compiler; None for other calls."""
        name = function.split("::")[-1]
        is_builtin = name.startswith("__atomic_")
        if not (name.startswith("atomic_") or is_builtin):
            return None
        if name.startswith("atomic_ref"):
            return None
        name = re.sub(r"^(__)?atomic_|_explicit$|_n$", "", name)
        name = re.sub(r"_explicit$|_n$", "", name)
        if name == "signal_fence":
            return "(void)0"
        is_fence = name == "thread_fence"
        name = "compare_exchange_strong" if name == "compare_exchange" else name
        if not is_fence and name not in OPERATIONS:
            raise self.test.error(offset, f"found {function}, expected one of "
                                          + ", ".join("atomic_" + known for known in OPERATIONS))
        texts = [(text.strip(), at) for text, at in arguments if text.strip()]
        scope, orders = "system", []
        if texts and _scope_name(texts[-1][0]):
            scope = _scope_name(texts.pop()[0])
        if scope == "cluster":
            raise self.test.error(offset, "found the scope of the cluster, which libcu++ does not have")
        while texts and _order_name(texts[-1][0]):
            orders.insert(0, _order_name(texts.pop()[0]))
        if is_builtin and name.startswith("compare_exchange") and len(texts) == 4:
            name = "compare_exchange_" + ("strong" if texts.pop()[0] in ("0", "false") else "weak")
        expected = 0 if is_fence else 1 + OPERATIONS[name]
        if len(texts) != expected:
            raise self.test.error(offset, f"found {len(texts)} arguments besides orders and scope, expected {expected} for {function}")
        orders = orders or ["seq_cst"]
        if is_fence:
            return self.spelling.operation(Operation("fence", "", [], orders, scope))
        pointer, at = texts[0]
        root = re.search(r"[A-Za-z_]\w*", pointer)
        parameter = self.parameters.get(root[0]) if root else None
        if parameter is None:
            raise self.test.error(at, f"found `{pointer}`, expected a parameter or the address of an element of one")
        if parameter.class_name:
            pointer = f"reinterpret_cast<{parameter.type.cuda}*>({pointer})"
        elif parameter.is_volatile:
            pointer = f"const_cast<{parameter.type.cuda}*>({pointer})"
        elif not re.fullmatch(r"\w+|&\w+\[[^\]]*\]", pointer):
            pointer = f"({pointer})"
        values = [self._rewrite(text, at) for text, at in texts[1:]]
        return self.spelling.operation(Operation(name, pointer, values, orders, scope, parameter.type))


# ---- the kernel and its launch ----

def kernel_name(test):
    return "t_" + re.sub(r"\W", "_", test.name)


def _out_name(test):
    taken = {variable.name for variable in test.variables}
    return next(name for name in ("out", "registers", "registers_of_threads") if name not in taken)


def _out_type(test):
    types = [of for thread in test.threads for _, of in thread.registers]
    return TYPES["long"] if any(of.bits > 32 or of.launch == "u32" for of in types) else TYPES["int"]


def cuda_text(test, compiler="nvcc"):
    """The kernel as the text of a CUDA file, for "nvcc" (libcu++) or "clang" (builtins)."""
    spelling = SPELLINGS[compiler]
    place_threads(test)
    out, out_type, index = _out_name(test), _out_type(test), 0
    parameters = [f"{variable.type.cuda}* {_passed_name(test, variable)}" for variable in test.variables]
    if any(thread.registers for thread in test.threads):
        parameters.append(f"{out_type.cuda}* {out}")
    lines = [f"// {test.name}: made by compile-litmus", spelling.prelude,
             f'extern "C" __global__ void {kernel_name(test)}({", ".join(parameters)}) {{']
    for thread in test.threads:
        if any(parameter.class_name for parameter in thread.parameters) and compiler != "nvcc":
            raise test.error(thread.start, "found cuda::atomic, which needs nvcc")
        lines.append(f"  if ({spelling.block} == {thread.block} && {spelling.lane} == {thread.lane}) {{  // {thread.name}")
        lines += _typed_parameters(test, thread)
        lines.append(_indented(Body(test, thread, spelling).translated()))
        for register, _ in thread.registers:
            lines.append(f"    {out}[{index}] = {register};")
            index += 1
        lines.append("  }")
    return "\n".join(lines) + "\n}\n"


def _passed_name(test, variable):
    """The kernel's name of a variable that some thread sees with another type than that of the kernel."""
    is_retyped = any(parameter.name == variable.name and (parameter.class_name or parameter.is_volatile)
                     for thread in test.threads for parameter in thread.parameters)
    return variable.name + "_passed" if is_retyped else variable.name


def _typed_parameters(test, thread):
    """A thread sees a variable with the type that its own parameter has."""
    lines = []
    variables = {variable.name: variable for variable in test.variables}
    for parameter in thread.parameters:
        passed = _passed_name(test, variables[parameter.name])
        if passed == parameter.name:
            continue
        of = parameter.class_name or ("volatile " if parameter.is_volatile else "") + parameter.type.cuda
        value = f"reinterpret_cast<{of}*>({passed})" if parameter.class_name else passed
        lines.append(f"    {of}* const {parameter.name} = {value};")
    return lines


def _indented(body):
    lines = [line.rstrip() for line in body.strip("\n").split("\n")]
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return "\n".join("    " + line[margin:] if line.strip() else "" for line in lines).rstrip()


def observed_names(test):
    """What `observe` of the launch file says: names of the test with elements of buffers."""
    names, index, out = [], 0, _out_name(test)
    for thread in test.threads:
        for register, _ in thread.registers:
            names.append(f"{thread.name[1:]}:{register}={out}[{index}]")
            index += 1
    for variable in test.variables:
        for i in range(variable.count):
            name = f"{variable.name}[{i}]" if variable.is_array else variable.name
            names.append(f"{name}={variable.name}[{i}]")
    return ";".join(names)


def launch_text(test, module):
    """The launch file (docs/launch-format.md) of the kernel in a module."""
    grid, block, cluster = place_threads(test)
    lines = [f'module = "{module}"', f'entry = "{kernel_name(test)}"', f"grid = [{grid}]", f"block = [{block}]"]
    if cluster:
        lines.append(f"cluster = [{cluster}]")
    lines.append(f'observe = "{observed_names(test)}"')
    for variable in test.variables:
        lines += ["", "[[param]]", f'name = "{variable.name}"',
                  f'buffer = "{variable.type.launch}[{variable.count}]"', f"init = {variable.initial}"]
    count = sum(len(thread.registers) for thread in test.threads)
    if count:
        lines += ["", "[[param]]", f'name = "{_out_name(test)}"', f'buffer = "{_out_type(test).launch}[{count}]"',
                  "init = 0"]
    return "\n".join(lines) + "\n"
