import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createJsonRpc } from "../../src/chains/rpc/json-rpc.ts";
import { RpcError } from "../../src/chains/rpc/node-error.ts";
import type { UtxoChain } from "../../src/chains/utxo/utxo-chain.ts";
import { formatDecimal, parseDecimal } from "../../src/platform/kernel/decimal.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { systemRandom } from "../../src/platform/kernel/system-random.ts";
import { Unavailable } from "../../src/platform/kernel/unavailable.ts";
import { startSupervised } from "../../src/platform/processes/supervised-process.ts";
import { mineBlocks } from "../../src/sandbox/drive-utxo-node.ts";
import type { UtxoNode } from "../../src/sandbox/utxo-node.ts";
import { quietPort } from "../scenarios/support/quiet-port.ts";
import { eventually } from "./eventually.ts";
import type { TestNode } from "./utxo-node.ts";

const never = new AbortController().signal;
const user = "sluice";
const methodNotFound = -32601;
/** Older daemons name the signing of the wallet so. */
const olderNames: Readonly<Record<string, string>> = {
  signrawtransactionwithwallet: "signrawtransaction",
};
/** So much less than nothing that no miner takes it. */
const unminable = -1_000_000_000_000;

export type RealDaemonName = "dogecoind" | "dashd" | "bitcoind";

/** A chain's own daemon on a private network, driven by what every descendant of Bitcoin Core 0.14 understands. */
export type RealNode = TestNode & {
  readonly mine: (blocks: number) => Promise<void>;
  /** Replaces the newest blocks by one more, all of them empty. */
  readonly reorg: (depth: number) => Promise<void>;
  /** Sends another transaction with the coins of a pending one, which the node has forgotten; resolves with its id. */
  readonly replace: (txid: string) => Promise<string>;
};

/** The daemon in the folder that `SLUICE_NODES` names; null without it. */
export function findRealDaemon(name: RealDaemonName): string | null {
  const folder = process.env["SLUICE_NODES"] ?? "";
  const program = join(folder, name);
  return folder !== "" && existsSync(program) ? program : null;
}

/** Starts the daemon in a temporary folder, with 400 blocks that pay its wallet. `replacementFee` in units. */
export async function startRealNode(
  { chain }: Pick<UtxoChain, "chain">,
  program: string,
  replacementFee: bigint,
): Promise<RealNode> {
  const folder = await mkdtemp(join(tmpdir(), "sluice-daemon-"));
  const [port, peerPort] = [await quietPort(), await quietPort()];
  const password = Buffer.from(systemRandom.bytes(24)).toString("hex");
  const file = join(folder, "node.conf");
  const settings = [
    ...["regtest=1", "server=1", "txindex=1", "dnsseed=0", "listen=0", "printtoconsole=0"],
    ...[`rpcuser=${user}`, `rpcpassword=${password}`, "fallbackfee=0.01"],
    // A pending transaction is forgotten at a restart, so that another can take its place: the wallet must not send it again.
    ...["persistmempool=0", "walletbroadcast=0"],
  ];
  const ports = [`rpcport=${port}`, `port=${peerPort}`];
  // Descendants of newer versions read ports of a network from its section, older ones know no sections.
  const text = [...settings, ...ports, "[regtest]", ...ports].join("\n");
  await writeFile(file, `${text}\n`, { mode: 0o600 });
  await mkdir(join(folder, "data"));
  const rpcUrl = `http://${user}:${password}@127.0.0.1:${port}`;
  const rpc = createJsonRpc({
    nodes: [{ url: rpcUrl }],
    chain,
    clock: systemClock,
    logger: silentLogger,
    random: systemRandom,
    timeoutMs: 60_000,
  });
  const command: UtxoNode["command"] = async (method, params = []) => {
    try {
      return await rpc.callOnce(method, params, never);
    } catch (error) {
      const older = olderNames[method];
      if (older === undefined || !(error instanceof RpcError) || error.code !== methodNotFound)
        throw error;
      return await rpc.callOnce(older, params, never);
    }
  };
  const start = async () => {
    const args = [`-datadir=${join(folder, "data")}`, `-conf=${file}`];
    const daemon = startSupervised(program, args, { HOME: folder });
    const isUp = () =>
      command("getblockcount").then(
        () => true,
        (error: unknown) => {
          if (daemon.hasEnded()) throw new Error(`${program} ended: ${daemon.output()}`);
          if (!(error instanceof Unavailable)) throw error;
          return false;
        },
      );
    await eventually(isUp, (isReady) => isReady);
    await openWallet(command);
    return daemon;
  };
  let daemon = await start();
  const end = async (): Promise<void> => {
    await command("stop").catch(() => undefined);
    await daemon.end(systemClock, 60_000);
  };
  const faucet: UtxoNode["faucet"] = async <Result>(
    method: string,
    params: readonly unknown[] = [],
  ) => {
    const result = await command<Result>(method, params);
    if (method !== "sendmany") return result;
    const { hex } = await command<{ hex: string }>("gettransaction", [result]);
    await command("sendrawtransaction", [hex]);
    return result;
  };
  const node = { chain, rpcUrl, faucetWallet: "", command, faucet } as UtxoNode;
  await mineBlocks(node, 400);
  return {
    node,
    mine: async (blocks) => {
      await mineBlocks(node, blocks);
    },
    reorg: async (depth) => {
      const height = await command<number>("getblockcount");
      const oldest = await command<string>("getblockhash", [height - depth + 1]);
      await command("invalidateblock", [oldest]);
      await mineNothing(node, depth + 1);
    },
    replace: async (txid) => {
      const draft = await draftRival(node, txid, replacementFee);
      await end();
      daemon = await start();
      const signed = await command<{ hex: string }>("signrawtransactionwithwallet", [draft]);
      return await command<string>("sendrawtransaction", [signed.hex]);
    },
    pause: async () => {
      await end();
      return async () => {
        daemon = await start();
      };
    },
    stop: async () => {
      await rpc.close();
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Newer daemons start without a wallet; older ones have one and know no others. */
async function openWallet(command: UtxoNode["command"]): Promise<void> {
  const wallet = "faucet";
  try {
    const loaded = await command<readonly string[]>("listwallets");
    if (loaded.length > 0) return;
    await command("loadwallet", [wallet]).catch((error: unknown) => {
      if (!(error instanceof RpcError)) throw error;
      return command("createwallet", [wallet]);
    });
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== methodNotFound) throw error;
  }
}

/** Mines blocks while everything that is pending keeps waiting. */
async function mineNothing(node: UtxoNode, blocks: number): Promise<void> {
  const waiting = await node.command<readonly string[]>("getrawmempool");
  const reprice = async (feeDelta: number): Promise<void> => {
    for (const txid of waiting) await node.command("prioritisetransaction", [txid, 0, feeDelta]);
  };
  await reprice(unminable);
  await mineBlocks(node, blocks);
  await reprice(-unminable);
}

type Decoded = {
  readonly vin: readonly { readonly txid: string; readonly vout: number }[];
  readonly vout: readonly { readonly n: number; readonly value: string | number }[];
};

/** An unsigned transaction that spends what the pending one spends, and pays the wallet. */
async function draftRival({ command }: UtxoNode, txid: string, feeUnits: bigint): Promise<string> {
  const decode = async (id: string): Promise<Decoded> => {
    const { hex } = await command<{ hex: string }>("gettransaction", [id]);
    return await command<Decoded>("decoderawtransaction", [hex]);
  };
  const { vin } = await decode(txid);
  let total = -feeUnits;
  for (const input of vin) {
    const { vout } = await decode(input.txid);
    const value = parseDecimal(String(vout.find(({ n }) => n === input.vout)?.value), 8);
    if (value.kind !== "units") throw new Error("the node's amount is no amount");
    total += value.units;
  }
  const inputs = vin.map((input) => ({ txid: input.txid, vout: input.vout }));
  const address = await command<string>("getnewaddress");
  return await command<string>("createrawtransaction", [
    inputs,
    { [address]: formatDecimal(total, 8) },
  ]);
}
