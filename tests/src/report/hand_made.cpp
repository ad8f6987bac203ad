#include "tests/src/report/hand_made.hpp"

#include <algorithm>

namespace ptxmc {

EventId HandMade::variable(const std::string& name) {
  const std::uint64_t address = 0x1000 + 8 * program.memory.size();
  program.memory.push_back({.name = name, .address = address, .location = address, .initial = {Bits(64, 0)}});
  const EventId id =
      add(EventKind::initial_write, "", static_cast<EventId>(program.memory.size()) - 1, 0, false);
  execution.events[id].instruction = nullptr;
  return id;
}

void HandMade::thread(int cta, int cluster, int gpu) {
  program.threads.push_back({.name = "P" + std::to_string(program.threads.size()),
                             .placement = {.cta = cta, .cluster = cluster, .gpu = gpu},
                             .code = {},
                             .register_names = {},
                             .initial_registers = {}});
}

EventId HandMade::add(EventKind kind, const std::string& text, EventId variable, std::uint64_t value,
                      bool same_step) {
  execution.program = &program;
  const EventId id = static_cast<EventId>(execution.events.size());
  Event event;
  event.kind = kind;
  event.thread = static_cast<int>(program.threads.size()) - 1;
  event.step = static_cast<unsigned>(id) - (same_step ? 1 : 0);
  if (variable >= 0) {
    event.address = event.location = Bits(64, program.memory.at(variable).address);
    event.size = 8;
    event.value = Bits(64, value);
  }
  // Sources as litmus tests have them: the first instructions of all threads stand in one line.
  std::uint32_t line = 8;
  for (const Event& earlier : execution.events)
    if (earlier.thread == event.thread && earlier.thread >= 0) ++line;
  instructions.push_back(
      {.form = nullptr, .operands = {}, .guard = {}, .where = {.line = line, .column = 2}, .text = text});
  event.instruction = &instructions.back();
  execution.events.push_back(event);
  execution.barrier_phase.push_back(-1);
  return id;
}

EventId HandMade::read(const std::string& text, EventId variable, std::uint64_t value) {
  return add(EventKind::read, text, variable, value, false);
}

EventId HandMade::write(const std::string& text, EventId variable, std::uint64_t value) {
  return add(EventKind::write, text, variable, value, false);
}

EventId HandMade::update(const std::string& text, EventId variable, std::uint64_t from, std::uint64_t to) {
  const EventId id = add(EventKind::read, text, variable, from, false);
  add(EventKind::write, text, variable, to, false);
  execution.events[id].rmw = id + 1;
  execution.events[id + 1].rmw = id;
  return id;
}

EventId HandMade::fence(const std::string& text) { return add(EventKind::fence, text, -1, 0, false); }

EventId HandMade::barrier(const std::string& text, int phase, Barrier::Kind kind) {
  const EventId id = add(EventKind::barrier, text, -1, 0, false);
  execution.barrier_phase[id] = phase;
  execution.events[id].barrier.kind = kind;
  return id;
}

void HandMade::reads_from(EventId write, EventId read) {
  execution.reads_from.push_back({read, write, execution.events[read].location.to_u64(), 8});
}

void HandMade::relate(const std::string& relation, Pairs pairs) {
  Pairs all = execution.relations.pairs(relation);
  all.insert(all.end(), pairs.begin(), pairs.end());
  execution.relations.set(relation, std::move(all));
}

std::unique_ptr<HandMade> message_passing() {
  auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x"), flag = made->variable("flag");
  made->thread(0, 0, 0);
  const EventId write_x = made->write("st.weak x, 1", x, 1);
  const EventId write_flag = made->write("st.release.cta flag, 1", flag, 1);
  made->thread(1, 1, 0);
  const EventId read_flag = made->read("ld.acquire.cta r0, flag", flag, 1);
  const EventId read_x = made->read("ld.weak r1, x", x, 0);
  made->reads_from(write_flag, read_flag);
  made->reads_from(x, read_x);
  made->relate("co", {{x, write_x}, {flag, write_flag}});
  made->relate("fr", {{read_x, write_x}});
  return made;
}

std::unique_ptr<HandMade> message_passing_synchronized() {
  auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x"), flag = made->variable("flag");
  made->thread(0, 0, 0);
  const EventId write_x = made->write("st.weak x, 1", x, 1);
  const EventId write_flag = made->write("st.release.gpu flag, 1", flag, 1);
  made->thread(1, 1, 0);
  const EventId read_flag = made->read("ld.acquire.gpu r0, flag", flag, 1);
  const EventId read_x = made->read("ld.weak r1, x", x, 1);
  made->reads_from(write_flag, read_flag);
  made->reads_from(write_x, read_x);
  made->relate("co", {{x, write_x}, {flag, write_flag}});
  made->relate("synchronizes", {{write_flag, read_flag}});
  return made;
}

std::unique_ptr<HandMade> store_buffering() {
  auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x"), y = made->variable("y");
  made->thread(0, 0, 0);
  const EventId write_x = made->write("st.relaxed.gpu x, 1", x, 1);
  const EventId fence_0 = made->fence("fence.sc.gpu");
  const EventId read_y = made->read("ld.relaxed.gpu r0, y", y, 0);
  made->thread(1, 1, 0);
  const EventId write_y = made->write("st.relaxed.gpu y, 1", y, 1);
  const EventId fence_1 = made->fence("fence.sc.gpu");
  const EventId read_x = made->read("ld.relaxed.gpu r0, x", x, 1);
  made->reads_from(y, read_y);
  made->reads_from(write_x, read_x);
  made->relate("co", {{x, write_x}, {y, write_y}});
  made->relate("fr", {{read_y, write_y}});
  made->relate("fence_sc", {{fence_0, fence_1}});
  made->relate("synchronizes", {{fence_0, fence_1}});
  return made;
}

std::unique_ptr<HandMade> independent_reads() {
  auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x"), y = made->variable("y");
  made->thread(0, 0, 0);
  const EventId write_x = made->write("st.relaxed.sys x, 1", x, 1);
  made->thread(1, 1, 0);
  const EventId read_x = made->read("ld.acquire.sys r0, x", x, 1);
  const EventId read_y_first = made->read("ld.acquire.sys r1, y", y, 0);
  made->thread(2, 2, 1);
  const EventId read_y = made->read("ld.acquire.sys r0, y", y, 1);
  const EventId read_x_first = made->read("ld.acquire.sys r1, x", x, 0);
  made->thread(3, 3, 1);
  const EventId write_y = made->write("st.relaxed.sys y, 1", y, 1);
  made->reads_from(write_x, read_x);
  made->reads_from(y, read_y_first);
  made->reads_from(write_y, read_y);
  made->reads_from(x, read_x_first);
  made->relate("co", {{x, write_x}, {y, write_y}});
  made->relate("fr", {{read_y_first, write_y}, {read_x_first, write_x}});
  return made;
}

std::unique_ptr<HandMade> barrier_exchange() {
  auto made = std::make_unique<HandMade>();
  const EventId x = made->variable("x"), y = made->variable("y");
  made->thread(0, 0, 0);
  const EventId write_x = made->write("st.weak x, 1", x, 1);
  const EventId sync_0 = made->barrier("bar.cta.sync 0, 0, 3", 0);
  const EventId read_y = made->read("ld.weak r0, y", y, 7);
  made->thread(0, 0, 0);
  const EventId write_y_5 = made->write("st.weak y, 5", y, 5);
  const EventId write_y = made->write("st.weak y, 7", y, 7);
  const EventId sync_1 = made->barrier("bar.cta.sync 0, 0, 3", 0);
  const EventId read_x = made->read("ld.weak r0, x", x, 1);
  made->thread(0, 0, 0);
  const EventId arrive = made->barrier("bar.cta.arrive 0, 0, 3", 0, Barrier::Kind::arrive);
  made->reads_from(write_y, read_y);
  made->reads_from(write_x, read_x);
  made->relate("co", {{x, write_x}, {y, write_y_5}, {y, write_y}, {write_y_5, write_y}});
  made->relate("synchronizes", {{sync_0, sync_1}, {sync_1, sync_0}, {arrive, sync_0}, {arrive, sync_1}});
  return made;
}

std::unique_ptr<HandMade> lock_handover() {
  auto made = std::make_unique<HandMade>();
  const EventId lock = made->variable("lock"), count = made->variable("count");
  EventId unlocked = lock, counted = count;
  Pairs lock_order, count_order;
  std::vector<EventId> lock_writes, count_writes;
  const Placement placements[] = {{0, 0, 0}, {1, 0, 0}, {2, 1, 0}};
  for (std::uint64_t turn = 0; turn < 3; ++turn) {
    made->thread(placements[turn].cta, placements[turn].cluster, placements[turn].gpu);
    const EventId taken = made->update("atom.acquire.gpu.cas r0, lock, 0, 1", lock, 0, 1);
    const EventId loaded = made->read("ld.weak r1, count", count, turn);
    const EventId stored = made->write("st.weak count, r2", count, turn + 1);
    const EventId released = made->write("st.release.gpu lock, 0", lock, 0);
    made->reads_from(unlocked, taken);
    made->reads_from(counted, loaded);
    for (const EventId earlier : count_writes) count_order.emplace_back(earlier, stored);
    for (const EventId earlier : lock_writes)
      lock_order.insert(lock_order.end(), {{earlier, taken + 1}, {earlier, released}});
    lock_order.emplace_back(taken + 1, released);
    if (turn > 0) made->relate("synchronizes", {{unlocked, taken}});
    lock_writes.insert(lock_writes.end(), {taken + 1, released});
    count_writes.push_back(stored);
    unlocked = released, counted = stored;
  }
  made->relate("co", lock_order);
  made->relate("co", count_order);
  for (const ReadsFrom& rf : made->execution.reads_from)
    for (const auto& writes : {lock_writes, count_writes})
      for (const EventId write : writes) {
        const Pairs order = made->execution.relations.at("co");
        const bool after =
            rf.write < 2 ? made->execution.events[write].location.to_u64() == rf.first
                         : std::find(order.begin(), order.end(), std::pair(rf.write, write)) != order.end();
        if (after) made->relate("fr", {{rf.read, write}});
      }
  return made;
}

std::unique_ptr<HandMade> ring_of(int n) {
  auto made = std::make_unique<HandMade>();
  for (int i = 0; i < n; ++i) made->variable("x" + std::to_string(i));
  std::vector<EventId> writes, fences, reads;
  for (int i = 0; i < n; ++i) {
    made->thread(i / 2, i / 2, i / 4);
    writes.push_back(made->write("st.relaxed.sys x" + std::to_string(i) + ", 1", i, 1));
    fences.push_back(made->fence("fence.sc.sys"));
    const int next = (i + 1) % n;
    reads.push_back(made->read("ld.relaxed.sys r0, x" + std::to_string(next), next, i == n - 1 ? 1 : 0));
  }
  for (int i = 0; i < n; ++i) {
    const int next = (i + 1) % n;
    made->relate("co", {{i, writes[i]}});
    if (i == n - 1) {
      made->reads_from(writes[next], reads[i]);
    } else {
      made->reads_from(next, reads[i]);
      made->relate("fr", {{reads[i], writes[next]}});
    }
    for (int j = 0; j < i; ++j) made->relate("fence_sc", {{fences[j], fences[i]}});
  }
  return made;
}

}  // namespace ptxmc
