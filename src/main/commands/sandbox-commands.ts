import { type Command, Option } from "commander";
import { untilSignal } from "../processes/until-signal.ts";
import {
  type ConfigOption,
  commandContext,
  configOption,
  homeFolder,
  namedConfigFile,
  print,
  readCount,
  readPort,
  sandboxHome,
} from "./command-line.ts";

const listenPort = "9000";

/**
 * Commands for the sandbox of `SLUICE_HOME`. Each loads its code when it runs: loading the whole service takes 0.9 s of
 * processor time, too long for mining a block.
 */
export function addSandboxCommands(program: Command): void {
  program
    .command("start")
    .description(
      "Start the sandbox (database, private chains, demo accounts, api, workers, signer), or the deployment of a configuration file",
    )
    .addOption(new Option("--config <file>", "configuration file (default: SLUICE_CONFIG)"))
    .action(async (options: ConfigOption) => {
      const deployment = namedConfigFile(options);
      if (deployment !== null) {
        const { runDeploymentProcess } = await import("../processes/run-deployment-process.ts");
        await runDeploymentProcess(deployment);
        return;
      }
      const { runSandboxProcess } = await import("../processes/run-sandbox-process.ts");
      await runSandboxProcess(
        {
          home: homeFolder(),
          host: variable("SLUICE_HOST") ?? "127.0.0.1",
          port: readPort(variable("SLUICE_PORT") ?? "8080"),
          chains: variable("SLUICE_CHAINS"),
          databaseUrl: variable("DATABASE_URL"),
        },
        print,
      );
    });
  program
    .command("cluster")
    .description(
      "Start a cluster for trials on this machine: PostgreSQL under Patroni, balancer, api processes, workers, two signers, private chains",
    )
    .action(async () => {
      const { runClusterProcess } = await import("../cluster/run-cluster-process.ts");
      await runClusterProcess(
        {
          home: homeFolder(),
          host: variable("SLUICE_HOST") ?? "127.0.0.1",
          port: readPort(variable("SLUICE_PORT") ?? "8080"),
          chains: variable("SLUICE_CHAINS"),
        },
        print,
      );
    });
  program
    .command("pay")
    .description("Pay a sandbox deposit as its payer would")
    .argument("<deposit>", "id of the deposit")
    .argument("<amount>", "in the payment currency, such as 0.5")
    .addOption(configOption())
    .action(async (depositId: string, amount: string, options: ConfigOption) => {
      const { payDeposit } = await import("./pay-deposit.ts");
      await payDeposit({ home: sandboxHome(options), depositId, amount }, commandContext());
    });
  program
    .command("mine")
    .description("Mine blocks on a sandbox chain")
    .argument("<chain>", "chain, such as ETH")
    .argument("[count]", "number of blocks", readCount, 1)
    .addOption(configOption())
    .action(async (chain: string, count: number, options: ConfigOption) => {
      const { mineBlocks } = await import("./drive-chain.ts");
      await mineBlocks({ home: sandboxHome(options), chain, count }, commandContext());
    });
  program
    .command("reorg")
    .description("Replace the newest blocks of a sandbox chain (reorg)")
    .argument("<chain>", "chain, such as ETH")
    .argument("<depth>", "number of blocks to replace", readCount)
    .addOption(
      new Option(
        "--transactions <where>",
        "return the replaced blocks' transactions to the mempool (wait) or mine them again (include)",
      )
        .choices(["wait", "include"])
        .default("wait"),
    )
    .addOption(configOption())
    .action(
      async (
        chain: string,
        depth: number,
        options: ConfigOption & { readonly transactions: "wait" | "include" },
      ) => {
        const { reorgChain } = await import("./drive-chain.ts");
        const { transactions } = options;
        const home = sandboxHome(options);
        await reorgChain({ home, chain, depth, transactions }, commandContext());
      },
    );
  program
    .command("listen")
    .description("Receive, verify and print the sandbox's callbacks")
    .option("--port <port>", "port to listen on", readPort, readPort(listenPort))
    .option("--json", "print complete bodies", false)
    .addOption(configOption())
    .action(async (options: ConfigOption & { readonly port: number; readonly json: boolean }) => {
      const { listenForCallbacks } = await import("./listen-for-callbacks.ts");
      const stopped = untilSignal();
      const listener = await listenForCallbacks(
        { home: sandboxHome(options), port: options.port, json: options.json },
        commandContext(),
      );
      await stopped;
      await listener.close();
    });
}

/** An environment variable; null when it is not set or empty. */
function variable(name: string): string | null {
  const value = process.env[name] ?? "";
  return value === "" ? null : value;
}
