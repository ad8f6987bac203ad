#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "tests/random_choices.hpp"

namespace ptxmc {

/// Places in a kernel where something may be done wrongly, and which of them are wrong.
class Mistakes {
 public:
  explicit Mistakes(std::set<unsigned> wrong) : wrong_(std::move(wrong)) {}

  /// Whether this place is wrong. `always_matters`: the kernel is then not safe.
  bool here(const char* what, bool always_matters);
  unsigned places() const { return places_; }
  const std::vector<std::string>& made() const { return made_; }
  bool always_matter() const { return always_matter_; }

 private:
  std::set<unsigned> wrong_;
  unsigned places_ = 0;
  std::vector<std::string> made_;
  bool always_matter_ = false;
};

/// An arrival at an mbarrier.
struct RandomArrival {
  bool is_awaited = true;  ///< a thread waits for ever without it
  bool publishes = true;   ///< a thread that waits reads or overwrites what was accessed before
  bool drops = false;
  std::string token = "_";
};

/// The code of a kernel under construction: its threads, and their operations on mbarriers. Registers:
/// `%sum` collects what is read, `%token` is the token of an arrival.
class AsynchronousCode {
 public:
  AsynchronousCode(std::uint64_t seed, std::set<unsigned> mistakes, bool has_cluster, unsigned threads)
      : random(seed), mistakes(std::move(mistakes)), has_cluster_(has_cluster), threads_(threads) {}

  RandomChoices random;
  Mistakes mistakes;

  void emit(const std::string& line) { text_ += "  " + line + "\n"; }
  void place(const std::string& label) { text_ += label + ":\n"; }
  std::string new_label();
  const std::string& text() const { return text_; }
  unsigned threads() const { return threads_; }

  /// What only the thread (of a cluster: the CTA) of this number does.
  void role(unsigned number, const std::function<void()>& body);
  /// Initialises an mbarrier, at times twice. `count_matters`: a thread waits for ever if the count is
  /// larger.
  void initialize(const std::string& object, unsigned count, bool count_matters);
  /// All threads meet. `always_matters`: the kernel is wrong without it.
  void meet(bool always_matters);
  /// Before the first use of mbarriers. `has_stores`: threads have also written other memory for the others.
  void meet_after_initialization(bool has_stores = false);

  void read(const std::string& address, const std::string& space = "shared");
  void store_vector(const std::string& address, unsigned value);
  /// From generic accesses to shared memory to asynchronous ones.
  void proxy_fence(bool always_matters);

  void arrive(const std::string& object, const RandomArrival& arrival);
  /// `parity` is a number or a register. `always_matters`: the kernel is wrong without the wait.
  void wait(const std::string& object, const std::string& parity, bool always_matters);
  void wait_by_token(const std::string& object, bool always_matters);

 private:
  std::string release_order(bool publishes);
  struct WaitOrder {
    std::string order, fence;
  };
  WaitOrder acquire_order(bool always_matters);
  void loop(const std::string& test, const std::string& fence);
  std::string wrong_parity(const std::string& parity);

  bool has_cluster_;
  unsigned threads_;
  unsigned labels_ = 0;
  std::string text_;
};

}  // namespace ptxmc
