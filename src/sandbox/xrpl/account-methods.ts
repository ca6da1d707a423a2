import { accountIdOf } from "../../currencies/xrpl-address.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { chooseView } from "./choose-ledger.ts";
import type { ClosedLedger, Executed } from "./closed-ledger.ts";
import type { Call, Methods, Node } from "./node.ts";
import { accountFlags, accountKey, type LedgerObject } from "./objects.ts";
import { printTransaction } from "./print-transaction.ts";
import { RpcError } from "./rpc-error.ts";
import { accountIn, type View } from "./state.ts";

const pageMax = 400;

/** Methods about accounts. */
export const accountMethods: Methods = {
  account_info: (call) => {
    const address = addressIn(call);
    const { view, named } = chooseView(call);
    const root = accountIn(view, address);
    if (root === null) throw new RpcError("actNotFound");
    const flags = {
      defaultRipple: accountFlags.defaultRipple,
      depositAuth: accountFlags.depositAuth,
      disallowIncomingXRP: accountFlags.disallowXrp,
      requireAuthorization: accountFlags.requireAuth,
      requireDestinationTag: accountFlags.requireDestTag,
    };
    return {
      account_data: { ...root, index: accountKey(address) },
      account_flags: Object.fromEntries(
        Object.entries(flags).map(([name, bit]) => [name, (root.Flags & bit) !== 0]),
      ),
      ...named,
    };
  },
  account_objects: (call) => {
    const { view, named, address } = existing(call);
    const account_objects: JsonObject[] = [];
    for (const [index, object] of view.entries())
      if (belongsTo(object, address)) account_objects.push({ ...object, index });
    return { account: address, account_objects, ...named };
  },
  account_lines: (call) => {
    const { view, named, address } = existing(call);
    const lines: JsonObject[] = [];
    for (const [, object] of view.entries()) {
      if (object.LedgerEntryType !== "RippleState" || !belongsTo(object, address)) continue;
      const { Balance, HighLimit, LowLimit } = object;
      const isLow = LowLimit.issuer === address;
      const negated = Balance.value.startsWith("-") ? Balance.value.slice(1) : `-${Balance.value}`;
      const balance = isLow || Balance.value === "0" ? Balance.value : negated;
      const [own, peer] = isLow ? [LowLimit, HighLimit] : [HighLimit, LowLimit];
      lines.push({
        account: peer.issuer,
        balance,
        currency: Balance.currency,
        limit: own.value,
        limit_peer: peer.value,
        quality_in: 0,
        quality_out: 0,
      });
    }
    return { account: address, lines, ...named };
  },
  account_tx: (call) => {
    const { node, params, version } = call;
    const address = addressIn(call);
    const { from, to } = rangeIn(params, node);
    const all = transactionsOf(node, address, { from, to });
    const ordered = params["forward"] === true ? all : all.toReversed();
    const first = Number(params["marker"] ?? 0);
    const { limit: wanted } = params;
    const limit = typeof wanted === "number" && wanted > 0 ? Math.min(wanted, pageMax) : pageMax;
    const page = ordered.slice(first, first + limit);
    return {
      account: address,
      ledger_index_min: from,
      ledger_index_max: to,
      limit,
      ...(first + limit < ordered.length ? { marker: first + limit } : {}),
      transactions: page.map(([executed, ledger]) => listed(executed, ledger, version)),
      validated: true,
    };
  },
};

function addressIn({ params: { account } }: Call): string {
  if (typeof account !== "string") throw new RpcError("invalidParams", "Missing field 'account'.");
  if (accountIdOf(account) === null) throw new RpcError("actMalformed");
  return account;
}

/** The account, which must exist in the ledger that the request names. */
function existing(call: Call): {
  readonly view: View;
  readonly named: JsonObject;
  readonly address: string;
} {
  const address = addressIn(call);
  const { view, named } = chooseView(call);
  if (accountIn(view, address) === null) throw new RpcError("actNotFound");
  return { view, named, address };
}

function belongsTo(object: LedgerObject, address: string): boolean {
  switch (object.LedgerEntryType) {
    case "AccountRoot":
      return false;
    case "Check":
    case "Escrow":
    case "PayChannel":
      return object.Account === address || object.Destination === address;
    case "AMM":
    case "Offer":
      return object.Account === address;
    case "RippleState":
      return object.LowLimit.issuer === address || object.HighLimit.issuer === address;
  }
}

/** The ledgers that `account_tx` searches; -1 is an end of the history. */
function rangeIn(
  { ledger_index_max, ledger_index_min }: JsonObject,
  { ledger }: Node,
): { readonly from: number; readonly to: number } {
  const newest = ledger.newest().index;
  const bound = (value: unknown, open: number): number =>
    typeof value === "number" && value >= 0 ? Math.min(value, newest) : open;
  return { from: Math.max(1, bound(ledger_index_min, 1)), to: bound(ledger_index_max, newest) };
}

function transactionsOf(
  { keeps, ledger }: Node,
  address: string,
  { from, to }: { readonly from: number; readonly to: number },
): readonly (readonly [Executed, ClosedLedger])[] {
  const found: (readonly [Executed, ClosedLedger])[] = [];
  for (let index = from; index <= to; index += 1) {
    const closed = keeps(index) ? ledger.at(index) : null;
    for (const executed of closed?.transactions ?? [])
      if (closed !== null && affects(executed, address)) found.push([executed, closed]);
  }
  return found;
}

/** Whether a transaction changed an object of the account. */
export function affects({ metadata }: Executed, address: string): boolean {
  return JSON.stringify(metadata.AffectedNodes).includes(`"${address}"`);
}

function listed(executed: Executed, ledger: ClosedLedger, version: 1 | 2): JsonObject {
  const printed = printTransaction(executed, ledger, version);
  if (version === 2) return printed;
  const { meta, validated, ...tx } = printed;
  return { tx, meta: meta ?? null, validated: validated ?? false };
}
