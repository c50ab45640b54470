#include "store/database/connection.hpp"
#include "store/database/error.hpp"
#include "store/support/sample_booking.hpp"
#include "support/store.hpp"

#include <gmock/gmock.h>

#include <filesystem>

namespace roost::testing::sqlite_wal_test {
using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

/// A store file that was replaced by a copy while a session had it open.
class ReplacedFile : public ::testing::Test {
protected:
  ReplacedFile() {
    import_sample(open_, sample_portfolio());
    std::filesystem::copy_file(file_, file_ + ".copy");
    std::filesystem::rename(file_, file_ + ".former");
    std::filesystem::rename(file_ + ".copy", file_);
  }

  void move_the_log() const {
    for (const char* const end : {"-wal", "-shm"})
      std::filesystem::rename(file_ + end, file_ + ".former" + end);
  }

  test_store store_{store_kind::sqlite};
  const std::string file_ = store_.url().substr(std::string("sqlite3://").size());
  store::session open_ = store_.open();
};

TEST_F(ReplacedFile, IsNotOpenedNextToTheLogOfThePreviousFile) {
  auto other = store_.open();
  EXPECT_THAT([&] { other.connect(); }, Throws<store::unavailable>(Property(
                                            &store::unavailable::what, HasSubstr("-wal still belongs to"))));
}

TEST_F(ReplacedFile, IsOpenedAfterTheLogOfThePreviousFileWasMoved) {
  move_the_log();
  auto first = store_.open(), later = store_.open();
  EXPECT_NO_THROW(first.connect());
  EXPECT_NO_THROW(later.connect()) << "next to the log of the new file";
  EXPECT_THROW(open_.connect(), store::another_history);
  EXPECT_NO_THROW(open_.connect());
}

} // namespace roost::testing::sqlite_wal_test
