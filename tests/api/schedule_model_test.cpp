#include <doctest/doctest.h>
#include <strata/strata.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../support/model_test.hpp"
#include "../support/thread_executor.hpp"
#include "schedule_model.hpp"

namespace strata::test::schedule_model_test {

using namespace schedule_model;

namespace {

/// When systems began and ended.
struct Trace {
  std::atomic<std::uint32_t> now{0};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> times;
};

/// Writes down when it begins and ends.
class Timed {
 public:
  Timed(Trace& trace, std::uint32_t system) : trace_(trace), system_(system) {
    trace_.times[system_].first = ++trace_.now;
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;
  ~Timed() { trace_.times[system_].second = ++trace_.now; }

 private:
  Trace& trace_;
  std::uint32_t system_;
};

/// Adds the system of a job that is called for each row, several rows at the same time.
template <int a, int b>
System add_for_rows(Schedule& schedule, const std::string& name, const Job& job) {
  const std::uint32_t salt = job.salt;
  switch (job.kind) {
    case 0:
      return schedule.add(name, [=](Value<a>& own, const Value<b>& other) { mix(own, other, salt); }).par();
    case 2:
      return schedule.add(name, [](Resource<const Sum> sum, Value<a>& own) { own.value += sum->value; })
          .par();
    case 4:
      return schedule
          .add(name, [=](Entity entity, const Value<a>& value,
                         Commands& commands) { kill<a>(commands, entity, value, salt); })
          .par();
    default:
      return schedule
          .add(name, [=](Commands& commands, Entity entity, const Value<a>& value,
                         Text* text) { write_text<a>(commands, entity, value, text, salt); })
          .par();
  }
}

/// Adds the system of a job for a pair of component numbers.
template <int a, int b>
System add_as(Schedule& schedule, Trace& trace, std::uint32_t number, const Job& job) {
  const std::string name = std::to_string(number);
  const std::uint32_t salt = job.salt;
  Trace* const traced = &trace;
  if (job.visits_rows && (job.kind % 2 == 0 || job.kind == 5) && job.kind != 6)
    return add_for_rows<a, b>(schedule, name, job);
  switch (job.kind) {
    case 0:
      return schedule.add(name, [=](Query<Value<a>, const Value<b>>& rows) {
        const Timed timed(*traced, number);
        rows.each([=](Value<a>& own, const Value<b>& other) { mix(own, other, salt); });
      });
    case 1:
      return schedule.add(name, [=](Resource<Sum> sum, Query<const Value<b>>& rows) {
        const Timed timed(*traced, number);
        add_up(*sum, rows, salt);
      });
    case 2:
      return schedule.add(name, [=](Resource<const Sum> sum, Query<Value<a>>& rows) {
        const Timed timed(*traced, number);
        rows.each([&](Value<a>& own) { own.value += sum->value; });
      });
    case 3:
      return schedule.add(name, [=](Commands& commands, Query<Entity, const Value<a>>& rows) {
        const Timed timed(*traced, number);
        spawn<a>(commands, rows, salt);
      });
    case 4:
      return schedule.add(name, [=](Query<Entity, const Value<a>>& rows, Commands& commands) {
        const Timed timed(*traced, number);
        kill<a>(commands, rows, salt);
      });
    case 5:
      return schedule.add(name, [=](Commands& commands, Query<Entity, const Value<a>, Maybe<Text>>& rows) {
        const Timed timed(*traced, number);
        write_texts<a>(commands, rows, salt);
      });
    default:
      return schedule.add(name, [=](World& world) {
        const Timed timed(*traced, number);
        change(world, salt);
      });
  }
}

/// A world with a schedule of these systems.
class Subject {
 public:
  Subject(const std::vector<Description>& systems, std::unique_ptr<Executor> executor)
      : executor_(std::move(executor)) {
    fill(world_);
    trace_.times.resize(systems.size());
    for (std::uint32_t number = 0; number < systems.size(); ++number) add(systems[number], number);
    schedule_.set("0th").before("1th");
    schedule_.set("1th");
    schedule_.set_executor(executor_.get(), 0);
  }

  Outcome check() { return schedule_.check(); }
  void run() {
    for (auto& time : trace_.times) time = {0, 0};
    schedule_.run();
  }
  World& world() { return world_; }

  /// Returns: an answer if one of the systems began too early.
  Disagreement compare(const Plan& plan) const {
    for (std::uint32_t first = 0; first < trace_.times.size(); ++first) {
      for (std::uint32_t second = 0; second < trace_.times.size(); ++second) {
        const bool both_ran = trace_.times[first].first != 0 && trace_.times[second].first != 0;
        if (both_ran && plan.runs_before(first, second) &&
            trace_.times[second].first < trace_.times[first].second)
          return "system " + std::to_string(second) + " begins before " + std::to_string(first) +
                 " has ended";
      }
    }
    return {};
  }

 private:
  void add(const Description& description, std::uint32_t number) {
    System system = with_numbers(description.job, [&]<int a, int b>() {
      return add_as<a, b>(schedule_, trace_, number, description.job);
    });
    for (const std::uint32_t other : description.after) system.after(std::to_string(other));
    for (const std::uint32_t other : description.before) system.before(std::to_string(other));
    if (description.set >= 0) system.in(std::to_string(description.set) + "th");
    if (description.only_if_even) system.run_if([](Resource<const Sum> sum) { return sum->value % 2 == 0; });
    if (description.waits && records(description.job)) system.apply_commands_after("0");
  }

  World world_;
  Schedule schedule_{world_};
  Trace trace_;
  std::unique_ptr<Executor> executor_;
};

/// Runs the systems one after the other in a world without a schedule.
class Reference {
 public:
  Reference(const std::vector<Description>& systems, const Plan& plan) : systems_(systems), plan_(plan) {
    fill(world_);
  }

  void run() {
    std::vector<SimpleRecorder> recorders(systems_.size(), SimpleRecorder(world_));
    std::uint32_t stages = 0;
    for (std::uint32_t system = 0; system < systems_.size(); ++system)
      stages = std::max(stages, plan_.stage_of(system) + 1);
    for (std::uint32_t stage = 0; stage < stages; ++stage) run_stage(stage, recorders);
  }
  World& world() { return world_; }

 private:
  void run_stage(std::uint32_t stage, std::vector<SimpleRecorder>& recorders) {
    const bool is_even = world_.resources().get<Sum>().value % 2 == 0;
    for (const std::uint32_t system : plan_.order()) {
      if (plan_.stage_of(system) != stage || (systems_[system].only_if_even && !is_even)) continue;
      recorders[system] = SimpleRecorder(world_);
      with_numbers(systems_[system].job,
                   [&]<int a, int b>() { do_as<a, b>(world_, recorders[system], systems_[system].job); });
    }
    for (const std::uint32_t system : plan_.order()) {
      if (records(systems_[system].job) && applied_at(system) == stage) recorders[system].apply();
    }
  }
  std::uint32_t applied_at(std::uint32_t system) const {
    std::uint32_t stage = plan_.stage_of(system);
    if (systems_[system].waits) stage = std::max(stage, plan_.stage_of(0));
    for (std::uint32_t other = 0; other < systems_.size(); ++other) {
      if (takes_world(systems_[other].job) && plan_.stage_of(other) > plan_.stage_of(system))
        stage = std::min(stage, plan_.stage_of(other) - 1);
    }
    return stage;
  }

  const std::vector<Description>& systems_;
  const Plan& plan_;
  World world_;
};

std::vector<Description> read_systems(Bytes& bytes, Log& log) {
  std::vector<Description> systems;
  const bool mostly_rows = bytes.chance(3);
  while (systems.size() < 12 && bytes.turn()) {
    Description system;
    const int first = static_cast<int>(bytes.below(3));
    system.job = {static_cast<int>(bytes.below(bytes.chance(4) ? kKinds : kKinds - 1)), first,
                  (first + 1) % 3, static_cast<std::uint32_t>(bytes.below(1'000)), bytes.chance(2)};
    if (mostly_rows && !bytes.chance(8)) {
      constexpr std::array kinds{0, 0, 0, 0, 2, 2, 4, 5};
      system.job.kind = kinds[bytes.below(kinds.size())];
      system.job.visits_rows = true;
    }
    if (bytes.chance(3)) system.set = static_cast<int>(bytes.below(2));
    system.only_if_even = bytes.chance(5);
    system.waits = bytes.chance(4);
    const auto number = systems.size();
    if (number > 0 && bytes.chance(3))
      system.after.push_back(static_cast<std::uint32_t>(bytes.below(number)));
    if (number > 0 && bytes.chance(4))
      system.before.push_back(static_cast<std::uint32_t>(bytes.below(number)));
    log("system ", number, ": kind ", system.job.kind, ", values ", system.job.first, " and ",
        system.job.second, ", salt ", system.job.salt, system.job.visits_rows ? ", by rows" : "", ", set ",
        system.set, system.only_if_even ? ", if even" : "", system.waits ? ", commands after 0" : "",
        system.after.empty() ? "" : ", after ",
        system.after.empty() ? std::string() : std::to_string(system.after[0]),
        system.before.empty() ? "" : ", before ",
        system.before.empty() ? std::string() : std::to_string(system.before[0]));
    systems.push_back(std::move(system));
  }
  return systems;
}

std::vector<std::unique_ptr<Subject>> make_subjects(const std::vector<Description>& systems) {
  std::vector<std::unique_ptr<Subject>> subjects;
  subjects.push_back(std::make_unique<Subject>(systems, nullptr));
  subjects.push_back(std::make_unique<Subject>(systems, std::make_unique<InlineExecutor>()));
  for (const std::size_t workers : {1, 2, 3, 8}) {
    subjects.push_back(std::make_unique<Subject>(
        systems,
        std::make_unique<ThreadExecutor>(workers, Disturbance{static_cast<std::uint32_t>(workers)})));
  }
  return subjects;
}

Disagreement schedules_agree(Bytes& bytes, Log& log) {
  const std::vector<Description> systems = read_systems(bytes, log);
  if (systems.empty()) return {};
  const Plan plan(systems);
  std::vector<std::unique_ptr<Subject>> subjects = make_subjects(systems);
  for (const auto& subject : subjects) {
    if (static_cast<bool>(subject->check()) != plan.is_possible())
      return plan.is_possible() ? subject->check().message() : "a cycle goes unnoticed";
  }
  if (!plan.is_possible()) return {};
  Reference reference(systems, plan);
  for (int frame = 0; frame < 3; ++frame) {
    reference.run();
    for (const auto& subject : subjects) subject->run();
    const auto expected = contents_of(reference.world());
    const std::uint64_t expected_digest = digest(subjects.front()->world());
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      Subject& subject = *subjects[i];
      if (contents_of(subject.world()) != expected)
        return "with executor " + std::to_string(i) + ", frame " + std::to_string(frame) +
               " differs from the systems one by one";
      if (digest(subject.world()) != expected_digest)
        return "the digests differ with executor " + std::to_string(i);
      if (Disagreement early = subject.compare(plan)) return early;
      if (const Outcome valid = subject.world().validate(); !valid) return valid.message();
    }
  }
  return {};
}

}  // namespace

TEST_SUITE("api/schedule") {
  STRATA_MODEL_TEST("schedules on threads do what their systems do one after the other", schedules_agree,
                    .runs = 30, .turns = 12);
}

}  // namespace strata::test::schedule_model_test
