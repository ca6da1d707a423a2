import { addressText, readDigest } from "./address.ts";
import { Fault } from "./answer.ts";
import type { AppliedTransaction } from "./apply-data.ts";
import type { Ledger } from "./ledger.ts";
import type { ValueMap } from "./msgpack.ts";
import { rules } from "./rules.ts";
import type { SignedTransaction } from "./transaction.ts";

export function suggestedParams(ledger: Ledger): ValueMap {
  const { genesisHash, genesisId } = ledger.network;
  return {
    "consensus-version": rules.version,
    fee: ledger.feePerByte(),
    "genesis-hash": genesisHash,
    "genesis-id": genesisId,
    "last-round": ledger.newest().round,
    "min-fee": rules.minFee,
  };
}

/** What waits in the pool, all of it or that of an account. */
export function pendingTransactions(
  ledger: Ledger,
  query: URLSearchParams,
  address: string | null,
): ValueMap {
  const all = ledger.waiting();
  const chosen = address === null ? all : all.filter((signed) => touches(signed, address));
  const most = Number(query.get("max") ?? "0");
  if (!Number.isInteger(most) || most < 0)
    throw new Fault(400, "Invalid format for parameter max: error binding string parameter");
  const listed = most === 0 ? chosen : chosen.slice(0, most);
  return {
    "top-transactions": listed.map((signed) => signed as ValueMap),
    "total-transactions": BigInt(all.length),
  };
}

function touches({ txn }: SignedTransaction, address: string): boolean {
  const { aclose, arcv, asnd, close, rcv, snd } = txn;
  return [snd, rcv, close, arcv, aclose, asnd].some(
    (account) => account !== undefined && addressText(account) === address,
  );
}

/** A transaction in the pool, or with what it did in a block. */
export function pendingTransaction(ledger: Ledger, txid: string): ValueMap {
  if (readDigest(txid) === null) throw new Fault(400, "no valid transaction ID was specified");
  const found = ledger.find(txid);
  if (found === null)
    throw new Fault(
      404,
      "could not find the transaction in the transaction pool or in the last 1000 confirmed rounds",
    );
  if (found.kind === "pool") return { "pool-error": found.poolError, txn: found.signed };
  return { "confirmed-round": found.block.round, ...withData(found.applied) };
}

function withData({ aca, apid, ca, caid, dt, ...signed }: AppliedTransaction): ValueMap {
  return {
    "pool-error": "",
    txn: signed,
    "closing-amount": ca,
    "asset-closing-amount": aca,
    "asset-index": caid,
    "application-index": apid,
    "inner-txns": dt?.itx.map(withData),
  };
}
