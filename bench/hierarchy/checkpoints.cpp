// Checkpoints: taking one after every frame in which 1 % of the rows were written, and going back eight frames.
//
// The digest of such a checkpoint, and the delta to it from the one before, hash and write what has changed.
//
// The limit of all is a memcpy of all columns.
#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <strata/strata.hpp>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/suite.hpp"

namespace strata::bench::checkpoints {

/// A component of 16, 32 or 48 bytes.
template <int floats, Tracking tracking>
struct Part {
  std::array<float, floats> values{};
};

}  // namespace strata::bench::checkpoints

template <int floats, strata::Tracking tracking>
inline constexpr auto strata::members_of<strata::bench::checkpoints::Part<floats, tracking>> =
    strata::Members{member("values", &strata::bench::checkpoints::Part<floats, tracking>::values)};
template <int floats, strata::Tracking tracking>
inline constexpr strata::Tracking strata::tracking_of<strata::bench::checkpoints::Part<floats, tracking>> =
    tracking;

namespace strata::bench::checkpoints {
namespace {

constexpr std::size_t kRowBytes = (4 + 8 + 12) * sizeof(float);
constexpr std::uint64_t kFrames = 8;

enum class Rows { contiguous, scattered };

Work copy_columns(std::size_t& rows) {
  struct Columns {
    std::vector<char> from, to;
  };
  const std::size_t bytes = rows * kRowBytes;
  return work_on(
      std::make_shared<Columns>(Columns{std::vector<char>(bytes, 1), std::vector<char>(bytes)}),
      [](Columns& columns) { std::memcpy(columns.to.data(), columns.from.data(), columns.to.size()); },
      [](Columns& columns) { return columns.to.back() == 1 ? "" : "the columns are not copied"; });
}

/// A world that is written, and its history.
template <Tracking tracking, Rows rows>
class Frames {
 public:
  explicit Frames(std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      entities_.push_back(world_.create(Part<4, tracking>{{static_cast<float>(i)}}, Part<8, tracking>{},
                                        Part<12, tracking>{}));
    }
    for (std::uint64_t frame = 0; frame <= kFrames; ++frame) run_frame();
  }

  void write() {
    const auto n = static_cast<std::uint32_t>(entities_.size());
    const std::uint32_t first = below(random_, n - n / 100);
    for (std::uint32_t i = 0; i < n / 100; ++i) {
      const Entity entity = entities_[rows == Rows::contiguous ? first + i : below(random_, n)];
      world_.get<Part<4, tracking>>(entity).values[1] += 1;
      world_.get<Part<8, tracking>>(entity).values[1] += 1;
      world_.get<Part<12, tracking>>(entity).values[1] += 1;
      ++written_;
    }
  }
  void take() { taken_ = taken_ && history_.checkpoint(); }
  void run_frame() {
    write();
    take();
  }
  void digest() {
    digest_ = history_.digest(history_.position());
    is_digest_known_ = true;
  }
  void make_delta() {
    taken_ = taken_ && history_.delta(history_.position() - 1, history_.position()).outcome;
  }
  void go_back() { taken_ = taken_ && history_.restore(history_.end() - 1 - kFrames); }
  void go_forward() { taken_ = taken_ && history_.restore(history_.end() - 1); }

  Complaint check() {
    double sum = 0;
    world_.query<const Part<4, tracking>>().each(
        [&](const Part<4, tracking>& part) { sum += part.values[1]; });
    if (!taken_) return "a checkpoint is not taken or restored";
    if (is_digest_known_ && digest_ != strata::digest(world_)) return "the digest is another one";
    return sum > 0 && sum <= static_cast<double>(written_) ? "" : "values are lost";
  }

 private:
  World world_;
  std::vector<Entity> entities_;
  History history_{world_, {.checkpoints = kFrames + 1}};
  std::mt19937 random_;
  std::uint64_t written_ = 0;
  std::uint64_t digest_ = 0;
  bool is_digest_known_ = false;
  bool taken_ = true;
};

template <Tracking tracking, Rows rows>
void ask_frames(Suite& suite, const std::string& name, double most_to_take, double most_to_restore) {
  using FramesOf = Frames<tracking, rows>;
  for (const std::size_t n : {10'000u, 100'000u}) {
    const bool has_bars = n == 100'000 && most_to_take != 0;
    const auto ask = [&](const char* what, auto step, auto prepare, double most) {
      auto& question = ask_of_size<std::size_t>(suite, std::string("hierarchy/") + what + '/' + name, n);
      question.limit(copy_columns);
      Answer& answer = question.answer("strata", [step, prepare](std::size_t& count) {
        return work_on(std::make_shared<FramesOf>(count), step, std::mem_fn(&FramesOf::check), prepare);
      });
      if (has_bars && most != 0) answer.at_most(most);
    };
    ask("checkpoint", std::mem_fn(&FramesOf::take), std::mem_fn(&FramesOf::write), most_to_take);
    ask("restore", std::mem_fn(&FramesOf::go_back), std::mem_fn(&FramesOf::go_forward), most_to_restore);
    ask("digest", std::mem_fn(&FramesOf::digest), std::mem_fn(&FramesOf::run_frame), 0);
    ask("delta", std::mem_fn(&FramesOf::make_delta), std::mem_fn(&FramesOf::run_frame), 0);
  }
}

const Family kFamily([](Suite& suite) {
  ask_frames<Tracking::rows, Rows::contiguous>(suite, "rows", 0.1, 0.5);
  ask_frames<Tracking::rows, Rows::scattered>(suite, "rows_scattered", 0, 0);
  ask_frames<Tracking::blocks, Rows::contiguous>(suite, "blocks", 0.1, 0.5);
  ask_frames<Tracking::none, Rows::contiguous>(suite, "untracked", 0, 0);
});

}  // namespace
}  // namespace strata::bench::checkpoints
