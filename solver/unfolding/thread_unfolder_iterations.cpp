// One iteration of a loop alone.
#include <algorithm>

#include "solver/unfolding/thread_unfolder.hpp"

namespace ptxmc {

bool ThreadUnfolder::is_first_at_head(Target node) const {
  const UnfoldingFrame& frame = path_.frame();
  return !frame.loops.empty() && frame.loops.back().head == node && frame.loops.back().iteration == 0;
}

bool ThreadUnfolder::is_end_of_iteration(Target node, const Path& path, bool is_back_edge) const {
  return iteration_ != nullptr && is_back_edge && node == iteration_->head &&
         path.frames.size() == iteration_->frames;
}

bool ThreadUnfolder::is_outside_of_iteration(Target node, const Path& path) const {
  if (path.frames.size() != iteration_->frames) return path.frames.size() < iteration_->frames;
  const auto& heads = path.frame().body->flow.enclosing_heads(node);
  return heads.size() < iteration_->loops || heads[iteration_->loops - 1] != iteration_->head;
}

void ThreadUnfolder::add_exit(Target node, bool is_back_edge, Path path) {
  if (path.frames.size() == iteration_->frames) path.frame().loops.resize(iteration_->loops - 1);
  for (Iteration::Exit& exit : iteration_->exits)
    if (exit.to == node && exit.is_back_edge == is_back_edge && exit.path.frames.size() == path.frames.size())
      return merge(exit.path, path, reads_);
  iteration_->exits.push_back({node, is_back_edge, std::move(path)});
}

ThreadUnfolder::Iteration ThreadUnfolder::unfold_iteration(Path at_head) {
  Iteration result;
  const UnfoldingFrame& frame = at_head.frame();
  result.head = frame.loops.back().head;
  result.frames = at_head.frames.size();
  result.loops = frame.loops.size();
  Iteration* const outer = std::exchange(iteration_, &result);
  auto waiting = std::exchange(waiting_, {});
  const auto go_on = [&] {
    waiting_ = std::move(waiting);
    iteration_ = outer;
  };
  auto& endings = structure_.endings[static_cast<std::size_t>(thread_)];
  const std::size_t ended = endings.size(), events = structure_.events.size();
  path_ = std::move(at_head);
  try {
    step(result.head);
    unfold();
  } catch (...) {
    go_on();
    throw;
  }
  go_on();
  result.events.assign(structure_.events.begin() + static_cast<std::ptrdiff_t>(events),
                       structure_.events.end());
  result.endings.assign(endings.begin() + static_cast<std::ptrdiff_t>(ended), endings.end());
  return result;
}

ThreadUnfolder::Iteration ThreadUnfolder::try_iteration(Path at_head) {
  auto& endings = structure_.endings[static_cast<std::size_t>(thread_)];
  const std::size_t events = structure_.events.size(), violations = structure_.violations.size(),
                    ended = endings.size();
  const unsigned step = next_step_;
  const auto go_back = [&] {
    structure_.events.resize(events);
    structure_.violations.resize(violations);
    endings.resize(ended);
    next_step_ = step;
  };
  try {
    Iteration result = unfold_iteration(std::move(at_head));
    go_back();
    return result;
  } catch (...) {
    go_back();
    throw;
  }
}

}  // namespace ptxmc
