import { createHttpNodes, type HttpNodes } from "../chains/rpc/http-nodes.ts";
import { createJsonRpc, type JsonRpc } from "../chains/rpc/json-rpc.ts";
import { NodeError } from "../chains/rpc/node-error.ts";
import type { ChainId } from "../currencies/currency.ts";
import type { JsonObject } from "../platform/kernel/json.ts";
import type { World } from "../platform/kernel/world.ts";
import { type ChainPayer, followedDepth, type ReorgTransactions } from "./chain-payer.ts";
import {
  type DrivenNode,
  mineBlocks,
  payFromFaucet,
  payPieces,
  reorgBlocks,
} from "./drive-utxo-node.ts";
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
  const control = createHttpNodes({
    nodes: [{ url: rpc_url }],
    chain: chainId,
    timeoutMs,
    ...world,
  });
  const node: DrivenNode = {
    command: (method, params = []) => rpc.callOnce(method, params, never),
    faucet: (method, params = []) => wallet.callOnce(method, params, never),
  };
  return {
    pay: (_currency, address, units) => payFromFaucet(node, [{ address, units }]),
    // Simulated nodes have no command that adds coins to a raw transaction.
    ...(sandbox_url === undefined && {
      payPieces: (address, units, pieces) => payPieces(node, { address, units }, pieces),
    }),
    mine: async (count) => {
      await mineBlocks(node, count);
    },
    reorg: (depth, transactions) =>
      sandbox_url === undefined
        ? reorgBlocks(node, depth, transactions)
        : reorgLedger(control, sandbox_url, depth, transactions),
    tip: async () => {
      const hash = await rpc.call<string>("getbestblockhash", [], never);
      const { height } = await rpc.call<{ height: number }>("getblockheader", [hash], never);
      return { height, hash };
    },
    reorgDepthMax: followedDepth(chainId),
    close: async () => {
      await Promise.all([rpc.close(), wallet.close(), control.close()]);
    },
  };
}

/** Through the ledger's control endpoint: the chain's own protocol cannot mine blocks that leave transactions waiting. */
async function reorgLedger(
  control: HttpNodes,
  sandboxUrl: string,
  depth: number,
  transactions: ReorgTransactions,
): Promise<void> {
  const { pathname } = new URL(sandboxUrl);
  const command = (name: string, body: JsonObject): Promise<void> =>
    control.run(
      async ({ send }) => {
        const path = pathname + name;
        const { document, status } = await send({
          method: "POST",
          path,
          body: JSON.stringify(body),
        });
        if (status !== 200) throw new NodeError(JSON.stringify(document));
      },
      never,
      { attempts: 1 },
    );
  await command("/reorg", { depth });
  await command("/mine", { blocks: depth + 1, empty: transactions === "wait" });
}
