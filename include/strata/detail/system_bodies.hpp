// Classes that call the function of a system. They hold the function and the objects from which its arguments are made,
// such as queries.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "../../../query/parallel/task_batches.hpp"
#include "../../../query/systems/row_system_body.hpp"
#include "../../../query/systems/system_body.hpp"
#include "../../../query/terms/write_stamper.hpp"
#include "../../../query/typed_visits.hpp"
#include "system_parameters.hpp"

namespace strata::detail {

/// Holds the object from which one argument of a system's function is made in each run of the system, such as a query.
/// `position` is the position of the argument. Two arguments of the same type have different classes, so one class can
/// have both as its base classes.
template <std::size_t position, class Parameter>
struct SystemArgument {
  explicit SystemArgument(const SystemSource& source) : state(source) {}

  typename SystemParameter<Parameter>::State state;
};

/// All arguments of a system's function. Each SystemArgument is a base class, because that takes less time to compile
/// than a std::tuple.
template <class Positions, class... Parameters>
class NumberedArguments;
template <std::size_t... positions, class... Parameters>
class NumberedArguments<std::index_sequence<positions...>, Parameters...>
    : private SystemArgument<positions, Parameters>... {
 public:
  explicit NumberedArguments([[maybe_unused]] const SystemSource& source)
      : SystemArgument<positions, Parameters>(source)... {
    static_assert((std::size_t{std::is_same_v<Parameters, Commands&>} + ... + 0) <= 1,
                  "a system takes Commands& once");
  }

  /// Makes the arguments of the system's function from the data in `call` (see SystemCall), and passes them to
  /// `function`.
  /// Returns: what `function` returns.
  template <class Function>
  decltype(auto) call([[maybe_unused]] const SystemCall& call, Function&& function) {
    return function(SystemArgument<positions, Parameters>::state.get(call)...);
  }

  /// Returns: an estimate of the rows that the queries among the arguments match, but at most `most`. If there are no
  /// queries, the amount of work is not known, and the result is `most`.
  std::size_t estimate_rows(std::size_t most) const {
    if constexpr (!(SystemParameter<Parameters>::has_matcher || ...)) {
      return most;
    } else {
      std::size_t rows = 0;
      (add_rows<positions, Parameters>(rows, most), ...);
      return rows < most ? rows : most;
    }
  }

  /// Returns: the Commands among the arguments; null if there is no such argument.
  SystemCommands* find_commands() {
    SystemCommands* found = nullptr;
    (find_commands(SystemArgument<positions, Parameters>::state, found), ...);
    return found;
  }

 private:
  template <std::size_t position, class Parameter>
  void add_rows([[maybe_unused]] std::size_t& rows, [[maybe_unused]] std::size_t most) const {
    if constexpr (SystemParameter<Parameter>::has_matcher)
      rows += detail::estimate_rows(SystemArgument<position, Parameter>::state.query.matcher(), most);
  }
  static void find_commands(SystemParameter<Commands&>::State& state, SystemCommands*& found) {
    found = &state.commands;
  }
  static void find_commands(const auto&, SystemCommands*&) {}
};
template <class... Parameters>
using SystemArguments = NumberedArguments<std::index_sequence_for<Parameters...>, Parameters...>;

/// A system whose function is called once in each run, not for each row of a query: the function and its arguments.
template <class Function, class... Parameters>
class CalledSystem final : public SystemBody {
 public:
  CalledSystem(const SystemSource& source, Function function)
      : function_(std::move(function)), arguments_(source) {
    if (SystemCommands* const commands = arguments_.find_commands()) commands_ = &commands->buffer();
    may_cascade_ = (SystemParameter<Parameters>::cascades || ...);
    queries_ = (std::size_t{SystemParameter<Parameters>::has_matcher} + ... + 0);
  }
  void run(double seconds) override { arguments_.call({seconds}, function_); }
  std::size_t estimate_rows(std::size_t most) const override { return arguments_.estimate_rows(most); }

 private:
  Function function_;
  SystemArguments<Parameters...> arguments_;
};

/// Calls `function` for each row of `task` (a part of the rows in `work`), with the arguments that a query with these
/// terms gives. Records the writes to components for which this is switched on (see Tracking).
template <class... Terms, class Function>
void visit_task(const Matcher& matcher, const WorkList& work, const WorkTask& task, Scratch& scratch,
                Function& function) {
  constexpr std::uint32_t kTracked = tracked_writes<Terms...>();
  if constexpr (kTracked == 0) {
    auto visit = [&](const auto& batch) { TypedVisits<Terms...>::visit(batch, function); };
    for_each_task_batch(matcher, work, task, scratch, visit);
  } else {
    // If the rows are divided into tasks, several threads may record writes in the same block of memory at the same
    // time. Otherwise, one thread visits all rows.
    const StampSharing sharing =
        work.source() == WorkList::Source::whole ? StampSharing::alone : StampSharing::shared;
    const WriteStamper stamper(matcher, matcher.store().rows().changes().clock(), kTracked, 0, sharing);
    auto visit = [&](const Batch& batch) {
      stamper.visit(batch, [&](const Batch& rows) { TypedVisits<Terms...>::visit(rows, function); });
    };
    for_each_task_batch(matcher, work, task, scratch, visit);
  }
}

/// A system whose function is called for each row of a query with these Terms. The function takes first the arguments
/// in Leading, such as Commands&, then what the query gives for the row, such as references to its values, and then the
/// arguments in Trailing.
template <class Function, class Terms, class Leading, class Trailing>
class RowSystem;
template <class Function, class... Terms, class... Leading, class... Trailing>
class RowSystem<Function, TypeList<Terms...>, TypeList<Leading...>, TypeList<Trailing...>> final
    : public RowSystemBody {
 public:
  RowSystem(const SystemSource& source, Function function)
      : RowSystemBody(make_matcher(source.parts.store, typed_terms<Terms...>,
                                   &source.parts.hierarchy.parents(), std::nullopt),
                      (SystemParameter<Leading>::is_shareable && ...) &&
                          (SystemParameter<Trailing>::is_shareable && ...)),
        function_(std::move(function)),
        arguments_(source) {
    if (SystemCommands* const commands = arguments_.find_commands()) {
      commands_ = &commands->buffer();
      part_recorders_ = &commands->recorders();
    }
  }

  void visit(const WorkList& work, const WorkTask& task, const SystemCall& call, Scratch& scratch) override {
    if constexpr (sizeof...(Leading) + sizeof...(Trailing) == 0) {
      visit_task<Terms...>(matcher_, work, task, scratch, function_);
    } else {
      arguments_.call(call, [&](Leading... leading, Trailing... trailing) {
        auto visit_row = [&](auto&&... row) requires(
            std::is_invocable_v<Function&, Leading&..., decltype(row)..., Trailing&...>) {
          function_(leading..., std::forward<decltype(row)>(row)..., trailing...);
        };
        visit_task<Terms...>(matcher_, work, task, scratch, visit_row);
      });
    }
  }

 private:
  Function function_;
  SystemArguments<Leading..., Trailing...> arguments_;
};

/// What `make_system` makes: `body` runs the function of the system, `access` lists what the system reads and writes.
struct MadeSystem {
  std::unique_ptr<SystemBody> body;
  SystemAccess access;
};

/// Makes the SystemBody and the SystemAccess of a system whose function is called once in each run. Parameters are the
/// types of the function's parameters.
template <class Function, class... Parameters>
MadeSystem make_called(const SystemSource& source, Function function, TypeList<Parameters...>) {
  MadeSystem made;
  (SystemParameter<Parameters>::add_access(made.access, source), ...);
  // Not std::make_unique, which takes longer to compile.
  made.body.reset(new CalledSystem<Function, Parameters...>(source, std::move(function)));
  return made;
}

/// Makes the SystemBody of a system whose function is called for each row of a query with these Terms. The function
/// takes first the arguments in Leading, such as Commands&, then what the query gives for the row, such as references
/// to its values, and then the arguments in Trailing.
template <class Function, class... Terms, class... Leading, class... Trailing>
MadeSystem make_for_rows(const SystemSource& source, Function function, TypeList<Terms...>,
                         TypeList<Leading...>, TypeList<Trailing...>) {
  static_assert(!(std::is_same_v<Leading, World&> || ...) && !(std::is_same_v<Trailing, World&> || ...),
                "a system that is called for each row cannot take World&: take a Query<...>& and World&, or "
                "record changes with Commands&");
  static_assert(
      !(writes_parent<Terms> || ...),
      "Parent<T> writes to the parent, which is only allowed in a pass from the leaves to the roots: "
      "take the query, and use cascade(up), or Parent<const T> to read");
  constexpr auto writes_what_it_reads_above = []<class Term>(std::type_identity<Term>) {
    if constexpr (reads_only<Term>) {
      return false;
    } else {
      using Value = typename TermTraits<Term>::Value;
      return uses_own<Value, Term> && ((uses_ancestor<Value, Terms> && TermTraits<Terms>::yields) || ...);
    }
  };
  static_assert(
      !(writes_what_it_reads_above(std::type_identity<Terms>()) || ...),
      "rows are visited in any order, and this system reads values of a parent or ancestor that it writes, "
      "too: "
      "take the query, and visit parents first: [](Query<...>& query) { query.cascade().each(function); }");
  MadeSystem made;
  (SystemParameter<Leading>::add_access(made.access, source), ...);
  (SystemParameter<Trailing>::add_access(made.access, source), ...);
  add_access(made.access, source, typed_terms<Terms...>);
  using Body = RowSystem<Function, TypeList<Terms...>, TypeList<Leading...>, TypeList<Trailing...>>;
  // Not std::make_unique, which takes longer to compile.
  made.body.reset(new Body(source, std::move(function)));
  return made;
}

template <class Function, class Leading, class... Others, class Trailing>
MadeSystem make_by_parameters(const SystemSource& source, Function function, Leading leading,
                              TypeList<Others...>, Trailing trailing) {
  if constexpr (sizeof...(Others) == 0) {
    return make_called(source, std::move(function), leading);
  } else {
    return make_for_rows(source, std::move(function), TypeList<typename TermOfParameter<Others>::type...>(),
                         leading, trailing);
  }
}

/// Makes the SystemBody of a system from its function. If Terms are given, the function is called for each row of a
/// query with these terms. Otherwise, it is called once in each run if SystemParameter is specialised for all of its
/// parameter types (as for Commands&). If not, the other parameters stand for the terms of a query (see
/// TermOfParameter), and the function is called for each row of the query.
template <class... Terms, class Function>
MadeSystem make_system(const SystemSource& source, Function function) {
  using Parameters = typename ParametersOf<Function>::type;
  if constexpr (std::is_void_v<Parameters>) {
    static_assert(sizeof...(Terms) != 0 || !std::is_void_v<Parameters>,
                  "the parameters of a system say what it accesses, so they cannot be auto: name their "
                  "types, or the terms "
                  "of a query: schedule.add<Position, const Velocity>(name, function)");
    return make_for_rows(source, std::move(function), TypeList<Terms...>(), TypeList<>(), TypeList<>());
  } else {
    using Split = SplitParameters<Parameters>;
    if constexpr (sizeof...(Terms) != 0) {
      return make_for_rows(source, std::move(function), TypeList<Terms...>(), typename Split::Leading(),
                           typename Split::Trailing());
    } else {
      return make_by_parameters(source, std::move(function), typename Split::Leading(),
                                typename Split::Others(), typename Split::Trailing());
    }
  }
}

/// A RunCondition (which decides in each run of the schedule whether a system runs) that calls a function of the user
/// with the arguments that the function takes.
template <class Function, class... Parameters>
class CalledCondition final : public RunCondition {
 public:
  CalledCondition(const SystemSource& source, Function function)
      : function_(std::move(function)), arguments_(source) {}
  bool holds() override { return arguments_.call({0}, function_); }

 private:
  Function function_;
  SystemArguments<Parameters...> arguments_;
};

/// Whether a condition, a function that decides whether a system runs, may have a parameter of this type.
template <class Parameter>
inline constexpr bool is_for_conditions = std::is_same_v<Parameter, const World&>;
template <class T>
inline constexpr bool is_for_conditions<Resource<const T>> = true;

/// Makes a RunCondition, which decides whether a system runs, from a function. Adds what the function reads to
/// `access`.
template <class Function, class... Parameters>
std::unique_ptr<RunCondition> make_condition(const SystemSource& source, Function function,
                                             TypeList<Parameters...>, SystemAccess& access) {
  static_assert((is_for_conditions<Parameters> && ...),
                "a condition takes Resource<const T> and const World&");
  (SystemParameter<Parameters>::add_access(access, source), ...);
  return std::make_unique<CalledCondition<Function, Parameters...>>(source, std::move(function));
}

}  // namespace strata::detail
