import { createJsonRpc, type JsonRpc } from "../chains/rpc/json-rpc.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import type { ChainId } from "../currencies/currency.ts";
import type { World } from "../platform/kernel/world.ts";
import { type ChainPayer, followedDepth, type ReorgTransactions } from "./chain-payer.ts";
import { type DrivenNode, mineBlocks, payFromFaucet, reorgBlocks } from "./drive-utxo-node.ts";
import type { UtxoSite } from "./sandbox-file.ts";

const timeoutMs = 120_000;
const never = new AbortController().signal;

/** Pays from the faucet wallet of a regtest node, or of a ledger that replaces one. */
export function createUtxoPayer(
  chainId: ChainId,
  { faucet_wallet, rpc_url, sandbox_url }: UtxoSite,
  world: World,
): ChainPayer {
  const open = (path: string): JsonRpc =>
    createJsonRpc({
      nodes: [{ url: new URL(path, rpc_url).href }],
      chain: chainId,
      timeoutMs,
      ...world,
    });
  const [rpc, wallet] = [open("/"), open(`/wallet/${encodeURIComponent(faucet_wallet)}`)];
  const node: DrivenNode = {
    command: (method, params = []) => rpc.callOnce(method, params, never),
    faucet: (method, params = []) => wallet.callOnce(method, params, never),
  };
  return {
    pay: (_currency, address, units) => payFromFaucet(node, [{ address, units }]),
    mine: async (count) => {
      await mineBlocks(node, count);
    },
    reorg: (depth, transactions) =>
      sandbox_url === undefined
        ? reorgBlocks(node, depth, transactions)
        : reorgLedger(sandbox_url, depth, transactions),
    tip: async () => {
      const hash = await rpc.call<string>("getbestblockhash", [], never);
      const { height } = await rpc.call<{ height: number }>("getblockheader", [hash], never);
      return { height, hash };
    },
    reorgDepthMax: followedDepth(chainId),
    close: async () => {
      await Promise.all([rpc.close(), wallet.close()]);
    },
  };
}

async function reorgLedger(
  sandboxUrl: string,
  depth: number,
  transactions: ReorgTransactions,
): Promise<void> {
  await command(sandboxUrl, "/reorg", { depth });
  await command(sandboxUrl, "/mine", { blocks: depth + 1, empty: transactions === "wait" });
}

async function command(sandboxUrl: string, path: string, body: object): Promise<void> {
  const response = await fetch(sandboxUrl + path, { method: "POST", body: JSON.stringify(body) });
  if (!response.ok) throw new NodeError(await response.text());
}
