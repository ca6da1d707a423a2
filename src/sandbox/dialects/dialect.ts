import { RpcError } from "../../chains/rpc/node-error.ts";
import {
  type Method,
  type Methods,
  type Params,
  RpcFault,
  type RpcJson,
} from "../utxo-ledger/rpc.ts";
import type { UtxoNode } from "../utxo-node.ts";

/** How the node of one chain answers, given a private node of Bitcoin behind it. */
export type Dialect = (node: UtxoNode) => {
  readonly methods: Methods;
  readonly walletMethods: Methods;
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

/** The members of an answer that is an object. */
export function membersOf(answer: RpcJson): { readonly [name: string]: RpcJson } {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer))
    throw new RpcFault(wrongCount, "the node behind answered no object");
  return answer as { readonly [name: string]: RpcJson };
}
