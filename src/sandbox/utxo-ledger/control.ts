import { readTransaction } from "./family-methods.ts";
import type { LedgerNode } from "./node.ts";
import { RpcFault, rpcCode } from "./rpc.ts";

const blocksMax = 2000;

/** What the sandbox and tests do with the ledger outside the node's protocol. Rejects with `RpcFault` for a wrong member. */
export type Control = (
  command: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<{ readonly height: number; readonly hash: string } | null>;

/** The commands of the control endpoint by path; null for an unknown one. */
export function createControl(node: LedgerNode): Control {
  const { chain, faucet, ledger, rules } = node;
  const tip = (): { readonly height: number; readonly hash: string } => {
    const { hash, height } = chain.tip();
    return { height, hash };
  };
  return async (command, body) => {
    switch (command) {
      case "/mine": {
        const count = integerIn({ blocks: 1, ...body }, "blocks", blocksMax);
        const script = rules.scriptOfAddress(await faucet.newAddress()) ?? "";
        const { only } = body;
        if (only !== undefined && !Array.isArray(only))
          throw new RpcFault(rpcCode.invalidParameter, "only is a list of transaction ids");
        const some = only === undefined ? {} : { only: only.map(String) };
        await ledger.mine({ script, count, isEmpty: body["empty"] === true, ...some });
        return tip();
      }
      case "/reorg": {
        const depth = integerIn(body, "depth", chain.tip().height);
        const transactions = body["transactions"] ?? "return";
        if (transactions !== "return" && transactions !== "drop")
          throw new RpcFault(rpcCode.invalidParameter, 'transactions is "return" or "drop"');
        const include = body["include"] ?? [];
        if (!Array.isArray(include))
          throw new RpcFault(rpcCode.invalidParameter, "include is a list of raw transactions");
        const raws = include.map((raw) => readTransaction(node, String(raw)).raw);
        await ledger.reorg({ depth, transactions, include: raws });
        return tip();
      }
      default:
        return null;
    }
  };
}

function integerIn(body: Readonly<Record<string, unknown>>, name: string, most: number): number {
  const value = body[name];
  if (typeof value !== "number" || value < 1 || value > most)
    throw new RpcFault(rpcCode.invalidParameter, `${name} is an integer from 1 to ${most}`);
  return value;
}
