import { type Command, InvalidArgumentError, Option } from "commander";
import { type Role, roles } from "../../accounts/principal.ts";
import { graceHoursDefault } from "../../accounts/webhook-secrets/administer-webhook-secret.ts";
import type { MemberAction } from "./administer-members.ts";
import { type ConfigOption, commandContext, configFile, configOption } from "./command-line.ts";

/** Commands that administer an account's members, credentials and webhook secret. Each loads its code when it is called. */
export function addAccountCommands(program: Command): void {
  const member = program
    .command("member")
    .description("Manage the members of an account: people and programs");
  addMemberCommands(member);
  addMemberActions(member);
  const credential = program
    .command("credential")
    .description("Manage the credentials of an account's members");
  addCredentialCommands(credential);
  addCredentialActions(credential);
  addWebhookSecretCommands(
    program
      .command("webhook-secret")
      .description("Show or rotate the secret that signs an account's callbacks"),
  );
  withConfig(
    program
      .command("token-keys")
      .description("Rotate the keys that sign access tokens")
      .command("rotate")
      .description("Create a new key; existing tokens stay valid until they expire"),
  ).action(async (options: ConfigOption) => {
    const { rotateTokenKeysCommand } = await import("./rotate-token-keys.ts");
    await rotateTokenKeysCommand(configFile(options), commandContext());
  });
}

type WalletOption = { readonly wallet?: readonly string[] };
type ListOptions = ConfigOption & { readonly json?: true };

function addMemberCommands(member: Command): void {
  withConfig(member.command("create <account> <name>").description("Create a member"))
    .addOption(roleOption().makeOptionMandatory())
    .addOption(walletOption())
    .option("--login <login>", "create a person, and print a login and an initial password")
    .action(
      async (
        accountId: string,
        name: string,
        options: ConfigOption & WalletOption & { readonly role: Role; readonly login?: string },
      ) => {
        const { createMemberCommand } = await import("./administer-members.ts");
        const { role, wallet: wallets = [], login = null } = options;
        await createMemberCommand(
          configFile(options),
          { accountId, name, role, wallets, login },
          commandContext(),
        );
      },
    );
  listCommand(member, "List the members, including inactive ones", async (accountId, options) => {
    const { listMembersCommand } = await import("./administer-members.ts");
    const isJson = options.json === true;
    await listMembersCommand(configFile(options), { accountId, isJson }, commandContext());
  });
  withConfig(
    member
      .command("change <account> <member>")
      .description("Change a member's name, role or wallets"),
  )
    .option("--name <name>", "new name")
    .addOption(roleOption())
    .addOption(walletOption())
    .addOption(new Option("--all-wallets", "all wallets of the account").conflicts("wallet"))
    .action(
      async (
        accountId: string,
        id: string,
        options: ConfigOption &
          WalletOption & {
            readonly name?: string;
            readonly role?: Role;
            readonly allWallets?: true;
          },
      ) => {
        const { changeMemberCommand } = await import("./administer-members.ts");
        const { name, role, wallet, allWallets } = options;
        const wallets = allWallets === true ? "all" : wallet;
        await changeMemberCommand(
          configFile(options),
          { accountId, id, name, role, wallets },
          commandContext(),
        );
      },
    );
}

function addMemberActions(member: Command): void {
  const action = (name: MemberAction, description: string): void => {
    withConfig(member.command(`${name} <account> <member>`).description(description)).action(
      async (accountId: string, id: string, options: ConfigOption) => {
        const { memberActionCommand } = await import("./administer-members.ts");
        const target = { action: name, accountId, id };
        await memberActionCommand(configFile(options), target, commandContext());
      },
    );
  };
  action("deactivate", "Sign a member out and reject their credentials");
  action("activate", "Reactivate a member");
  action("confirm", "Confirm a member whom another member added");
  withConfig(
    member
      .command("reset-access <account> <member>")
      .description("Remove a person's second factors and print an initial password"),
  )
    .option("--login <login>", "new login (default: the current one)")
    .action(
      async (
        accountId: string,
        id: string,
        options: ConfigOption & { readonly login?: string },
      ) => {
        const { resetAccessCommand } = await import("./administer-members.ts");
        const { login = null } = options;
        await resetAccessCommand(configFile(options), { accountId, id, login }, commandContext());
      },
    );
}

type NetworkOptions = ConfigOption & {
  readonly label?: string;
  readonly network?: readonly string[];
};

function addCredentialCommands(credential: Command): void {
  withConfig(
    credential
      .command("create <account> <member>")
      .description("Create a credential and print its login and password"),
  )
    .option("--label <text>", "name shown in lists")
    .addOption(networkOption())
    .action(async (accountId: string, memberId: string, options: NetworkOptions) => {
      const { createCredentialCommand } = await import("./administer-credentials.ts");
      const { label = "", network: networks = [] } = options;
      await createCredentialCommand(
        configFile(options),
        { accountId, memberId, label, networks },
        commandContext(),
      );
    });
  listCommand(
    credential,
    "List the credentials, including revoked ones",
    async (accountId, options) => {
      const { listCredentialsCommand } = await import("./administer-credentials.ts");
      const isJson = options.json === true;
      await listCredentialsCommand(configFile(options), { accountId, isJson }, commandContext());
    },
  );
  withConfig(
    credential
      .command("change <account> <credential>")
      .description("Change a credential's label or allowed networks"),
  )
    .option("--label <text>", "new label")
    .addOption(networkOption())
    .addOption(new Option("--any-network", "allow use from any address").conflicts("network"))
    .action(
      async (
        accountId: string,
        id: string,
        options: NetworkOptions & { readonly anyNetwork?: true },
      ) => {
        const { changeCredentialCommand } = await import("./administer-credentials.ts");
        const { label = null, network = null, anyNetwork } = options;
        const networks = anyNetwork === true ? [] : network;
        await changeCredentialCommand(
          configFile(options),
          { accountId, id, label, networks },
          commandContext(),
        );
      },
    );
}

function addCredentialActions(credential: Command): void {
  const command = (name: string, description: string): Command =>
    withConfig(credential.command(`${name} <account> <credential>`).description(description));
  command("rotate", "Create a credential with the same settings and revoke this one").action(
    async (accountId: string, id: string, options: ConfigOption) => {
      const { rotateCredentialCommand } = await import("./administer-credentials.ts");
      await rotateCredentialCommand(configFile(options), { accountId, id }, commandContext());
    },
  );
  command("revoke", "Revoke a credential and end its sessions").action(
    async (accountId: string, id: string, options: ConfigOption) => {
      const { revokeCredentialCommand } = await import("./administer-credentials.ts");
      await revokeCredentialCommand(configFile(options), { accountId, id }, commandContext());
    },
  );
  command("designate", "Sign callbacks for dashboard-created objects with this credential").action(
    async (accountId: string, id: string, options: ConfigOption) => {
      const { designateCredentialCommand } = await import("./administer-credentials.ts");
      await designateCredentialCommand(configFile(options), { accountId, id }, commandContext());
    },
  );
}

function addWebhookSecretCommands(secret: Command): void {
  const command = (name: string, description: string): Command =>
    withConfig(secret.command(`${name} <account>`).description(description));
  command("status", "Show when the secret was rotated").action(
    async (accountId: string, options: ConfigOption) => {
      const { webhookSecretStatusCommand } = await import("./administer-webhook-secret.ts");
      await webhookSecretStatusCommand(configFile(options), accountId, commandContext());
    },
  );
  command("show", "Show the secret; the audit log records it").action(
    async (accountId: string, options: ConfigOption) => {
      const { showWebhookSecretCommand } = await import("./administer-webhook-secret.ts");
      await showWebhookSecretCommand(configFile(options), accountId, commandContext());
    },
  );
  command("rotate", "Replace the secret and print the new one")
    .addOption(
      new Option("--grace-hours <hours>", "how long the old secret also signs; 0 if it leaked")
        .argParser(readHours)
        .default(graceHoursDefault),
    )
    .action(async (accountId: string, options: ConfigOption & { readonly graceHours: number }) => {
      const { rotateWebhookSecretCommand } = await import("./administer-webhook-secret.ts");
      const { graceHours } = options;
      await rotateWebhookSecretCommand(
        configFile(options),
        { accountId, graceHours },
        commandContext(),
      );
    });
}

function listCommand(
  group: Command,
  description: string,
  list: (accountId: string, options: ListOptions) => Promise<void>,
): void {
  withConfig(group.command("list <account>").description(description))
    .option("--json", "print JSON as the API returns it")
    .action(list);
}

function roleOption(): Option {
  return new Option("--role <role>", "what the member may do").choices(roles);
}

function walletOption(): Option {
  return new Option(
    "--wallet <id>",
    "only this wallet; ID:pay also allows payouts from it; repeatable",
  ).argParser(collect);
}

function networkOption(): Option {
  return new Option(
    "--network <cidr>",
    "allow use only from this network or address; repeatable",
  ).argParser(collect);
}

function withConfig(command: Command): Command {
  return command.addOption(configOption());
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

function readHours(text: string): number {
  if (/^\d{1,4}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Write a whole number of hours.");
}
