import { payAcrossCurrencies } from "./cross-currency.ts";
import { type AccountRoot, accountFlags } from "./objects.ts";
import type { Result } from "./results.ts";
import { reserveOf } from "./settings.ts";
import { accountIn, addDrops, putAccount } from "./state.ts";
import type { TransactionJson } from "./transaction.ts";
import {
  dropsIn,
  type Execution,
  flagsOf,
  hasUnknownFlags,
  numberIn,
  type Outcome,
  type Transactor,
  textIn,
} from "./transactor.ts";

const paymentFlags = { noRippleDirect: 0x00010000, partial: 0x00020000, limitQuality: 0x00040000 };
const allFlags = paymentFlags.noRippleDirect | paymentFlags.partial | paymentFlags.limitQuality;

/**
 * Payments that deliver XRP: from XRP, or from a currency that the sender issues through offers. The latter may be partial, and deliver
 * less than they state.
 */
export const payment: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, allFlags)) return "temINVALID_FLAG";
    const units = dropsIn(json, "Amount");
    if (units === null) return "temDISABLED";
    if (units <= 0n) return "temBAD_AMOUNT";
    if (textIn(json, "Destination") === null) return "temMALFORMED";
    return isFromXrp(json) ? malformedDirect(json) : null;
  },
  execute: (execution) => {
    const { draft, json } = execution;
    const refusal = receiverRefusal(execution);
    if (refusal !== null) return { result: refusal };
    const destination = textIn(json, "Destination") ?? "";
    if (isFromXrp(json)) return payDirectly(execution, accountIn(draft, destination), destination);
    const isPartial = (flagsOf(json) & paymentFlags.partial) !== 0;
    return payAcrossCurrencies(execution, { destination, isPartial });
  },
};

function isFromXrp(json: TransactionJson): boolean {
  return json["SendMax"] === undefined || dropsIn(json, "SendMax") !== null;
}

function malformedDirect(json: TransactionJson): Result | null {
  const flags = flagsOf(json);
  if (json["SendMax"] !== undefined) return "temBAD_SEND_XRP_MAX";
  if (json["Paths"] !== undefined) return "temBAD_SEND_XRP_PATHS";
  if (json.Account === json["Destination"]) return "temREDUNDANT";
  if ((flags & paymentFlags.partial) !== 0) return "temBAD_SEND_XRP_PARTIAL";
  if ((flags & paymentFlags.limitQuality) !== 0) return "temBAD_SEND_XRP_LIMIT";
  return (flags & paymentFlags.noRippleDirect) === 0 ? null : "temBAD_SEND_XRP_NO_DIRECT";
}

/** What keeps the destination from taking the payment, whatever the sender has. */
function receiverRefusal({ draft, json, settings }: Execution): Result | null {
  const destination = accountIn(draft, textIn(json, "Destination") ?? "");
  const units = dropsIn(json, "Amount") ?? 0n;
  if (destination === null) {
    if ((flagsOf(json) & paymentFlags.partial) !== 0) return "telNO_DST_PARTIAL";
    return units < settings.reserveBase ? "tecNO_DST_INSUF_XRP" : null;
  }
  return acceptsTag(destination, json) ? null : "tecDST_TAG_NEEDED";
}

/** Whether the transaction names a destination tag if the account requires one. */
export function acceptsTag({ Flags }: AccountRoot, json: TransactionJson): boolean {
  return (Flags & accountFlags.requireDestTag) === 0 || numberIn(json, "DestinationTag") !== null;
}

function payDirectly(
  { draft, json, ledgerIndex, priorBalance, settings }: Execution,
  destination: AccountRoot | null,
  address: string,
): Outcome {
  const sender = accountIn(draft, json.Account);
  const units = dropsIn(json, "Amount") ?? 0n;
  const fee = dropsIn(json, "Fee") ?? 0n;
  if (sender === null) return { result: "tecUNFUNDED_PAYMENT" };
  const reserve = reserveOf(settings, sender.OwnerCount);
  if (priorBalance < units + (reserve > fee ? reserve : fee))
    return { result: "tecUNFUNDED_PAYMENT" };
  // Accounts of pools get XRP from their makers and takers only.
  if (destination?.AMMID !== undefined) return { result: "tecNO_PERMISSION" };
  if (destination !== null && !takesDeposit(destination, units, settings.reserveBase))
    return { result: "tecNO_PERMISSION" };
  addDrops(draft, sender, -units);
  if (destination === null) putAccount(draft, newAccount(address, units, ledgerIndex));
  else addDrops(draft, destination, units);
  return { result: "tesSUCCESS" };
}

/** Deposit authorization refuses all payments but the small ones that keep an account alive. */
export function takesDeposit(
  { Balance, Flags }: AccountRoot,
  units: bigint,
  base: bigint,
): boolean {
  return (Flags & accountFlags.depositAuth) === 0 || (BigInt(Balance) <= base && units <= base);
}

/** An account begins with the number of its ledger, so that a deleted one never repeats a sequence. */
function newAccount(Account: string, units: bigint, ledgerIndex: number): AccountRoot {
  return {
    LedgerEntryType: "AccountRoot",
    Account,
    Balance: String(units),
    Flags: 0,
    OwnerCount: 0,
    Sequence: ledgerIndex,
    PreviousTxnID: "",
    PreviousTxnLgrSeq: 0,
  };
}
