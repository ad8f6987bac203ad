#include "src/kernel/machine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "semantics/form.hpp"
#include "src/kernel/passed_parameters.hpp"

namespace ptxmc::kernel {

namespace {

std::string text_of(const Dimensions& d) { return fmt::format("({}, {}, {})", d[0], d[1], d[2]); }

Dimensions position_in(std::uint64_t number, const Dimensions& size) {
  return {static_cast<std::uint32_t>(number % size[0]),
          static_cast<std::uint32_t>(number / size[0] % size[1]),
          static_cast<std::uint32_t>(number / size[0] / size[1])};
}

}  // namespace

Machine::Machine(LoadedModule& module, const Launch& launch, const RunOptions& options,
                 std::function<void(const std::string&)> print)
    : module_(module), launch_(launch), options_(options), print_(std::move(print)) {
  if (options_.seed) random_.seed(*options_.seed);
  const std::string& name = launch.entries.front();
  const syntax::Function* entry = module_.find_function(name);
  if (entry == nullptr || !entry->is_entry)
    throw InputError(launch.file.string(), {},
                     fmt::format("found no entry '{}' in {}", name, launch.module.string()));
  if (entry->parameters.size() != launch.parameters.size())
    throw InputError(launch.file.string(), {},
                     fmt::format("found {} parameters, expected the {} of '{}'", launch.parameters.size(),
                                 entry->parameters.size(), name));
  make_parameters();
  make_threads(*entry);
}

Machine::~Machine() = default;

void Machine::make_parameters() {
  PassedParameters passed = pass_parameters(launch_, module_.global);
  buffers_ = std::move(passed.buffers);
  values_ = std::move(passed.values);
}

void Machine::make_threads(const syntax::Function& entry) {
  for (std::uint64_t c = 0; c < volume(launch_.grid); ++c) {
    auto cta = std::make_unique<Cta>();
    cta->index = position_in(c, launch_.grid);
    for (const Allocation& variable : module_.shared.all())
      cta->shared.allocate_at(variable.name, variable.base, variable.bytes.size());
    for (std::uint32_t t = 0; t < volume(launch_.block); ++t) {
      auto thread = std::make_unique<Thread>();
      thread->cta = cta.get();
      thread->number = t;
      thread_ = thread.get();
      enter(entry, nullptr);
      const LoadedFunction& loaded = *frame().function;
      for (std::size_t i = 0; i < values_.size(); ++i) {
        Allocation* place = thread->parameters.find(loaded.parameters[i].address, 1);
        if (place == nullptr || place->bytes.size() != values_[i].size())
          throw InputError(
              launch_.file.string(), {},
              fmt::format("found {} bytes for parameter '{}', expected {}", values_[i].size(),
                          launch_.parameters[i].name, place == nullptr ? 0 : place->bytes.size()));
        place->bytes = values_[i];
        place->is_written.assign(place->bytes.size(), true);
      }
      threads_.push_back(thread.get());
      cta->threads.push_back(std::move(thread));
    }
    ctas_.push_back(std::move(cta));
  }
}

Thread* Machine::choose() {
  if (options_.seed) {
    std::vector<Thread*> running;
    for (Thread* thread : threads_)
      if (thread->state == Thread::State::running) running.push_back(thread);
    return running.empty() ? nullptr : running[random_() % running.size()];
  }
  for (std::size_t tried = 0; tried < threads_.size(); ++tried) {
    Thread* thread = threads_[turn_++ % threads_.size()];
    if (thread->state == Thread::State::running) return thread;
  }
  return nullptr;
}

void Machine::run() {
  try {
    while (Thread* thread = choose()) {
      // A thread that is alone has every turn.
      const unsigned turns = threads_.size() == 1 ? 1U << 16 : 1;
      for (unsigned i = 0; i < turns && thread->state == Thread::State::running; ++i) step(*thread);
    }
    const bool all_ended =
        std::ranges::all_of(threads_, [](const Thread* t) { return t->state == Thread::State::ended; });
    if (!all_ended) report_deadlock();
  } catch (const LaunchEnded&) {
  }
}

void Machine::step(Thread& thread) {
  thread_ = &thread;
  Frame& current = frame();
  const auto& code = current.function->lowered.code;
  if (current.next >= code.size()) {
    ret();
    return;
  }
  if (++steps_ > options_.step_limit)
    end_launch("step-limit", fmt::format("more than {} instructions", options_.step_limit));
  const Instruction& instruction = code[current.next];
  const Target at = current.next++;
  if (instruction.guard) {
    const bool holds = current.registers[instruction.guard->predicate].is_true();
    if (holds == instruction.guard->negated) return;
  }
  try {
    execute_in(current, instruction);
  } catch (const Blocked&) {
    current.next = at;
  }
}

void Machine::execute_in(Frame& current, const Instruction& instruction) {
  if (!current.function->clocks.empty()) set_clocks(current);
  const Treatment treatment = current.function->treatments[current.next - 1];
  if (treatment == Treatment::call) {
    call(*current.function->calls.at(current.next - 1));
    return;
  }
  if (treatment == Treatment::stack) {
    stack_instruction(instruction);
    return;
  }
  if (treatment == Treatment::integer_division) {
    const Operand& divisor = instruction.operands[2];
    const auto* r = std::get_if<Operand::Register>(&divisor.is);
    const auto* number = std::get_if<Operand::Immediate>(&divisor.is);
    const Bits value = r != nullptr ? current.registers[r->id] : number->value;
    if (value.value() == 0) note("division-by-zero", "the result of a division by zero is unspecified");
  }
  execute(instruction, current.registers, *this);
}

// ---- findings ----

void Machine::note(const std::string& kind, const std::string& message) {
  Finding finding = {kind, message, "", {}};
  if (thread_ != nullptr) {
    finding.thread = fmt::format("thread {} of CTA {}", text_of(position_in(thread_->number, launch_.block)),
                                 text_of(thread_->cta->index));
    for (auto frame = thread_->frames.rbegin(); frame != thread_->frames.rend(); ++frame) {
      const auto& lowered = frame->function->lowered;
      const std::size_t at = frame->next == 0 ? 0 : frame->next - 1;
      if (at >= lowered.code.size()) continue;
      finding.calls.push_back(
          {std::string(frame->function->function->name.text), lowered.code[at].where, lowered.lines[at]});
    }
  }
  // The same thing at the same place is said once.
  for (const Finding& known : findings_)
    if (known.kind == kind && known.message == message && !known.calls.empty() && !finding.calls.empty() &&
        known.calls[0].where.line == finding.calls[0].where.line)
      return;
  findings_.push_back(std::move(finding));
}

void Machine::end_launch(const std::string& kind, const std::string& message) {
  note(kind, message);
  throw LaunchEnded();
}

void Machine::trap() { end_launch("assertion", "trap"); }

void Machine::report_deadlock() {
  for (Thread* thread : threads_) {
    if (thread->state != Thread::State::waiting) continue;
    thread_ = thread;
    ++frame().next;  // the barrier itself, not what stands before it
    note("deadlock", "waits at a barrier that is never complete");
    return;
  }
}

void Machine::exit() {
  thread_->state = Thread::State::ended;
  look_at_barriers(*thread_->cta);
}

void Machine::ret() {
  if (thread_->frames.size() > 1) {
    leave();
  } else {
    exit();
  }
}

const Allocation* Machine::buffer(std::size_t parameter) const {
  return buffers_[parameter] == 0 ? nullptr : module_.global.find(buffers_[parameter], 0);
}

}  // namespace ptxmc::kernel
