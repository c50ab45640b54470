#include "stacks/thread_stack.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <thread>

namespace roost::stacks::thread_stack_test {

using ::testing::Contains;
using ::testing::HasSubstr;

std::atomic<bool> entered{false}, released{false};

[[gnu::noinline]] void wait_in_here() {
  entered = true;
  while (!released) std::this_thread::yield();
}

#if !defined(__SANITIZE_THREAD__) // which delays signals until a thread waits
TEST(ThreadStack, NamesTheFunctionsOfAnotherThread) {
  prepare();
  std::thread other{[] { wait_in_here(); }};
  while (!entered) std::this_thread::yield();
  const auto names = names_of(stack_of(other.native_handle()));
  released = true;
  other.join();
  EXPECT_THAT(names, Contains(HasSubstr("wait_in_here")));
}
#endif

TEST(ThreadStack, IsEmptyForAThreadThatBlocksSignals) {
  prepare();
  std::atomic<bool> ready = false, finished = false;
  std::thread blocked{[&] {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, nullptr);
    ready = true;
    while (!finished) std::this_thread::yield();
  }};
  while (!ready) std::this_thread::yield();
  EXPECT_TRUE(stack_of(blocked.native_handle()).empty());
  finished = true;
  blocked.join();
}

TEST(ThreadStack, IgnoresTheSignalWithoutARequest) {
  prepare();
  EXPECT_EQ(raise(SIGURG), 0);
}

TEST(StackNames, AreReadable) {
  EXPECT_EQ(readable_name("_ZN5roost6stacks7prepareEv"), "roost::stacks::prepare()");
  EXPECT_EQ(readable_name("main"), "main");
}

TEST(StackNames, AreAQuestionMarkForAnUnknownAddress) {
  EXPECT_EQ(names_of({reinterpret_cast<void*>(16)}), std::vector<std::string>{"?"});
  EXPECT_TRUE(names_of({}).empty());
}

TEST(StackNames, AreAtMost24) {
  const std::vector<void*> deep(100, reinterpret_cast<void*>(16));
  EXPECT_EQ(names_of(deep).size(), 24U);
}

} // namespace roost::stacks::thread_stack_test
