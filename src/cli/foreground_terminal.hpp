#pragma once

namespace roost::cli {

/// The terminal in whose foreground the program was started, as a demo is. When it is closed, SIGHUP comes,
/// which otherwise asks for a reload.
class foreground_terminal {
public:
  /// Looks for it. Under nohup(1), which ignores SIGHUP, there is none.
  foreground_terminal();

  /// There was one, and it has been closed.
  bool is_gone() const;

private:
  bool was_there_;
};

} // namespace roost::cli
