import { RpcError } from "../../chains/rpc/node-error.ts";
import type { Control } from "../utxo-ledger/control.ts";
import { RpcFault, rpcCode } from "../utxo-ledger/rpc.ts";
import type { UtxoNode } from "../utxo-node.ts";
import type { DialectRules } from "./dialect.ts";

const blocksMax = 2000;

/**
 * What the sandbox and tests do with the chain outside its protocol, as with any simulated ledger: `/mine` with `blocks`, `empty`
 * and `only` (ids for the first block), `/reorg` with `depth` and `include` (raw transactions that later blocks may name), and what the
 * dialect adds.
 */
export function createDialectControl(
  node: Pick<UtxoNode, "command" | "faucet">,
  rules: DialectRules = {},
): Control {
  /** Raw transactions by id, which the node's pool refuses beside those that they contradict. */
  const included = new Map<string, string>();
  const mine = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    const blocks = integerIn({ blocks: 1, ...body }, "blocks", blocksMax);
    const isEmpty = body["empty"] === true;
    const only = body["only"] === undefined ? null : listIn(body, "only");
    if (!isEmpty && only === null) {
      await node.command("generatetoaddress", [blocks, await newAddress(node)]);
      return;
    }
    for (let count = 0; count < blocks; count += 1) {
      const taken = count === 0 ? (only ?? []) : [];
      // A new address each time: otherwise a block of the same height and second could equal one that was dropped.
      const parts = [await newAddress(node), taken.map((txid) => included.get(txid) ?? txid)];
      await node.command("generateblock", parts);
    }
  };
  const reorg = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    const height = await node.command<number>("getblockcount");
    const depth = integerIn(body, "depth", height - 1);
    await rules.assertReplaceable?.(height - depth + 1);
    for (const raw of listIn({ include: [], ...body }, "include")) {
      const { txid } = await node.command<{ txid: string }>("decoderawtransaction", [raw]);
      included.set(txid, raw);
    }
    const oldest = await node.command<string>("getblockhash", [height - depth + 1]);
    await node.command("invalidateblock", [oldest]);
  };
  return async (command, body) => {
    try {
      if (command === "/mine") await mine(body);
      else if (command === "/reorg") await reorg(body);
      else if ((await rules.control?.(command, body)) !== true) return null;
      return {
        height: await node.command<number>("getblockcount"),
        hash: await node.command<string>("getbestblockhash"),
      };
    } catch (error) {
      if (error instanceof RpcError) throw new RpcFault(error.code, error.message);
      throw error;
    }
  };
}

function newAddress(node: Pick<UtxoNode, "faucet">): Promise<string> {
  return node.faucet<string>("getnewaddress");
}

function integerIn(body: Readonly<Record<string, unknown>>, name: string, most: number): number {
  const value = body[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1 || value > most)
    throw new RpcFault(rpcCode.invalidParameter, `${name} is an integer from 1 to ${most}`);
  return value;
}

function listIn(body: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const value = body[name];
  if (!Array.isArray(value)) throw new RpcFault(rpcCode.invalidParameter, `${name} is a list`);
  return value.map(String);
}
