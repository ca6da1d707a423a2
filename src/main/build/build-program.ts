import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command } from "commander";
import { addAccountCommands } from "../commands/account-commands.ts";
import { addDeploymentCommands } from "../commands/deployment-commands.ts";
import { addOperatorCommands } from "../commands/operator-commands.ts";
import { addPayoutCommands, addSandboxPayoutCommands } from "../commands/payout-commands.ts";
import { addUnattributedCommands } from "../commands/receipt-commands.ts";
import { addSandboxCommands } from "../commands/sandbox-commands.ts";

function projectVersion(): string {
  const file = join(import.meta.dirname, "../../../package.json");
  return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
}

/** Defines all commands and their arguments. Each action lives in the file named after it; this file only parses. */
export function buildProgram(): Command {
  const program = new Command("sluice")
    .description("Self-hosted crypto payment service")
    .version(projectVersion(), "-V, --version", "Print the version")
    .helpOption("-h, --help", "Show help")
    .helpCommand("help [command]", "Show help for a command")
    .showHelpAfterError()
    // So that `sluice signer` leaves the options of `sluice signer certificates` to it.
    .enablePositionalOptions();
  program.commandsGroup("Sandbox:");
  addSandboxCommands(program);
  addSandboxPayoutCommands(program);
  program.commandsGroup("Deployment:");
  addDeploymentCommands(program);
  program.commandsGroup("Currencies and books:");
  addOperatorCommands(program);
  program.commandsGroup("Payouts:");
  addPayoutCommands(program);
  program.commandsGroup("Deposits:");
  addUnattributedCommands(program);
  program.commandsGroup("Accounts:");
  addAccountCommands(program);
  return program;
}
