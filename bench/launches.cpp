#include "bench/launches.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <utility>

namespace ptxmc::bench {

namespace {

namespace fs = std::filesystem;

const fs::path real_kernels = "../shared/kernels";

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Replaces the first place of `from`, if there is one.
void replace(std::string& text, const std::string& from, const std::string& to) {
  if (const auto at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
}

std::string launch(const fs::path& module, const std::string& entry, unsigned grid, unsigned block,
                   const std::string& rest) {
  return fmt::format("module = \"{}\"\nentry = \"{}\"\ngrid = [{}]\nblock = [{}]\n{}",
                     fs::absolute(module).string(), entry, grid, block, rest);
}

std::string buffer(const std::string& name, const std::string& type, const std::string& init) {
  return fmt::format("[[param]]\nname = \"{}\"\nbuffer = \"{}\"\ninit = {}\n", name, type, init);
}

/// A tree reduction in shared memory, as compilers print it: a barrier a step.
std::string reduction_module(unsigned threads) {
  return fmt::format(R"(.version 8.7
.target sm_80
.address_size 64
.visible .entry reduction(.param .u64 in, .param .u64 out)
{{
  .reg .pred %p<3>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 sums[{0}];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd1, %rd3;
  ld.global.u32 %r2, [%rd4];
  shl.b32 %r3, %r1, 2;
  mov.u32 %r4, sums;
  add.s32 %r5, %r4, %r3;
  st.shared.u32 [%r5], %r2;
  bar.sync 0;
  mov.u32 %r6, {1};
STEP:
  setp.ge.u32 %p1, %r1, %r6;
  @%p1 bra MEET;
  shl.b32 %r7, %r6, 2;
  add.s32 %r7, %r5, %r7;
  ld.shared.u32 %r8, [%r7];
  ld.shared.u32 %r9, [%r5];
  add.s32 %r9, %r9, %r8;
  st.shared.u32 [%r5], %r9;
MEET:
  bar.sync 0;
  shr.u32 %r6, %r6, 1;
  setp.ne.u32 %p1, %r6, 0;
  @%p1 bra STEP;
  setp.ne.u32 %p2, %r1, 0;
  @%p2 bra END;
  ld.shared.u32 %r9, [sums];
  st.global.u32 [%rd2], %r9;
END:
  ret;
}}
)",
                     4 * threads, threads / 2);
}

/// The size of a pipeline: one thread copies tiles of a word for each other thread into stages.
struct Pipeline {
  unsigned consumers, stages, rounds;
};

/// A bug: a part of a module, and what stands there instead.
struct Bug {
  std::string name, part, instead;
};

const std::vector<Bug>& pipeline_bugs() {
  static const std::vector<Bug> bugs = {
      {"no wait for empty", "  mbarrier.try_wait.parity.shared.b64 %p3, [%r11], %r13;\n  @!%p3 bra EMPTY;\n",
       ""},
      {"no arrival at empty", "  mbarrier.arrive.shared.b64 _, [%r11];\n", ""},
      {"no proxy fence", "  fence.proxy.async.shared::cta;\n", ""},
      {"wrong parity", "[%r10], %r7;", "[%r10], 0;"},
      {"all tiles in one stage", "tx::bytes [%r12]", "tx::bytes [%r4]"},
  };
  return bugs;
}

const std::vector<Bug>& meeting_bugs() {
  static const std::vector<Bug> bugs = {
      {"no wait", "  mbarrier.try_wait.shared.b64 %p2, [bar], %rd4;\n  @!%p2 bra FIRST;\n", ""},
      {"no second meeting",
       "  mbarrier.arrive.shared.b64 %rd4, [bar];\nSECOND:\n"
       "  mbarrier.try_wait.shared.b64 %p2, [bar], %rd4;\n  @!%p2 bra SECOND;\n",
       ""},
      {"a thread too many is expected", "[bar], ", "[bar], 1"},
  };
  return bugs;
}

std::string with_bug(std::string module, const Bug& bug) {
  replace(module, bug.part, bug.instead);
  return module;
}

/// Copies by cp.async.bulk, with a full and an empty mbarrier for each stage.
std::string pipeline_module(const Pipeline& size) {
  return fmt::format(R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry pipeline(.param .u64 in, .param .u64 out)
{{
  .reg .pred %p<4>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<6>;
  .shared .align 128 .b8 tiles[{0}];
  .shared .align 8 .b8 full[{1}];
  .shared .align 8 .b8 empty[{1}];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
  mov.u32 %r3, 0;
  mov.u32 %r4, tiles;
  mov.u32 %r5, full;
  mov.u32 %r6, empty;
  mov.u32 %r7, 0;
  mov.u32 %r8, 0;
  setp.ne.u32 %p1, %r1, {2};
  @%p1 bra BEGIN;
INIT:
  shl.b32 %r9, %r2, 3;
  add.u32 %r10, %r5, %r9;
  add.u32 %r11, %r6, %r9;
  mbarrier.init.shared.b64 [%r10], 1;
  mbarrier.init.shared.b64 [%r11], {2};
  add.u32 %r2, %r2, 1;
  setp.ne.u32 %p2, %r2, {3};
  @%p2 bra INIT;
  mov.u32 %r2, 0;
BEGIN:
  bar.sync 0;
TILE:
  shl.b32 %r9, %r2, 3;
  add.u32 %r10, %r5, %r9;
  add.u32 %r11, %r6, %r9;
  mul.lo.u32 %r12, %r2, {4};
  add.u32 %r12, %r4, %r12;
  @%p1 bra CONSUME;
  setp.eq.u32 %p2, %r3, 0;
  @%p2 bra FILL;
  xor.b32 %r13, %r7, 1;
EMPTY:
  mbarrier.try_wait.parity.shared.b64 %p3, [%r11], %r13;
  @!%p3 bra EMPTY;
FILL:
  mbarrier.arrive.expect_tx.shared.b64 _, [%r10], {4};
  cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r12], [%rd1], {4}, [%r10];
  add.s64 %rd1, %rd1, {4};
  bra NEXT;
CONSUME:
  mbarrier.try_wait.parity.shared.b64 %p3, [%r10], %r7;
  @!%p3 bra CONSUME;
  shl.b32 %r13, %r1, 2;
  add.u32 %r13, %r12, %r13;
  ld.shared.u32 %r14, [%r13];
  add.u32 %r8, %r8, %r14;
  fence.proxy.async.shared::cta;
  mbarrier.arrive.shared.b64 _, [%r11];
NEXT:
  add.u32 %r2, %r2, 1;
  setp.ne.u32 %p2, %r2, {3};
  @%p2 bra TILE;
  mov.u32 %r2, 0;
  xor.b32 %r7, %r7, 1;
  add.u32 %r3, %r3, 1;
  setp.ne.u32 %p2, %r3, {5};
  @%p2 bra TILE;
  @!%p1 bra END;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd4, %rd2, %rd3;
  st.global.u32 [%rd4], %r8;
END:
  ret;
}}
)",
                     4 * size.consumers * size.stages, 8 * size.stages, size.consumers, size.stages,
                     4 * size.consumers, size.rounds);
}

/// Threads that write, meet at an mbarrier, read what others have written, and meet again, as those at a
/// cuda::barrier do.
std::string mbarrier_module(unsigned threads, unsigned rounds) {
  return fmt::format(R"(.version 8.7
.target sm_90
.address_size 64
.visible .entry meetings(.param .u64 in, .param .u64 out)
{{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<6>;
  .shared .align 4 .b8 values[{0}];
  .shared .align 8 .b8 bar[8];
  ld.param.u64 %rd1, [in];
  ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd3, %r1, 4;
  add.s64 %rd1, %rd1, %rd3;
  add.s64 %rd2, %rd2, %rd3;
  ld.global.u32 %r2, [%rd1];
  setp.ne.u32 %p1, %r1, 0;
  @%p1 bra BEGIN;
  mbarrier.init.shared.b64 [bar], {1};
BEGIN:
  bar.sync 0;
  mov.u32 %r3, values;
  shl.b32 %r4, %r1, 2;
  xor.b32 %r5, %r4, 4;
  add.u32 %r4, %r3, %r4;
  add.u32 %r5, %r3, %r5;
  mov.u32 %r6, 0;
ROUND:
  st.shared.u32 [%r4], %r2;
  mbarrier.arrive.shared.b64 %rd4, [bar];
FIRST:
  mbarrier.try_wait.shared.b64 %p2, [bar], %rd4;
  @!%p2 bra FIRST;
  ld.shared.u32 %r2, [%r5];
  mbarrier.arrive.shared.b64 %rd4, [bar];
SECOND:
  mbarrier.try_wait.shared.b64 %p2, [bar], %rd4;
  @!%p2 bra SECOND;
  add.u32 %r6, %r6, 1;
  setp.ne.u32 %p1, %r6, {2};
  @%p1 bra ROUND;
  st.global.u32 [%rd2], %r2;
  ret;
}}
)",
                     4 * threads, threads, rounds);
}

class Writer {
 public:
  explicit Writer(const fs::path& folder) : folder_(folder) {}

  void add(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / fmt::format("launch-{}.toml", launches_.size());
    std::ofstream(file) << text;
    launches_.push_back({name, file});
  }

  void add_reduction(unsigned threads) {
    const fs::path module = folder_ / fmt::format("reduction-{}.ptx", threads);
    std::ofstream(module) << reduction_module(threads);
    add(fmt::format("block reduction, {} threads", threads),
        launch(module, "reduction", 1, threads,
               buffer("in", fmt::format("s32[{}]", threads), "1") + buffer("out", "s32[1]", "0") +
                   fmt::format("[final]\nassert = \"out[0] == {}\"\n", threads)));
  }

  /// The contents that the pipeline copies are open.
  void add_pipeline(const Pipeline& size, const Bug& bug = {}) {
    const auto& [consumers, stages, rounds] = size;
    const fs::path module =
        folder_ / fmt::format("pipeline-{}-{}-{}{}.ptx", consumers, stages, rounds, suffix_of(bug));
    std::ofstream(module) << with_bug(pipeline_module(size), bug);
    add(fmt::format("pipeline, {} threads, {} stages, {} rounds{}", consumers, stages, rounds,
                    suffix_of(bug)),
        launch(module, "pipeline", 1, consumers + 1,
               buffer("in", fmt::format("s32[{}]", consumers * stages * rounds), "\"any\"") +
                   buffer("out", fmt::format("s32[{}]", consumers), "0")));
  }

  void add_meetings(unsigned threads, unsigned rounds, const Bug& bug = {}) {
    const fs::path module = folder_ / fmt::format("meetings-{}-{}{}.ptx", threads, rounds, suffix_of(bug));
    std::ofstream(module) << with_bug(mbarrier_module(threads, rounds), bug);
    const std::string type = fmt::format("s32[{}]", threads);
    add(fmt::format("mbarrier, {} threads, {} phases{}", threads, 2 * rounds, suffix_of(bug)),
        launch(module, "meetings", 1, threads, buffer("in", type, "\"any\"") + buffer("out", type, "0")));
  }

  /// The lock of ../shared/kernels with its assertion about as many blocks.
  void add_spin_lock(unsigned blocks) {
    std::string module = text_of(real_kernels / "spinlock_ok.ptx");
    if (module.empty()) return;
    replace(module, "%r7, 1;", fmt::format("%r7, {};", blocks - 1));
    replace(module, "%r8, 2;", fmt::format("%r8, {};", blocks));
    const fs::path file = folder_ / fmt::format("spinlock-{}.ptx", blocks);
    std::ofstream(file) << module;
    add(fmt::format("spin lock, {} blocks", blocks),
        launch(file, "spinlock", blocks, 1,
               buffer("lock", "s32[1]", "0") + buffer("data", "s32[1]", "0") + buffer("done", "s32[1]", "0") +
                   fmt::format("[final]\nassert = \"data[0] == {}\"\n", blocks)));
  }

  /// Every thread looks whether it is below an open `n`; with fewer elements that is too late.
  void add_saxpy(unsigned elements) {
    const fs::path module = real_kernels / "saxpy_ok.ptx";
    if (!fs::exists(module)) return;
    std::vector<std::string> numbers;
    for (unsigned i = 0; i < elements; ++i) numbers.push_back(fmt::format("{}.0", i));
    add(fmt::format("saxpy, n up to 64, {} elements", elements),
        launch(
            module, "saxpy", 2, 32,
            "assume = \"n >= 0 && n <= 64\"\n[[param]]\nname = \"n\"\ntype = \"s32\"\nvalue = \"any\"\n"
            "[[param]]\nname = \"alpha\"\ntype = \"f32\"\nvalue = 2.0\n" +
                buffer("x", fmt::format("f32[{}]", elements), fmt::format("[{}]", fmt::join(numbers, ", "))) +
                buffer("y", fmt::format("f32[{}]", elements), "1.0")));
  }

  /// A launch of tests/any_size with a given size; no blocks: for any size.
  void add_uniform(const std::string& kernel, unsigned blocks, unsigned threads) {
    const fs::path tests = "tests/any_size";
    std::string text = text_of(tests / (kernel + ".toml"));
    replace(text, "\"kernels.ptx\"", fmt::format("\"{}\"", fs::absolute(tests / "kernels.ptx").string()));
    if (blocks != 0) {
      replace(text, "grid = \"any\"", fmt::format("grid = [{}]", blocks));
      replace(text, "block = \"any\"", fmt::format("block = [{}]", threads));
    }
    const std::string size = blocks == 0 ? "any size" : fmt::format("{} x {} threads", blocks, threads);
    add(fmt::format("{}, {}", kernel, size), text);
  }

  std::vector<MeasuredLaunch> take() { return std::move(launches_); }

 private:
  static std::string suffix_of(const Bug& bug) { return bug.name.empty() ? "" : ", bug: " + bug.name; }

  const fs::path folder_;
  std::vector<MeasuredLaunch> launches_;
};

}  // namespace

std::vector<MeasuredLaunch> write_launches(const fs::path& folder) {
  Writer writer(folder);
  for (const unsigned threads : {256U, 1024U}) writer.add_reduction(threads);
  for (const unsigned elements : {64U, 63U}) writer.add_saxpy(elements);
  for (const unsigned blocks : {2U, 3U, 4U}) writer.add_spin_lock(blocks);
  for (const unsigned threads : {8U, 32U, 128U}) writer.add_pipeline({threads, 4, 8});
  for (const unsigned stages : {1U, 2U}) writer.add_pipeline({128, stages, 8});
  for (const unsigned rounds : {2U, 4U}) writer.add_pipeline({128, 4, rounds});
  for (const Bug& bug : pipeline_bugs()) writer.add_pipeline({128, 4, 2}, bug);
  for (const unsigned threads : {16U, 64U, 256U}) writer.add_meetings(threads, 4);
  for (const Bug& bug : meeting_bugs()) writer.add_meetings(256, 4, bug);
  for (const char* kernel : {"two_phases", "two_phases_bug", "histogram", "compact", "compact_bug"}) {
    for (const auto& [blocks, threads] : {std::pair(1U, 32U), {1U, 1024U}, {64U, 1024U}, {1024U, 1024U}})
      writer.add_uniform(kernel, blocks, threads);
    writer.add_uniform(kernel, 0, 0);
  }
  auto launches = writer.take();
  launches.push_back(
      {"barrier of a grid, 2 x 2 threads, twice", fs::absolute("tests/kernels/rounds_ok.toml")});
  return launches;
}

}  // namespace ptxmc::bench
