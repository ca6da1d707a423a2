import { Command } from "commander";
import { addAccountCommands } from "./account-commands.ts";
import { addDeploymentCommands } from "./deployment-commands.ts";
import { addOperatorCommands } from "./operator-commands.ts";
import { addPayoutCommands } from "./payout-commands.ts";
import { addSandboxCommands } from "./sandbox-commands.ts";

/** All commands with their arguments. What each does stands in the file named after it; here only texts are read. */
export function buildProgram(): Command {
  const program = new Command("sluice")
    .description("Self-hosted crypto payment service")
    .showHelpAfterError();
  addSandboxCommands(program);
  addDeploymentCommands(program);
  addOperatorCommands(program);
  addPayoutCommands(program);
  addAccountCommands(program);
  return program;
}
