import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import type { UtxoChain } from "../../src/chains/utxo/utxo-chain.ts";
import type { UtxoDialect } from "../../src/currencies/utxo-facts.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import type { Dialect } from "../../src/sandbox/dialects/dialect.ts";
import { type DialectNode, startDialect } from "../../src/sandbox/dialects/start-dialect.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import type { TestNode } from "./utxo-node.ts";

const never = new AbortController().signal;

/** A private node of Bitcoin behind another chain's interface, in a temporary folder. */
export type PrivateDialect = TestNode & {
  readonly rpcUrl: string;
  /** The chain's own interface; commands to the wallet arrive at the faucet's. */
  readonly call: <Result>(method: string, ...params: readonly unknown[]) => Promise<Result>;
  /** Sends a command to the control endpoint, such as `/mine`. */
  readonly control: (path: string, body: object) => Promise<void>;
  /** The node of Bitcoin, with its own interface. */
  readonly behind: UtxoNode;
};

/** `settings` are more arguments of bitcoind. */
export async function startPrivateDialect(
  { chain, sandbox }: UtxoChain,
  dialect: Dialect,
  program: string,
  settings: readonly string[] = [],
): Promise<PrivateDialect> {
  if (sandbox.kind !== "dialect") throw new Error(`${chain} has a node of its own`);
  const folder = await mkdtemp(join(tmpdir(), "sluice-dialect-"));
  const world = { clock: systemClock, logger: silentLogger, random: systemRandom };
  const start = (): Promise<DialectNode> =>
    startDialect({
      chain,
      sandbox: sandboxOf(sandbox),
      dialect,
      program,
      folder,
      settings,
      ...world,
    });
  let started = await start();
  const rpc = createJsonRpc({
    nodes: [{ url: started.rpcUrl }],
    chain,
    timeoutMs: 60_000,
    ...world,
  });
  const command: UtxoNode["command"] = (method, params = []) => rpc.callOnce(method, params, never);
  return {
    rpcUrl: started.rpcUrl,
    call: (method, ...params) => command(method, params),
    control: async (path, body) => {
      const response = await fetch(started.sandboxUrl + path, {
        method: "POST",
        body: JSON.stringify(body),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    get behind() {
      return started.node;
    },
    get node() {
      return { ...started.node, rpcUrl: started.rpcUrl, command, faucet: command };
    },
    pause: async () => {
      await started.stop();
      return async () => {
        started = await start();
      };
    },
    stop: async () => {
      await rpc.close();
      await started.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Mining the float of the sandbox is not needed here. */
function sandboxOf({ daemonArguments, hasDescriptorWallets }: UtxoDialect) {
  return { daemonArguments, hasDescriptorWallets };
}
