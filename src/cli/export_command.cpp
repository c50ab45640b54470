#include "cli/commands.hpp"
#include "cli/input.hpp"
#include "cli/output.hpp"
#include "files/private_files.hpp"
#include "portfolio/write.hpp"
#include "store/portfolio/portfolio_export.hpp"
#include "store/portfolio/portfolio_import.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

namespace roost::cli {

namespace {

namespace fs = std::filesystem;

/// Returns a file name for a landlord's key, which is untrusted. Letters, digits, `-`, `_` and non-leading
/// dots stay; every other byte becomes `%` and two hexadecimal digits. Different keys give different names.
/// Returns an empty text if the name would be too long.
std::string file_name_of(const std::string& key) {
  constexpr std::size_t max_length = 200;
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  std::string name;
  for (const char each : key) {
    if (plain.find(each) != std::string_view::npos && !(each == '.' && name.empty())) {
      name += each;
      continue;
    }
    std::array<char, 4> code{};
    std::snprintf(code.data(), code.size(), "%%%02X",
                  static_cast<unsigned>(static_cast<unsigned char>(each)));
    name += code.data();
  }
  return name.size() > max_length ? std::string{} : name;
}

[[noreturn]] void throw_unwritable(const std::string& path, const std::error_code& error) {
  throw std::runtime_error(path + ": cannot be written: " + error.message());
}

/// Returns the path to write to, with symbolic links resolved. Throws if a file must not be written there.
fs::path output_path(const fs::path& path, bool overwrite) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (status.type() == fs::file_type::none) throw_unwritable(path.string(), error);
  if (!fs::exists(status)) {
    if (fs::is_symlink(fs::symlink_status(path)))
      throw std::runtime_error(path.string() + ": is a dangling symbolic link");
    return path;
  }
  if (!fs::is_regular_file(status)) throw std::runtime_error(path.string() + ": is not a regular file");
  if (!overwrite) throw std::runtime_error(path.string() + ": already exists; --force overwrites it");
  return fs::canonical(path);
}

/// A file that only its owner may read. It is written to a temporary file and then renamed, so that it is
/// never incomplete.
class private_output {
public:
  private_output(const fs::path& path, bool overwrite)
      : path_(output_path(path, overwrite)), temporary_(path_) {
    temporary_ += ".unfinished";
    fs::remove(temporary_, ignored_);
    if (const auto error = files::make_private_file(temporary_)) throw_unwritable(path_.string(), error);
    file_.reset(std::fopen(temporary_.c_str(), "we"));
    if (!file_) throw_unwritable(path_.string(), {errno, std::generic_category()});
  }
  ~private_output() {
    if (!finished_) fs::remove(temporary_, ignored_);
  }
  private_output(const private_output&) = delete;
  private_output& operator=(const private_output&) = delete;

  std::FILE* file() const { return file_.get(); }

  void finish() {
    const bool is_written = std::fflush(file_.get()) == 0;
    const std::error_code error{errno, std::generic_category()};
    file_.reset();
    if (!is_written) throw_unwritable(path_.string(), error);
    fs::rename(temporary_, path_);
    finished_ = true;
  }

private:
  fs::path path_, temporary_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  std::error_code ignored_;
  bool finished_ = false;
};

void write_text(std::FILE* file, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size())
    throw std::system_error(errno, std::generic_category(), "the export cannot be written");
}

class portfolio_export {
public:
  portfolio_export(store::session& db, const arguments& args)
      : db_(db), args_(args), hashes_(args.password_hashes ? portfolio::password_hashes::written
                                                           : portfolio::password_hashes::left_out) {}

  /// Writes one file.
  void run(const std::vector<domain::uuid>& accounts, std::FILE* file) {
    portfolio::file_writer writer([&](std::string_view text) { write_text(file, text); }, hashes_);
    progress_bar bar{"exporting"};
    for (std::size_t i = 0; i < accounts.size(); ++i) {
      write(accounts[i], writer);
      bar.show(i + 1, accounts.size());
    }
    writer.finish();
  }

  /// Writes one file per account.
  void run(const std::vector<domain::uuid>& accounts, const fs::path& folder) {
    if (const auto error = files::make_private_folder(folder)) throw_unwritable(folder.string(), error);
    progress_bar bar{"exporting"};
    for (std::size_t i = 0; i < accounts.size(); ++i) {
      write_file(accounts[i], folder);
      bar.show(i + 1, accounts.size());
    }
  }

  const store::left_out_parts& left_out() const { return left_out_; }

private:
  void write(const domain::uuid& id, portfolio::file_writer& writer) {
    left_out_ += store::export_account(
        db_, id,
        {.account = [&](const domain::portfolio_account& account) { writer.begin_account(account); },
         .usage = [&](std::span<const domain::ai_usage_record> records) { writer.add_usage(records); }});
    writer.end_account();
  }

  /// Opens the file once the account is read, because its name is the landlord's key.
  void write_file(const domain::uuid& id, const fs::path& folder) {
    std::unique_ptr<private_output> out;
    std::unique_ptr<portfolio::file_writer> writer;
    const auto begin = [&](const domain::portfolio_account& account) {
      auto name = file_name_of(account.details.landlord_key);
      if (name.empty()) name = domain::to_string(id);
      out = std::make_unique<private_output>(folder / (name + ".json"), args_.overwrite);
      writer = std::make_unique<portfolio::file_writer>(
          [file = out->file()](std::string_view text) { write_text(file, text); }, hashes_);
      writer->begin_account(account);
    };
    left_out_ += store::export_account(
        db_, id, {.account = begin, .usage = [&](std::span<const domain::ai_usage_record> records) {
                    writer->add_usage(records);
                  }});
    writer->end_account();
    writer->finish();
    out->finish();
  }

  store::session& db_;
  const arguments& args_;
  portfolio::password_hashes hashes_;
  store::left_out_parts left_out_;
};

void print_left_out(std::size_t count, const char* origin, store::portfolio_part part) {
  if (count == 0) return;
  std::fprintf(stderr, "left out: %zu %s %s; an import keeps %s\n", count,
               store::name_of(part, count).c_str(), origin, count == 1 ? "it" : "them");
}

bool is_folder(const std::string& path) { return path.ends_with('/') || fs::is_directory(path); }

} // namespace

int export_portfolios(const arguments& args) {
  std::vector<domain::uuid> requested;
  for (const auto& id : args.accounts) requested.push_back(parse_id(id));
  auto session = open_store(args);
  for (const auto& id : requested) require_account(session, id);
  const auto accounts = store::accounts_to_export(session, requested);
  portfolio_export exported(session, args);
  if (args.out.empty()) {
    exported.run(accounts, stdout);
    if (std::fflush(stdout) != 0)
      throw std::system_error(errno, std::generic_category(), "the export cannot be written");
  } else if (is_folder(args.out)) {
    exported.run(accounts, fs::path(args.out));
  } else {
    private_output out(args.out, args.overwrite);
    exported.run(accounts, out.file());
    out.finish();
  }
  print_left_out(exported.left_out().properties, "created by a platform", store::portfolio_part::property);
  print_left_out(exported.left_out().calendars, "uploaded", store::portfolio_part::calendar);
  return 0;
}

} // namespace roost::cli
