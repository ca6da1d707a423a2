import { decodeReply } from "../chains/rpc/decode-reply.ts";
import { createHttpNodes, type HttpNodes } from "../chains/rpc/http-nodes.ts";
import { NodeError, RpcError } from "../chains/rpc/node-error.ts";
import { assert } from "../platform/kernel/assert.ts";
import type { Clock } from "../platform/kernel/clock.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import { silentLogger } from "../platform/kernel/logger.ts";
import type { World } from "../platform/kernel/world.ts";

/** The calls that drive a private chain, whether this process runs its programs or only knows their addresses. */
export type MoneroDrive = {
  /** A method of monerod's `/json_rpc`. Rejects with `RpcError`, and with `Unavailable` without an answer. */
  readonly daemon: <Result>(method: string, params?: JsonObject) => Promise<Result>;
  /** Another path of monerod, such as `/get_transactions`. Rejects with `NodeError` for any status but OK. */
  readonly path: <Result>(path: `/${string}`, body?: JsonObject) => Promise<Result>;
  /** A method of the faucet's monero-wallet-rpc, which has its wallet open. */
  readonly wallet: <Result>(method: string, params?: JsonObject) => Promise<Result>;
  readonly clock: Clock;
  readonly close: () => Promise<void>;
};

export type MoneroDriveOptions = World & {
  readonly chain: string;
  readonly rpcUrl: string;
  readonly walletUrl: string;
};

const timeoutMs = 120_000;
const never = new AbortController().signal;
const callId = 0;

/** Reaches both programs of a private chain. */
export function createMoneroDrive(options: MoneroDriveOptions): MoneroDrive {
  const { rpcUrl, walletUrl, ...world } = options;
  const open = (url: string): HttpNodes =>
    // Faults are expected while the programs start and stop.
    createHttpNodes({ ...world, logger: silentLogger, nodes: [{ url }], timeoutMs });
  const [daemon, wallet] = [open(rpcUrl), open(walletUrl)];
  return {
    daemon: (method, params = {}) => callMethod(daemon, method, params),
    path: (path, body = {}) => callPath(daemon, path, body),
    wallet: (method, params = {}) => callMethod(wallet, method, params),
    clock: world.clock,
    close: async () => {
      await Promise.all([daemon.close(), wallet.close()]);
    },
  };
}

async function callMethod<Result>(
  nodes: HttpNodes,
  method: string,
  params: JsonObject,
): Promise<Result> {
  const body = { jsonrpc: "2.0", id: callId, method, params };
  const answer = decodeReply(await post(nodes, "/json_rpc", body), callId);
  if ("result" in answer) return answer.result as Result;
  throw new RpcError(answer.error.code, answer.error.message);
}

async function callPath<Result>(nodes: HttpNodes, path: string, body: JsonObject): Promise<Result> {
  const answer = (await post(nodes, path, body)) as { readonly status: string };
  if (answer.status !== "OK") throw new NodeError(`${path}: ${JSON.stringify(answer)}`);
  return answer as Result;
}

/** Sent once: most of these calls are commands. */
function post(nodes: HttpNodes, path: string, body: JsonObject): Promise<unknown> {
  return nodes.run(
    async ({ send }) => (await send({ method: "POST", path, body: JSON.stringify(body) })).document,
    never,
    { attempts: 1 },
  );
}

/** A node mines about ten of these a second. */
const minedAtOnce = 50;
/** One that is never relayed must not stop the chain. */
const looksMax = 150;
const lookMs = 20;

/** Mines blocks with all pending transactions, paying the faucet unless another address is named. */
export async function mineMonero(
  drive: MoneroDrive,
  count: number,
  address?: string,
): Promise<void> {
  const wallet_address =
    address ?? (await drive.wallet<{ readonly address: string }>("get_address")).address;
  await untilRelayed(drive);
  for (let left = count; left > 0; left -= minedAtOnce)
    await drive.daemon("generateblocks", {
      amount_of_blocks: Math.min(left, minedAtOnce),
      wallet_address,
    });
}

/** Blocks leave out a transaction that monerod has not relayed yet, which it does a moment after accepting it. */
async function untilRelayed(drive: MoneroDrive): Promise<void> {
  for (let looks = 0; looks < looksMax; looks += 1) {
    const { transactions = [] } = await readPool(drive);
    if (transactions.every(({ relayed }) => relayed)) return;
    await drive.clock.sleep(lookMs);
  }
}

function readPool(
  drive: MoneroDrive,
): Promise<{ readonly transactions?: readonly PoolTransaction[] }> {
  return drive.path("/get_transaction_pool");
}

/** Pays from the faucet; resolves with the transaction's id. Change is locked for ten blocks, as everywhere. */
export async function payFromMoneroFaucet(
  drive: MoneroDrive,
  payments: readonly { readonly address: string; readonly units: bigint }[],
): Promise<string> {
  await drive.wallet("refresh");
  const destinations = payments.map(({ address, units }) => ({ address, amount: Number(units) }));
  assert(
    destinations.every(({ amount }) => Number.isSafeInteger(amount)),
    "a payment below 9,007 XMR",
  );
  const { tx_hash } = await drive.wallet<{ readonly tx_hash: string }>("transfer", {
    destinations,
  });
  return tx_hash;
}

type PoolTransaction = { readonly tx_blob: string; readonly relayed: boolean };

/**
 * Replaces the newest `depth` blocks by `depth + 1` others. `wait`: the old blocks' transactions become pending again; `include`:
 * the new blocks contain them. Either way the node drops transactions whose rings name outputs of the replaced blocks.
 */
export async function reorgMonero(
  drive: MoneroDrive,
  depth: number,
  transactions: "wait" | "include",
): Promise<void> {
  await drive.path("/pop_blocks", { nblocks: depth });
  if (transactions === "include") {
    await mineMonero(drive, depth + 1);
    return;
  }
  const pool = await readPool(drive);
  await drive.daemon("flush_txpool");
  await mineMonero(drive, depth + 1);
  for (const { tx_blob } of pool.transactions ?? [])
    await drive.path("/send_raw_transaction", { tx_as_hex: tx_blob }).catch(ignoreRefusal);
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof NodeError)) throw error;
}
