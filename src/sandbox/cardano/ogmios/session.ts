import { errorMessage } from "../../../platform/kernel/error-message.ts";
import type { JsonObject, JsonValue } from "../../../platform/kernel/json.ts";
import type { Logger } from "../../../platform/kernel/logger.ts";
import type { Node } from "../node.ts";
import { type Printable, printJson } from "../print-json.ts";
import { code, Refusal } from "../refusal.ts";
import { createChainSync } from "./chain-sync.ts";
import { evaluate } from "./evaluate.ts";
import { createLedgerState, queryNetwork } from "./ledger-state.ts";
import { createMempool } from "./mempool.ts";
import { isObject, readTransactionBytes } from "./read-params.ts";

/** A connection to Ogmios: where it is on the chain, what it acquired, and which blocks it waits for. */
export type Session = {
  /** Takes a request; the answer is sent now, or for `nextBlock` when there is one. */
  readonly receive: (text: string) => Promise<void>;
  readonly close: () => void;
};

type Waiting = { readonly method: string; readonly id: JsonValue };

export function createSession(
  { ledger }: Node,
  logger: Logger,
  send: (text: string) => void,
): Session {
  const chainSync = createChainSync(ledger);
  const ledgerState = createLedgerState(ledger);
  const mempool = createMempool(ledger);
  const ending = new AbortController();
  const waiting: Waiting[] = [];

  const answer = (method: string, id: JsonValue, result: Printable): void => {
    send(printJson({ jsonrpc: "2.0", method, result, id: id as Printable }));
  };
  /** Ogmios does not repeat the method of a request that it could not parse. */
  const refuse = (method: string | null, id: JsonValue, refusal: Refusal): void => {
    const { code: number, data, message } = refusal;
    const error = { code: number, message, data };
    const isParsed = method !== null && number !== code.invalidRequest;
    const named = isParsed ? { method } : {};
    send(printJson({ jsonrpc: "2.0", ...named, error, id: id as Printable }));
  };
  const pump = (): void => {
    for (let first = waiting[0]; first !== undefined; first = waiting[0]) {
      const step = chainSync.next();
      if (step === null) return;
      waiting.shift();
      answer(first.method, first.id, step);
    }
  };
  const stopListening = ledger.onChange(pump);

  const execute = async (method: string, params: JsonObject): Promise<Printable> => {
    const [family = "", name = ""] = method.split("/");
    if (family === "queryNetwork") return queryNetwork(ledger, name, params);
    if (family === "queryLedgerState") return ledgerState.query(name, params);
    switch (method) {
      case "findIntersection":
        if (waiting.length > 0)
          throw new Refusal(1001, "A connection that waits for blocks cannot move.");
        return chainSync.findIntersection(params);
      case "acquireLedgerState":
        return ledgerState.acquire(params);
      case "releaseLedgerState":
        return ledgerState.release();
      case "submitTransaction":
        return { transaction: { id: await ledger.submit(readTransactionBytes(params)) } };
      case "evaluateTransaction":
        return evaluate(ledger, params);
      case "acquireMempool":
        return await mempool.acquire(ending.signal);
      case "nextTransaction":
        return mempool.next(params);
      case "hasTransaction":
        return mempool.has(params);
      case "sizeOfMempool":
        return mempool.size();
      case "releaseMempool":
        return mempool.release();
      default:
        throw new Refusal(
          code.invalidRequest,
          "Invalid request: unknown method in 'method' (beware names are case-sensitive).",
        );
    }
  };

  return {
    receive: async (text) => {
      const { id, method, params } = readRequest(text);
      if (method === "nextBlock") {
        waiting.push({ method, id });
        pump();
        return;
      }
      try {
        if (method === null)
          throw new Refusal(
            code.invalidRequest,
            "Invalid request: field 'method' must be present and be a string.",
          );
        answer(method, id, await execute(method, params));
      } catch (error) {
        if (!(error instanceof Refusal))
          logger.error("the Cardano ledger failed", { method, error: errorMessage(error) });
        refuse(
          method,
          id,
          error instanceof Refusal ? error : new Refusal(code.internalError, errorMessage(error)),
        );
      }
    },
    close: () => {
      ending.abort();
      stopListening();
    },
  };
}

/** A text that is no object has no method; the answer is the same. */
function readRequest(text: string): {
  readonly method: string | null;
  readonly id: JsonValue;
  readonly params: JsonObject;
} {
  let request: JsonValue = null;
  try {
    request = JSON.parse(text) as JsonValue;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!isObject(request)) return { method: null, id: null, params: {} };
  const { id = null, jsonrpc, method, params } = request;
  const isCalled = jsonrpc === "2.0" && typeof method === "string";
  return { method: isCalled ? method : null, id, params: isObject(params) ? params : {} };
}
