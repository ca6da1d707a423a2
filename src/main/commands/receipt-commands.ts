import { type Command, Option } from "commander";
import {
  type ConfigOption,
  commandContext,
  configFile,
  configOption,
  sandboxHome,
} from "./command-line.ts";
import type { OperatorAccess, ReturnOrder } from "./unattributed-commands.ts";

type Access = ConfigOption & { readonly credential?: string };

/** `sluice unattributed`: payments to a shared account under no deposit's tag. Each command loads its code when it runs. */
export function addUnattributedCommands(program: Command): void {
  const group = program
    .command("unattributed")
    .description("Resolve payments to a shared account that name no deposit's tag");
  const command = (name: string, description: string): Command =>
    group
      .command(name)
      .description(description)
      .option(
        "--credential <file>",
        "JSON file with an operator's login and password (default: the sandbox's Owner)",
      )
      .addOption(configOption());
  const decision = (name: string, description: string): Command =>
    command(name, description)
      .argument("<payment>", "id of the payment")
      .requiredOption("--reason <text>", "reason for the audit log");

  command("list", "List them, newest first")
    .addOption(
      new Option("--state <state>", "state of the payments")
        .choices(["waiting", "dust", "assigned", "returning", "returned"])
        .default("waiting"),
    )
    .action(async (options: Access & { readonly state: string }) => {
      const { listUnattributed } = await import("./unattributed-commands.ts");
      await listUnattributed(accessOf(options), options.state, commandContext());
    });
  command("find", "Find the deposits to which a payment can be assigned")
    .argument("<payment>", "id of the payment")
    .argument("<text>", "id, tracking id, payment link, tag or address of a deposit")
    .action(async (id: string, text: string, options: Access) => {
      const { findDeposits } = await import("./unattributed-commands.ts");
      await findDeposits(accessOf(options), { id, text }, commandContext());
    });
  decision("assign", "Assign a payment to a deposit of any account")
    .argument("<deposit>", "id of the deposit")
    .action(
      async (id: string, depositId: string, options: Access & { readonly reason: string }) => {
        const { assignUnattributed } = await import("./unattributed-commands.ts");
        const order = { id, depositId, reason: options.reason };
        await assignUnattributed(accessOf(options), order, commandContext());
      },
    );
  type Returned = Access & {
    readonly reason: string;
    readonly address?: string;
    readonly tag?: string;
    readonly tagType?: string;
    readonly fee?: NonNullable<ReturnOrder["fee"]>;
    readonly travelRule?: string;
    readonly key?: string;
  };
  decision("return", "Quote the fees of returning a payment and, with --fee, return it")
    .option("--address <address>", "receiver; default: the sender, if the chain names exactly one")
    .option("--tag <tag>", "the receiver's destination tag, memo or comment")
    .option("--tag-type <type>", "type of the tag, where the chain has several")
    .addOption(
      new Option(
        "--fee <mode>",
        "network fee; without it, fees are quoted and nothing is returned",
      ).choices(["low", "medium", "high"]),
    )
    .option("--travel-rule <file>", "JSON file with the receiver's travel_rule_info")
    .option("--key <uuid>", "idempotency key of an attempt that got no answer")
    .action(async (id: string, options: Returned) => {
      const { returnUnattributed } = await import("./unattributed-commands.ts");
      const order = {
        id,
        reason: options.reason,
        address: options.address ?? null,
        tag: options.tag ?? null,
        tagType: options.tagType ?? null,
        fee: options.fee ?? null,
        travelRuleFile: options.travelRule ?? null,
        idempotencyKey: options.key ?? null,
      };
      await returnUnattributed(accessOf(options), order, commandContext());
    });
}

function accessOf(options: Access): OperatorAccess {
  const { credential } = options;
  return credential === undefined
    ? { kind: "sandbox", home: sandboxHome(options) }
    : { kind: "deployment", configFile: configFile(options), credentialFile: credential };
}
