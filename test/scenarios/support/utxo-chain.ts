import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { silentLogger } from "../../../src/platform/kernel/logger.ts";
import { systemClock } from "../../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../../src/platform/kernel/system-random.ts";
import type { SandboxChain } from "../../../src/sandbox/sandbox-file.ts";
import { startUtxoNode } from "../../../src/sandbox/utxo-node.ts";
import { daemonOf, utxoChain } from "../../support/known-chains.ts";
import { startGateway } from "../../support/rpc-gateway.ts";
import type { NodeControl } from "./deployment.ts";
import { quietPort } from "./quiet-port.ts";

/** A node that the service reaches through a gateway, so that the service can lose it while others still pay. */
export async function startUtxoChain(
  chain: "BTC" | "LTC",
  program: string,
  folder: string,
): Promise<{
  readonly site: SandboxChain;
  readonly nodeUrl: string;
  readonly control: NodeControl;
  readonly stop: () => Promise<void>;
}> {
  // No other test gets its ports while it is stopped.
  const port = await quietPort();
  const start = () =>
    startUtxoNode({
      chain,
      sandbox: daemonOf(utxoChain(chain)),
      program,
      folder,
      port,
      clock: systemClock,
      random: systemRandom,
      logger: silentLogger,
    });
  let node = await start();
  const gateway = await startGateway(node.rpcUrl);
  return {
    site: { family: "utxo", rpc_url: node.rpcUrl, faucet_wallet: node.faucetWallet },
    nodeUrl: gateway.url,
    control: {
      cutOff: () => {
        gateway.isCutOff = true;
        return () => {
          gateway.isCutOff = false;
        };
      },
      kill: async () => {
        const pid = Number(await readFile(join(folder, "regtest", pidFile[chain]), "utf8"));
        process.kill(pid, "SIGKILL");
        await node.ended;
      },
      restart: async () => {
        node = await start();
      },
    },
    stop: async () => {
      await gateway.close();
      await node.stop();
    },
  };
}

const pidFile = { BTC: "bitcoind.pid", LTC: "litecoind.pid" } as const;
