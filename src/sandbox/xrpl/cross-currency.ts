import { takeFromPool } from "./amm.ts";
import { creditLine, issuedIn, scaled, valueText } from "./issued-currency.ts";
import { type Offer, offerKey } from "./objects.ts";
import { reserveOf } from "./settings.ts";
import { accountIn, addDrops, type Draft, putAccount } from "./state.ts";
import {
  dropsIn,
  type Execution,
  hasUnknownFlags,
  type Outcome,
  type Transactor,
} from "./transactor.ts";

/*
 * Offers of XRP for an issued currency, and payments of their issuer that take them, and then what a pool has: enough for payments that deliver less
 * than they state.
 */

/** Offers XRP for an issued currency. It takes no other offer: none of them pays XRP. */
export const offerCreate: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    const [gets, pays] = [dropsIn(json, "TakerGets"), issuedIn(json, "TakerPays")];
    if (gets === null || pays === null) return "temDISABLED";
    return gets > 0n && scaled(pays.value) > 0n ? null : "temBAD_OFFER";
  },
  execute: ({ draft, json, priorBalance, settings }) => {
    const account = accountIn(draft, json.Account);
    const [gets, pays] = [dropsIn(json, "TakerGets"), issuedIn(json, "TakerPays")];
    if (account === null || gets === null || pays === null) return { result: "tecNO_ENTRY" };
    if (BigInt(account.Balance) <= reserveOf(settings, account.OwnerCount))
      return { result: "tecUNFUNDED_OFFER" };
    if (priorBalance < reserveOf(settings, account.OwnerCount + 1))
      return { result: "tecINSUF_RESERVE_OFFER" };
    draft.put(offerKey(json.Account, json.Sequence), {
      LedgerEntryType: "Offer",
      Account: json.Account,
      TakerGets: String(gets),
      TakerPays: pays,
      Sequence: json.Sequence,
      Flags: 0,
      PreviousTxnID: "",
      PreviousTxnLgrSeq: 0,
    });
    putAccount(draft, { ...account, OwnerCount: account.OwnerCount + 1 });
    return { result: "tesSUCCESS" };
  },
};

/** Delivers XRP for a currency that the sender issues: from the cheapest offers, and the rest from the pool. */
export function payAcrossCurrencies(
  { draft, json, offers }: Execution,
  { destination, isPartial }: { readonly destination: string; readonly isPartial: boolean },
): Outcome {
  const sendMax = issuedIn(json, "SendMax");
  const receiver = accountIn(draft, destination);
  if (sendMax?.issuer !== json.Account || receiver === null) return { result: "tecPATH_DRY" };
  const wanted = dropsIn(json, "Amount") ?? 0n;
  let left = scaled(sendMax.value);
  let delivered = 0n;
  for (const offer of cheapestFirst(offers(sendMax))) {
    const taken = take(draft, offer, { units: wanted - delivered, value: left });
    delivered += taken.units;
    left -= taken.value;
  }
  delivered += takeFromPool(draft, sendMax, { units: wanted - delivered, value: left }).units;
  if (delivered === 0n) return { result: "tecPATH_DRY" };
  if (delivered < wanted && !isPartial) return { result: "tecPATH_PARTIAL" };
  // Read again: its own offers may have been taken.
  const paid = accountIn(draft, destination) ?? receiver;
  addDrops(draft, paid, delivered);
  return { result: "tesSUCCESS", ...(isPartial ? { delivered: String(delivered) } : {}) };
}

type Taken = { readonly units: bigint; readonly value: bigint };

function cheapestFirst(offers: readonly Offer[]): readonly Offer[] {
  return offers.toSorted((a, b) => {
    const [left, right] = [
      scaled(a.TakerPays.value) * BigInt(b.TakerGets),
      scaled(b.TakerPays.value) * BigInt(a.TakerGets),
    ];
    return left < right ? -1 : left > right ? 1 : 0;
  });
}

/** Takes at most so many drops for at most that value. */
function take(draft: Draft, offer: Offer, most: Taken): Taken {
  const maker = accountIn(draft, offer.Account);
  const [gets, pays] = [BigInt(offer.TakerGets), scaled(offer.TakerPays.value)];
  const affordable = (most.value * gets) / pays;
  const units = [most.units, gets, affordable].reduce((a, b) => (a < b ? a : b));
  if (maker === null || units <= 0n) return { units: 0n, value: 0n };
  const value = (units * pays + gets - 1n) / gets;
  const isUsedUp = units === gets;
  const key = offerKey(offer.Account, offer.Sequence);
  if (isUsedUp) draft.remove(key);
  else
    draft.put(key, {
      ...offer,
      TakerGets: String(gets - units),
      TakerPays: { ...offer.TakerPays, value: valueText(pays - value) },
    });
  const isNewLine = creditLine(draft, offer.Account, {
    ...offer.TakerPays,
    value: valueText(value),
  });
  const OwnerCount = maker.OwnerCount - (isUsedUp ? 1 : 0) + (isNewLine ? 1 : 0);
  addDrops(draft, { ...maker, OwnerCount }, -units);
  return { units, value };
}
