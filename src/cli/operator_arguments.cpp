#include "cli/invocation.hpp"

namespace roost::cli {

void add_mail_commands(CLI::App& app, invocation& call) {
  auto* mail = app.add_subcommand("mail", "mail to landlords' users")->require_subcommand(1);
  auto* list = add_list_command(*mail, call, "list mails, the newest first",
                                [&call] { return list_mails(call.common, call.mails); });
  list->add_option("--state", call.mails.state, "only those that are waiting, sent or given-up");
  list->add_option("--to", call.mails.to, "only those to this address");
  add_limit(list, call.mails.limit);
  add_id(add_command(*mail, call, "show", "print a mail's text and what became of it",
                     [&call] { return show_mail(call.common, call.id); }),
         call);
  add_command(*mail, call, "retry", "send again what was not sent", [&call] {
    return retry_mail(call.common, call.id);
  })->add_option("ID", call.id, "of one mail (default: all that were given up)");
  add_command(*mail, call, "test", "send a message to an address at once",
              [&call] { return test_mail(call.common, call.email); })
      ->add_option("ADDRESS", call.email, "who gets it")
      ->required();
}

void add_operator_commands(CLI::App& app, invocation& call) {
  auto* tenant = app.add_subcommand("tenant", "guests")->require_subcommand(1);
  auto* erase = add_command(*tenant, call, "erase", "erase a guest's data and keep what accounts need",
                            [&call] { return erase_tenant(call.common, call.id, call.confirmed); });
  erase->add_option("TENANT", call.id, "a tenant's id, or a guest's address")->required();
  erase->add_flag("--confirm", call.confirmed, "nothing brings it back");
  add_formats(add_command(app, call, "doctor",
                          "look at configuration, store and machine, and say what is wrong and what to do",
                          [&call] { return examine(call.common); }),
              call);
  auto* audit =
      app.add_subcommand("audit",
                         "the audit log: changes made by commands, and by partners with tokens and keys")
          ->require_subcommand(1);
  add_limit(add_list_command(*audit, call, "list changes, the newest first",
                             [&call] { return list_audit(call.common, call.limit); }),
            call.limit);
}

} // namespace roost::cli
