import { type Command, Option } from "commander";
import { type Role, roles } from "../../accounts/principal.ts";
import { type ConfigOption, commandContext, configFile, configOption } from "./command-line.ts";

/** Who acts for an account, and by which credentials. Each command loads its code when it is called. */
export function addAccountCommands(program: Command): void {
  addMemberCommands(
    program.command("member").description("people and systems that act for an account"),
  );
  addCredentialCommands(
    program.command("credential").description("logins of an account's members"),
  );
  withConfig(
    program
      .command("token-keys")
      .description("keys that sign access tokens")
      .command("rotate")
      .description("make a new one; tokens of the older ones hold until they expire"),
  ).action(async (options: ConfigOption) => {
    const { replaceTokenKeys } = await import("./replace-token-keys.ts");
    await replaceTokenKeys(configFile(options), commandContext());
  });
}

type RightsOptions = ConfigOption & { readonly role: Role; readonly wallet: readonly string[] };

function addMemberCommands(member: Command): void {
  const rights = (command: Command): Command =>
    withConfig(command)
      .addOption(new Option("--role <role>", "what it may do").choices(roles).makeOptionMandatory())
      .option(
        "--wallet <id>",
        "only this wallet; ID:pay with payouts from it; repeatable",
        collect,
        [],
      );
  rights(member.command("add <account> <name>").description("add a member")).action(
    async (accountId: string, name: string, options: RightsOptions) => {
      const { addMember } = await import("./add-member.ts");
      const { role, wallet: wallets } = options;
      await addMember(configFile(options), { accountId, name, role, wallets }, commandContext());
    },
  );
  withConfig(member.command("list <account>").description("show the members")).action(
    async (accountId: string, options: ConfigOption) => {
      const { showMembers } = await import("./show-members.ts");
      await showMembers(configFile(options), accountId, commandContext());
    },
  );
  withConfig(
    member
      .command("reset-access <account> <member>")
      .description("let somebody who is locked out of the dashboard begin anew")
      .option("--login <login>", "another login than the one they have"),
  ).action(
    async (
      accountId: string,
      memberId: string,
      options: ConfigOption & { readonly login?: string },
    ) => {
      const { resetMemberAccess } = await import("./reset-member-access.ts");
      const { login = null } = options;
      await resetMemberAccess(
        configFile(options),
        { accountId, memberId, login },
        commandContext(),
      );
    },
  );
  withConfig(
    member
      .command("confirm <account> <member>")
      .description("confirm a member whom one of several Owners added"),
  ).action(async (accountId: string, memberId: string, options: ConfigOption) => {
    const { confirmAccountMember } = await import("./confirm-account-member.ts");
    await confirmAccountMember(configFile(options), { accountId, memberId }, commandContext());
  });
  rights(
    member
      .command("rights <account> <member>")
      .description("change a member's role; its wallets stay unless they are named"),
  )
    .addOption(new Option("--all-wallets", "all wallets of the account").conflicts("wallet"))
    .action(
      async (
        accountId: string,
        memberId: string,
        options: RightsOptions & { readonly allWallets?: true },
      ) => {
        const { setMemberRights } = await import("./set-member-rights.ts");
        const { role, wallet, allWallets = false } = options;
        const wallets = allWallets ? "all" : wallet;
        await setMemberRights(
          configFile(options),
          { accountId, memberId, role, wallets },
          commandContext(),
        );
      },
    );
}

function addCredentialCommands(credential: Command): void {
  withConfig(
    credential
      .command("add <account> <member>")
      .description("make a credential, and print login and password, this once"),
  )
    .option("--network <cidr>", "use only from this network; repeatable", collect, [])
    .action(
      async (
        accountId: string,
        memberId: string,
        options: ConfigOption & { readonly network: readonly string[] },
      ) => {
        const { issueCredential } = await import("./issue-credential.ts");
        const { network: networks } = options;
        await issueCredential(
          configFile(options),
          { accountId, memberId, networks },
          commandContext(),
        );
      },
    );
  withConfig(
    credential.command("list <account>").description("show the credentials, revoked ones too"),
  ).action(async (accountId: string, options: ConfigOption) => {
    const { showCredentials } = await import("./show-credentials.ts");
    await showCredentials(configFile(options), accountId, commandContext());
  });
  withConfig(
    credential.command("revoke <account> <id>").description("end a credential and its sessions"),
  ).action(async (accountId: string, credentialId: string, options: ConfigOption) => {
    const { endCredential } = await import("./end-credential.ts");
    await endCredential(configFile(options), { accountId, credentialId }, commandContext());
  });
  withConfig(
    credential
      .command("designate <account> <id>")
      .description("let it sign callbacks of what was not made through the API"),
  ).action(async (accountId: string, credentialId: string, options: ConfigOption) => {
    const { chooseDesignatedCredential } = await import("./choose-designated-credential.ts");
    await chooseDesignatedCredential(
      configFile(options),
      { accountId, credentialId },
      commandContext(),
    );
  });
}

function withConfig(command: Command): Command {
  return command.addOption(configOption());
}

function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}
