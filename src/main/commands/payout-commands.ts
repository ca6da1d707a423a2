import { Argument, type Command, Option } from "commander";
import { type LimitSpan, limitSpans } from "../../payouts/controls/limit-span.ts";
import {
  type ConfigOption,
  commandContext,
  configFile,
  configOption,
  sandboxHome,
} from "./command-line.ts";
import type { FeeMode } from "./create-payout.ts";
import type { PauseTarget } from "./pause-payouts.ts";

type Switched = ConfigOption & { readonly chain?: string; readonly wallet?: string };

type Paused = Switched & { readonly stopCrediting: boolean };

/** Commands that pause, limit and inspect payouts. Each loads its code when it runs. */
export function addPayoutCommands(program: Command): void {
  addKillSwitches(program);
  addUnexplained(program);
  addControls(program);
}

/** Payouts of the sandbox's demo account. */
export function addSandboxPayoutCommands(program: Command): void {
  program
    .command("payout")
    .description("Create a payout from a wallet of the sandbox's demo account")
    .argument("<wallet>", "wallet id, or alpha code of an Enterprise wallet's currency")
    .argument("<amount>", "in the payment currency, such as 0.5")
    .argument("<address>", "address to pay")
    .option("--currency <alpha>", "payment currency; default: the wallet's own")
    .addOption(
      new Option("--fee <mode>", "network fee")
        .choices(["low", "medium", "high"])
        .default("medium"),
    )
    .option("--callback-url <url>", "URL for callbacks")
    .option("--as <role>", "role of the sandbox user who creates it; default: the Owner")
    .addOption(configOption())
    .action(
      async (
        wallet: string,
        amount: string,
        address: string,
        options: ConfigOption & {
          readonly currency?: string;
          readonly fee: FeeMode;
          readonly callbackUrl?: string;
          readonly as?: string;
        },
      ) => {
        const { createPayout } = await import("./create-payout.ts");
        await createPayout(
          {
            home: sandboxHome(options),
            wallet,
            amount,
            address,
            fee: options.fee,
            currency: options.currency ?? null,
            callbackUrl: options.callbackUrl ?? null,
            role: options.as ?? null,
          },
          commandContext(),
        );
      },
    );
  program
    .command("bulk-payout")
    .description("Create the payouts of a CSV file from a wallet of the sandbox's demo account")
    .argument("<wallet>", "wallet id, or currency code of an Enterprise wallet")
    .argument("<file>", "CSV file with the columns address and amount")
    .requiredOption("--reference <text>", "name of the batch; the same one continues it")
    .option("--currency <alpha>", "payment currency; default: the wallet's own")
    .addOption(
      new Option("--fee <mode>", "network fee")
        .choices(["low", "medium", "high"])
        .default("medium"),
    )
    .option("--as <role>", "role of the sandbox user who creates it; default: the Owner")
    .addOption(configOption())
    .action(
      async (
        wallet: string,
        file: string,
        options: ConfigOption & {
          readonly reference: string;
          readonly currency?: string;
          readonly fee: FeeMode;
          readonly as?: string;
        },
      ) => {
        const { uploadPayouts } = await import("./upload-payouts.ts");
        await uploadPayouts(
          {
            home: sandboxHome(options),
            wallet,
            file,
            reference: options.reference,
            fee: options.fee,
            currency: options.currency ?? null,
            role: options.as ?? null,
          },
          commandContext(),
        );
      },
    );
  program
    .command("approve")
    .description("Approve a payout of the sandbox's demo account as its Owner")
    .argument("<payout>", "payout id")
    .addOption(configOption())
    .action(async (payoutId: string, options: ConfigOption) => {
      const { approvePayout } = await import("./approve-payout.ts");
      await approvePayout({ home: sandboxHome(options), payoutId }, commandContext());
    });
}

function addKillSwitches(program: Command): void {
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .option("--chain <alpha>", "only on this chain")
      .option("--wallet <id>", "only from this wallet")
      .addOption(configOption());
  command("pause", "Stop accepting and sending payouts")
    .option("--reason <text>", "reason shown with the pause", "")
    .option("--stop-crediting", "with --chain: credit no payments either", false)
    .action(async (options: Paused & { readonly reason: string }) => {
      const { pausePayouts } = await import("./pause-payouts.ts");
      await pausePayouts(configFile(options), pausedBy(options), options.reason, commandContext());
    });
  command("resume", "Resume payouts, including after a restore").action(
    async (options: Switched) => {
      const { resumePausedPayouts } = await import("./pause-payouts.ts");
      await resumePausedPayouts(configFile(options), switchedBy(options), commandContext());
    },
  );
}

function addUnexplained(program: Command): void {
  const group = program
    .command("unexplained")
    .description("Resolve outgoing transactions that the database has no record of");
  group
    .command("list")
    .description("List them with their recipients and the payouts that match recipient and amount")
    .addOption(configOption())
    .action(async (options: ConfigOption) => {
      const { showUnexplained } = await import("./unexplained-commands.ts");
      await showUnexplained(configFile(options), commandContext());
    });
  const decision = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .argument("<chain>", "alpha code of the chain's coin")
      .argument("<txid>", "transaction id")
      .requiredOption("--reason <text>", "reason recorded with the decision")
      .addOption(configOption());
  type Decided = ConfigOption & { readonly reason: string; readonly payout?: readonly string[] };
  const decide = async (chain: string, txid: string, options: Decided): Promise<void> => {
    const { decideSpend } = await import("./unexplained-commands.ts");
    const { reason, payout: payoutIds = [] } = options;
    await decideSpend(configFile(options), { chain, txid, reason, payoutIds }, commandContext());
  };
  decision("settle", "Record that a transaction paid these payouts")
    .requiredOption("--payout <id...>", "ids of the payouts that it paid")
    .action(decide);
  decision("release", "Record that a transaction paid none of the recorded payouts").action(decide);
}

function pausedBy({ stopCrediting, ...switched }: Paused): PauseTarget {
  const target = switchedBy(switched);
  if (!stopCrediting) return target;
  if (target.kind !== "chain") throw new Error("use --stop-crediting with --chain");
  return { ...target, stopsReading: true };
}

function switchedBy({ chain, wallet }: Switched): PauseTarget {
  if (chain !== undefined && wallet !== undefined)
    throw new Error("use --chain or --wallet, not both");
  if (chain !== undefined) return { kind: "chain", chain };
  return wallet === undefined ? { kind: "all" } : { kind: "wallet", walletId: wallet };
}

function addControls(program: Command): void {
  program
    .command("limit")
    .description('Set the amount above which payouts require approval; "none" removes the limit')
    .addArgument(new Argument("<span>").choices(limitSpans))
    .argument("<alpha>", "currency, such as USDT-ETH")
    .argument("<amount>", "amount in that currency, or none")
    .option("--account <id>", "only for this account")
    .option("--wallet <id>", "only for this wallet")
    .addOption(configOption())
    .action(
      async (
        span: LimitSpan,
        currency: string,
        amount: string,
        options: ConfigOption & { readonly account?: string; readonly wallet?: string },
      ) => {
        const { setPayoutLimit } = await import("./set-payout-limit.ts");
        await setPayoutLimit(
          configFile(options),
          {
            span,
            currency,
            amount: amount === "none" ? null : amount,
            accountId: options.account ?? null,
            walletId: options.wallet ?? null,
          },
          commandContext(),
        );
      },
    );
  program
    .command("payee")
    .description("Add or remove allowlisted addresses")
    .addArgument(new Argument("<change>").choices(["add", "remove"]))
    .argument("<account>", "account id")
    .argument("<chain>", "alpha code of the chain's coin")
    .argument("<address>")
    .option("--tag <tag>", "destination tag, memo or comment")
    .option("--label <text>", "description for people", "")
    .addOption(configOption())
    .action(
      async (
        change: "add" | "remove",
        accountId: string,
        chain: string,
        address: string,
        options: ConfigOption & { readonly tag?: string; readonly label: string },
      ) => {
        const { changeAllowlist } = await import("./change-allowlist.ts");
        await changeAllowlist(
          configFile(options),
          {
            change,
            accountId,
            chain,
            address,
            label: options.label,
            tag: options.tag ?? null,
          },
          commandContext(),
        );
      },
    );
  program
    .command("book-only")
    .description("Restrict payouts to allowlisted addresses")
    .argument("<account>", "account id")
    .addArgument(new Argument("<state>").choices(["on", "off"]))
    .addOption(configOption())
    .action(async (accountId: string, state: "on" | "off", options: ConfigOption) => {
      const { setAllowlistMode } = await import("./change-allowlist.ts");
      await setAllowlistMode(
        configFile(options),
        { accountId, isAllowlistOnly: state === "on" },
        commandContext(),
      );
    });
  addProtectionCommands(
    program
      .command("protection")
      .description("Decide changes of limits and allowlist that members asked for"),
  );
}

function addProtectionCommands(protection: Command): void {
  protection
    .command("list <account>")
    .description("List the changes that wait for approval")
    .addOption(configOption())
    .action(async (accountId: string, options: ConfigOption) => {
      const { listProtectionChanges } = await import("./decide-protection-change.ts");
      await listProtectionChanges(configFile(options), { accountId }, commandContext());
    });
  const decisions = [
    ["approve", "Apply a change that nobody else in the account can approve"],
    ["reject", "Reject a change"],
  ] as const;
  for (const [decision, description] of decisions)
    protection
      .command(`${decision} <account> <change>`)
      .description(description)
      .addOption(configOption())
      .action(async (accountId: string, id: string, options: ConfigOption) => {
        const { decideProtectionChange } = await import("./decide-protection-change.ts");
        await decideProtectionChange(
          configFile(options),
          { accountId, id, decision },
          commandContext(),
        );
      });
}
