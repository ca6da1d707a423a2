import { RpcError } from "../../chains/rpc/node-error.ts";
import {
  type Method,
  type Methods,
  type Params,
  RpcFault,
  type RpcJson,
} from "../utxo-ledger/rpc.ts";
import type { UtxoNode } from "../utxo-node.ts";

/** How the node of one chain answers, given a private node of Bitcoin behind it, and the folder for what that node cannot keep. */
export type Dialect = (
  node: UtxoNode,
  options: { readonly folder: string },
) => DialectParts | Promise<DialectParts>;

export type DialectParts = DialectRules & {
  readonly methods: Methods;
  readonly walletMethods: Methods;
};

/** What the chain's network does beyond Bitcoin's. */
export type DialectRules = {
  /** Rejects with `RpcFault` if the block at that height cannot leave the best chain. Absent where any can. */
  readonly assertReplaceable?: (height: number) => Promise<void>;
  /** Further commands of the control endpoint; false for an unknown one. */
  readonly control?: (command: string, body: Readonly<Record<string, unknown>>) => Promise<boolean>;
};

/** A call to the node behind. Rejects with `RpcFault`. */
export type Ask = (method: string, params?: Params) => Promise<RpcJson>;

/** What nodes answer when a call has another number of parameters than they read. */
const wrongCount = -1;

// TypeScript's library types lack `JSON.rawJSON`.
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => RpcJson };

/** Calls the node itself, or its faucet's wallet, with its errors and with numbers as it wrote them. */
export function askOf(call: UtxoNode["command"]): Ask {
  return async (method, params = []) => {
    try {
      return withNumbers(await call<RpcJson>(method, params));
    } catch (error) {
      if (error instanceof RpcError) throw new RpcFault(error.code, error.message);
      throw error;
    }
  };
}

/** Fractions arrive as their text, see `JsonRpc`. */
function withNumbers(value: RpcJson): RpcJson {
  if (typeof value === "string")
    return /^-?\d+\.\d+(?:e[-+]?\d+)?$/.test(value) ? rawJSON(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly RpcJson[]).map(withNumbers);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withNumbers(member)]),
  );
}

/** A method that takes so many parameters, as nodes check it before anything else. */
export function taking(least: number, most: number, answer: Method): Method {
  return (params, signal) => {
    if (params.length < least || params.length > most)
      throw new RpcFault(wrongCount, `takes ${least} to ${most} parameters`);
    return answer(params, signal);
  };
}

const genesisBehind = "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206";

/** Block 0 has Bitcoin's bytes and the other chain's hash. */
export function genesisNames(ownHash: string): {
  /** The hash by which the node behind knows a block. */
  readonly behind: (hash: string) => string;
  /** The hash by which clients know it. */
  readonly own: (hash: RpcJson) => RpcJson;
} {
  return {
    behind: (hash) => (hash === ownHash ? genesisBehind : hash),
    own: (hash) => (hash === genesisBehind ? ownHash : hash),
  };
}

/** The members of an answer that is an object. */
export function membersOf(answer: RpcJson): { readonly [name: string]: RpcJson } {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer))
    throw new RpcFault(wrongCount, "the node behind answered no object");
  return answer as { readonly [name: string]: RpcJson };
}
