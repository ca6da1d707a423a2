import { resolve } from "node:path";
import { Argument, type Command, InvalidArgumentError } from "commander";
import { errorMessage } from "../../platform/kernel/error-message.ts";
import { addCertificateCommands } from "./certificate-commands.ts";
import type { ProcessName } from "./check-health.ts";
import { type CheckedRoles, parseRoles, processNames } from "./check-role.ts";
import {
  type ConfigOption,
  commandContext,
  configFile,
  configOption,
  print,
  readPort,
} from "./command-line.ts";
import { addPairCommands } from "./pair-commands.ts";

type DatabaseCommand = { readonly database?: string };
type Listening = ConfigOption & { readonly port?: number };

/** Commands of a deployment with a configuration file; each loads its code when it runs. */
export function addDeploymentCommands(program: Command): void {
  const command = (name: string, description: string): Command =>
    program.command(name).description(description).addOption(configOption());

  command("init", "Create the data key and the keystore of a configuration")
    .option("--show-words", "print the 24 words of the new keystore, once", false)
    .option("--words-file <file>", "restore the keystore from the 24 words in a file")
    .action(
      async (
        options: ConfigOption & { readonly showWords: boolean; readonly wordsFile?: string },
      ) => {
        const { initializeKeys } = await import("./initialize-keys.ts");
        const { showWords, wordsFile = null } = options;
        await initializeKeys(configFile(options), { showWords, wordsFile }, commandContext());
      },
    );
  command("migrate", "Migrate the database to the newest schema")
    .option("--distributed", "distribute it over the nodes of Citus as well", false)
    .action(async (options: ConfigOption & { readonly distributed: boolean }) => {
      const { migrateDatabase } = await import("./migrate-database.ts");
      await migrateDatabase(configFile(options), { isDistributed: options.distributed }, print);
    });
  command("check", "Check the database, nodes, keys and external services of a configuration")
    .option(
      "--role <roles>",
      `check what processes of these roles need: ${processNames.join(", ")}; repeatable, or a list with commas (default: all of one machine)`,
      readRoles,
    )
    .action(async (options: ConfigOption & { readonly role?: CheckedRoles }) => {
      const { checkDeployment } = await import("./check-deployment.ts");
      const { role: roles = null } = options;
      const isWell = await checkDeployment(configFile(options), commandContext(), { roles });
      if (!isWell) process.exitCode = 1;
    });
  command("backup", "Back up the database, then the signer's folder, into a new folder of FOLDER")
    .argument("<folder>")
    .option("--database <command>", "shell command that backs up the database; runs first")
    .action(async (folder: string, options: ConfigOption & DatabaseCommand) => {
      const { backUpDeployment } = await import("./backup-deployment.ts");
      const { database = null } = options;
      await backUpDeployment(configFile(options), resolve(folder), database, commandContext());
    });
  command("restore", "Restore the database, then the signer's folder, from the backup in FOLDER")
    .argument("<folder>")
    .option("--database <command>", "shell command that restores the database; runs first")
    .action(async (folder: string, options: ConfigOption & DatabaseCommand) => {
      const { restoreDeployment } = await import("./backup-deployment.ts");
      const { database = null } = options;
      await restoreDeployment(configFile(options), resolve(folder), database, commandContext());
    });
  const listening = (name: string, description: string): Command =>
    command(name, description).option(
      "--port <number>",
      "port to listen on, overriding the configuration",
      readPort,
    );
  listening("api", "Serve the HTTP API, the payment pages and the dashboard").action(
    async (options: Listening) => {
      const { runApiProcess } = await import("../processes/run-api-process.ts");
      await runApiProcess(configFile(options), options.port ?? null);
    },
  );
  listening("worker", "Follow chains, send payouts and deliver callbacks").action(
    async (options: Listening) => {
      const { runWorkerProcess } = await import("../processes/run-worker-process.ts");
      await runWorkerProcess(configFile(options), options.port ?? null);
    },
  );
  const signer = command("signer", "Hold the keys and sign transactions").action(
    async (options: ConfigOption) => {
      const { runSignerProcess } = await import("../processes/run-signer-process.ts");
      await runSignerProcess(configFile(options));
    },
  );
  signer
    .command("words")
    .description("Print the words that restore a chain's account in other wallets")
    .argument("<chain>", "alpha code of the chain's coin")
    .addOption(configOption())
    .action(async (chain: string, options: ConfigOption) => {
      const { printWalletWords } = await import("./print-wallet-words.ts");
      await printWalletWords(configFile(options), chain, commandContext());
    });
  addCertificateCommands(signer);
  addPairCommands(signer);
  command("health", "Tell by the exit status whether a process on this machine works")
    .addArgument(new Argument("<process>", "which process").choices(processNames))
    .option("--port <number>", "its port, overriding the configuration", readPort)
    .option(
      "--ready",
      "also ask whether it can serve requests, or be left alone by the other signer of a pair",
      false,
    )
    .action(async (name: ProcessName, options: Listening & { readonly ready: boolean }) => {
      const { checkHealth } = await import("./check-health.ts");
      const { port = null, ready: isReady } = options;
      await checkHealth(configFile(options), name, { port, isReady }, commandContext());
    });
  command("account", "Create an account with an Owner and print its credential")
    .argument("<name>")
    .action(async (name: string, options: ConfigOption) => {
      const { createFirstAccount } = await import("./create-first-account.ts");
      await createFirstAccount(configFile(options), name, commandContext());
    });
}

function readRoles(text: string, earlier: CheckedRoles | undefined): CheckedRoles {
  try {
    return parseRoles(text, earlier);
  } catch (error) {
    throw new InvalidArgumentError(errorMessage(error));
  }
}
