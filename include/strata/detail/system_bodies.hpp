// The functions of systems, stored together with their arguments.
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../../query/parallel/matched_rows.hpp"
#include "../../../query/parallel/task_batches.hpp"
#include "../../../query/systems/row_visitor.hpp"
#include "../../../query/systems/system_body.hpp"
#include "../../../query/terms/write_stamper.hpp"
#include "../../../query/typed_visits.hpp"
#include "system_parameters.hpp"

namespace strata::detail {

/// Keeps the objects from which the arguments of a system's function are made, such as queries, from one run of
/// the system to the next.
template <class... Parameters>
class SystemArguments {
 public:
  explicit SystemArguments(const SystemSource& source) : states_(source_for<Parameters>(source)...) {}

  /// Calls `function` with the arguments for this call.
  template <class Function>
  decltype(auto) call(const SystemCall& call, Function&& function) {
    return std::apply([&](auto&... states) -> decltype(auto) { return function(states.get(call)...); },
                      states_);
  }

  /// Returns: about how many rows the queries among the arguments match, up to `most`; `most` if there are no queries,
  /// because the amount of work is not known in that case.
  std::size_t estimate_rows(std::size_t most) const {
    constexpr bool has_query = (SystemParameter<Parameters>::has_matcher || ...);
    if constexpr (!has_query) {
      return most;
    } else {
      std::size_t rows = 0;
      (add_rows<Parameters>(rows, most), ...);
      return rows < most ? rows : most;
    }
  }

  /// Returns: the Commands among the arguments; null if there is no such argument.
  SystemCommands* find_commands() {
    static_assert((std::size_t{std::is_same_v<Parameters, Commands&>} + ... + 0) <= 1,
                  "a system takes Commands& once");
    if constexpr ((std::is_same_v<Parameters, Commands&> || ...)) {
      return &std::get<SystemParameter<Commands&>::State>(states_).commands;
    } else {
      return nullptr;
    }
  }

 private:
  template <class Parameter>
  void add_rows([[maybe_unused]] std::size_t& rows, [[maybe_unused]] std::size_t most) const {
    if constexpr (SystemParameter<Parameter>::has_matcher)
      rows += detail::estimate_rows(
          std::get<typename SystemParameter<Parameter>::State>(states_).query.matcher(), most);
  }
  template <class>
  static const SystemSource& source_for(const SystemSource& source) {
    return source;
  }

  std::tuple<typename SystemParameter<Parameters>::State...> states_;
};

/// The function of a system that is called as a whole, not for each row of a query.
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

/// Calls `function`, which takes the arguments of a query with these terms, for the rows of `task` (a part of the
/// rows in `work`). Records the writes to tracked components.
template <class... Terms, class Function>
void visit_task(const Matcher& matcher, const WorkList& work, const WorkTask& task, Scratch& scratch,
                Function& function) {
  constexpr std::uint32_t kTracked = tracked_writes<Terms...>();
  if constexpr (kTracked == 0) {
    auto visit = [&](const auto& batch) { TypedVisits<Terms...>::visit(batch, function); };
    for_each_task_batch(matcher, work, task, scratch, visit);
  } else {
    const WriteStamper stamper(matcher, matcher.store().rows().changes().clock(), kTracked, 0,
                               StampSharing::shared);
    auto visit = [&](const Batch& batch) {
      stamper.visit(batch, [&](const Batch& rows) { TypedVisits<Terms...>::visit(rows, function); });
    };
    for_each_task_batch(matcher, work, task, scratch, visit);
  }
}

/// The function of a system that is called for each row of a query with these Terms. Its first arguments are those for
/// Leading, such as commands. The arguments for the row follow, and then those for Trailing.
template <class Function, class Terms, class Leading, class Trailing>
class RowSystem;
template <class Function, class... Terms, class... Leading, class... Trailing>
class RowSystem<Function, TypeList<Terms...>, TypeList<Leading...>, TypeList<Trailing...>> final
    : public SystemBody,
      private RowVisitor {
 public:
  RowSystem(const SystemSource& source, Function function)
      : function_(std::move(function)),
        arguments_(source),
        query_(source.parts.store, &source.parts.hierarchy.parents()) {
    if (SystemCommands* const commands = arguments_.find_commands()) {
      commands_ = &commands->buffer();
      part_recorders_ = &commands->recorders();
    }
    queries_ = 1;
  }
  std::size_t estimate_rows(std::size_t most) const override {
    return detail::estimate_rows(query_.matcher(), most);
  }
  void run(double seconds) override {
    if (query_.matcher().has_nothing_to_visit()) return;
    with_arguments({seconds}, [this](auto& function) { query_.each(function); });
  }
  RowVisitor* row_visitor() override { return kIsShareable ? this : nullptr; }

 private:
  static constexpr bool kIsShareable =
      (SystemParameter<Leading>::is_shareable && ...) && (SystemParameter<Trailing>::is_shareable && ...);

  Matcher& rows() override { return query_.matcher(); }
  void visit(const WorkList& work, const WorkTask& task, const SystemCall& call, Scratch& scratch) override {
    if constexpr (kIsShareable) {
      with_arguments(call, [&](auto& function) {
        visit_task<Terms...>(query_.matcher(), work, task, scratch, function);
      });
    }
  }

  /// Calls `use` with a function that takes only the arguments of a row. That function calls `function_` with the
  /// arguments for Leading in front of them, and those for Trailing behind them.
  template <class Use>
  void with_arguments(const SystemCall& call, Use use) {
    if constexpr (sizeof...(Leading) + sizeof...(Trailing) == 0) {
      use(function_);
    } else {
      arguments_.call(call, [&](Leading... leading, Trailing... trailing) {
        auto visit_row = [&](auto&&... row) requires(
            std::is_invocable_v<Function&, Leading&..., decltype(row)..., Trailing&...>) {
          function_(leading..., std::forward<decltype(row)>(row)..., trailing...);
        };
        use(visit_row);
      });
    }
  }

  Function function_;
  SystemArguments<Leading..., Trailing...> arguments_;
  Query<Terms...> query_;
};

/// A SystemBody, which runs the function of a system, and what the system reads and writes.
struct MadeSystem {
  std::unique_ptr<SystemBody> body;
  SystemAccess access;
};

/// Makes the SystemBody of a system whose function is called once in each run, with these parameters.
template <class Function, class... Parameters>
MadeSystem make_called(const SystemSource& source, Function function, TypeList<Parameters...>) {
  MadeSystem made;
  (SystemParameter<Parameters>::add_access(made.access, source), ...);
  made.body = std::make_unique<CalledSystem<Function, Parameters...>>(source, std::move(function));
  return made;
}

/// Makes the SystemBody of a system whose function is called for each row of a query with these Terms. The first
/// arguments of the function are those for Leading. The arguments for the row follow, and then those for Trailing.
template <class Function, class... Terms, class... Leading, class... Trailing>
MadeSystem make_for_rows(const SystemSource& source, Function function, TypeList<Terms...>,
                         TypeList<Leading...>, TypeList<Trailing...>) {
  static_assert(!(std::is_same_v<Leading, World&> || ...) && !(std::is_same_v<Trailing, World&> || ...),
                "a system that is called for each row cannot take World&: take a Query<...>& and World&, or "
                "record changes with Commands&");
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
  (TermAccess<Terms>::add(made.access, source), ...);
  made.body =
      std::make_unique<RowSystem<Function, TypeList<Terms...>, TypeList<Leading...>, TypeList<Trailing...>>>(
          source, std::move(function));
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

/// Makes the SystemBody of a system from its function. If Terms are given, the function is called for each row of
/// a query with these terms; otherwise, its parameters determine how it is called.
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

/// A RunCondition (which decides in each run of the schedule whether a system runs) that calls a function with
/// arguments.
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

/// Whether a condition may have a parameter of this type.
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
