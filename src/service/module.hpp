#pragma once

namespace roost {

/// A feature of the service. Its constructor spawns its actors, and tells the foundation what it is ready by
/// and what it measures. Modules are built and started in one order and stopped in the reverse one.
class module {
public:
  module() = default;
  virtual ~module() = default;
  module(const module&) = delete;
  module& operator=(const module&) = delete;

  /// After all modules are built. Throws std::runtime_error with one line for what cannot be used.
  virtual void start() {}

  /// Finishes what must be finished and ends the actors. The object stays until the threads have ended,
  /// because others may refer to it until then.
  virtual void stop() = 0;
};

} // namespace roost
