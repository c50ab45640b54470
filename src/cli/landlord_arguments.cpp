#include "cli/invocation.hpp"

namespace roost::cli {

namespace {

void add_account_commands(CLI::App& app, invocation& call) {
  auto* account = app.add_subcommand("account", "landlords' accounts")->require_subcommand(1);
  add_limit(add_list_command(*account, call, "list accounts by company",
                             [&call] { return list_accounts(call.common, call.limit); }),
            call.limit);
  add_id(add_command(*account, call, "show", "print an account and its users",
                     [&call] { return show_account(call.common, call.id); }),
         call);
  auto* property = app.add_subcommand("property", "properties, which contain units")->require_subcommand(1);
  auto* list = add_list_command(*property, call, "list properties by name",
                                [&call] { return list_properties(call.common, call.portfolio); });
  list->add_option("--account", call.portfolio.account, "only those of the account with this id");
  add_limit(list, call.portfolio.limit);
}

void add_unit_commands(CLI::App& app, invocation& call) {
  auto* unit = app.add_subcommand("unit", "units that guests book: whole properties, rooms or beds")
                   ->require_subcommand(1);
  auto* list = add_list_command(*unit, call, "list units by name",
                                [&call] { return list_units(call.common, call.portfolio); });
  list->add_option("--account", call.portfolio.account, "only those of the account with this id");
  list->add_option("--property", call.portfolio.property, "only those of the property with this id");
  add_limit(list, call.portfolio.limit);
  add_id(add_command(*unit, call, "show", "print a unit and its links to platforms",
                     [&call] { return show_unit(call.common, call.id); }),
         call);
  auto* calendar = add_command(*unit, call, "calendar", "print the taken nights month by month",
                               [&call] { return show_calendar(call.common, call.calendar); });
  calendar->add_option("ID", call.calendar.unit, "its id, as shown by the list")->required();
  calendar->add_option("--from", call.calendar.from,
                       "the first month, for example 2027-02 (default: the current one)");
  calendar->add_option("--months", call.calendar.months, "number of months (default: 3)");
  add_formats(calendar, call);
}

void add_booking_commands(CLI::App& app, invocation& call) {
  auto* booking = app.add_subcommand("booking", "landlords' bookings")->require_subcommand(1);
  auto* list = add_list_command(*booking, call, "list bookings, newest first",
                                [&call] { return list_bookings(call.common, call.bookings); });
  list->add_option("--account", call.bookings.account, "only those of the account with this id");
  list->add_option("--unit", call.bookings.unit, "only those of the unit with this id");
  list->add_option("--status", call.bookings.status,
                   "only confirmed, checked_in, checked_out or cancelled ones");
  list->add_option("--platform", call.bookings.platform, "only those of the platform with this name");
  list->add_option("--reference", call.bookings.reference, "only the one with this reference of a platform");
  add_limit(list, call.bookings.limit);
  add_id(add_command(*booking, call, "show", "print a booking with its terms and its payment plan",
                     [&call] { return show_booking(call.common, call.id); }),
         call);
  add_id(add_command(*booking, call, "cancel", "cancel a booking; its nights become free immediately",
                     [&call] { return cancel_booking(call.common, call.id); }),
         call);
}

void add_request_commands(CLI::App& app, invocation& call) {
  auto* request = app.add_subcommand("request", "booking requests of platforms")->require_subcommand(1);
  auto* list = add_list_command(*request, call, "list booking requests, newest first",
                                [&call] { return list_requests(call.common, call.requests); });
  list->add_option("--status", call.requests.status, "only new, success, failed or dropped ones");
  list->add_option("--platform", call.requests.platform, "only those of the platform with this name");
  list->add_option("--since", call.requests.since,
                   "only those received since: 24h, 7d, 2026-11-20 or 2026-11-20T09:30:00Z");
  add_limit(list, call.requests.limit);
  add_id(add_command(*request, call, "show", "print a booking request and its outcome",
                     [&call] { return show_request(call.common, call.id); }),
         call);
}

void add_message_commands(CLI::App& app, invocation& call) {
  auto* notification =
      app.add_subcommand("notification", "notifications to landlords")->require_subcommand(1);
  auto* list = add_list_command(*notification, call, "list notifications, newest first", [&call] {
    return list_notifications(call.common, call.account, call.limit);
  });
  list->add_option("--account", call.account, "only those of the account with this id");
  add_limit(list, call.limit);
  auto* changes =
      add_command(app, call, "changelog", "list changes that platforms made to a unit, newest first",
                  [&call] { return show_changelog(call.common, call.id, call.limit); });
  changes->add_option("UNIT", call.id, "the unit's id")->required();
  add_limit(changes, call.limit);
  add_formats(changes, call);
}

} // namespace

void add_portfolio_file_commands(CLI::App& app, invocation& call) {
  auto* load = add_command(app, call, "import", "load portfolio files",
                           [&call] { return import_portfolios(call.common, call.import); });
  load->add_option("FILE", call.import.files, "portfolio files (format roost-portfolio/1)")->required();
  load->add_flag("--check", call.import.check_only, "only validate; change nothing");
  load->add_flag("--plan", call.import.plan_only,
                 "print what the import would add, change and remove; change nothing");
  load->add_flag("--allow-removals", call.import.allow_removals,
                 "remove what an account's file leaves out, or archive it if it is booked");
  add_formats(load, call, "with --plan: ");
  auto* save = add_command(app, call, "export", "write portfolio files for import",
                           [&call] { return export_portfolios(call.common, call.exported); });
  save->add_option("--account", call.exported.accounts,
                   "only the account with this id; may be repeated (default: all)")
      ->take_all()
      ->expected(1);
  save->add_option("--out", call.exported.out,
                   "a file, or a folder for one file per account (default: standard output)");
  save->add_flag("--force", call.exported.overwrite, "overwrite existing files");
  save->add_flag("--with-password-hashes", call.exported.password_hashes,
                 "include users' password hashes, to import them into another store");
}

void add_landlord_commands(CLI::App& app, invocation& call) {
  add_account_commands(app, call);
  add_unit_commands(app, call);
  add_booking_commands(app, call);
  add_request_commands(app, call);
  add_message_commands(app, call);
}

} // namespace roost::cli
