#pragma once

#include "http/protocol/router.hpp"

namespace roost {

/// A feature of the service. Its constructor spawns its actors, and tells the service_context what it is
/// ready by and what it measures. Modules are built and started in one order. They end in the reverse one,
/// and in two rounds: what only reads goes on until nothing writes any more and the lease is given back.
class module {
public:
  module() = default;
  virtual ~module() = default;
  module(const module&) = delete;
  module& operator=(const module&) = delete;

  /// Adds the feature's routes to those of the public listener.
  virtual void mount(http::router&) const {}

  /// After all modules are built. Throws std::runtime_error with one line for what cannot be used.
  virtual void start() {}

  /// The first round: finishes what must be written, and writes nothing more.
  virtual void finish_writing() {}

  /// The second round: ends what is left. The object stays until the threads have ended, because others may
  /// refer to it until then; so do handles that I/O threads copy.
  virtual void stop() {}
};

} // namespace roost
