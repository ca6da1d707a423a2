import type { JsonObject } from "../../platform/kernel/json.ts";
import type { ClosedLedger } from "./closed-ledger.ts";
import type { Call } from "./node.ts";
import { RpcError } from "./rpc-error.ts";
import type { View } from "./state.ts";

/** The ledger that a request names: a validated one, or the open one (null). */
export function chooseLedger({ node, params }: Call): ClosedLedger | null {
  const { ledger_hash, ledger_index = "current" } = params;
  const { ledger } = node;
  if (ledger_hash !== undefined) {
    if (typeof ledger_hash !== "string" || !/^[0-9A-Fa-f]{64}$/.test(ledger_hash))
      throw new RpcError("invalidParams", "ledgerHashMalformed");
    return kept(node, ledger.withHash(ledger_hash));
  }
  if (ledger_index === "current") return null;
  if (ledger_index === "validated" || ledger_index === "closed") return ledger.newest();
  const index = Number(ledger_index);
  if (!Number.isInteger(index)) throw new RpcError("invalidParams", "ledgerIndexMalformed");
  if (index === ledger.open().index) return null;
  return kept(node, ledger.at(index));
}

function kept(node: Call["node"], found: ClosedLedger | null): ClosedLedger {
  if (found === null || !node.keeps(found.index)) throw new RpcError("lgrNotFound");
  return found;
}

/** The state of a ledger, and how answers name it. */
export function chooseView(call: Call): { readonly view: View; readonly named: JsonObject } {
  const { ledger } = call.node;
  const closed = chooseLedger(call);
  if (closed === null) {
    const { index, view } = ledger.open();
    return { view, named: { ledger_current_index: index, validated: false } };
  }
  const { hash, index } = closed;
  const named = { ledger_hash: hash, ledger_index: index, validated: true };
  return { view: ledger.viewAt(index), named };
}
