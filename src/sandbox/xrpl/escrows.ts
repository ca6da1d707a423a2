import { type Escrow, escrowKey } from "./objects.ts";
import { acceptsTag, takesDeposit } from "./payment.ts";
import { reserveOf } from "./settings.ts";
import { accountIn, addDrops, putAccount } from "./state.ts";
import { dropsIn, hasUnknownFlags, numberIn, type Transactor, textIn } from "./transactor.ts";

/** Takes XRP from the sender until a time has passed. Conditions and an end by which it goes back are not supported. */
export const escrowCreate: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    if (json["Condition"] !== undefined || json["CancelAfter"] !== undefined) return "temDISABLED";
    if ((dropsIn(json, "Amount") ?? 0n) <= 0n) return "temBAD_AMOUNT";
    return numberIn(json, "FinishAfter") === null ? "temBAD_EXPIRATION" : null;
  },
  execute: ({ draft, json, parentCloseTime, settings }) => {
    const finishAfter = numberIn(json, "FinishAfter") ?? 0;
    if (parentCloseTime > finishAfter) return { result: "tecNO_PERMISSION" };
    const account = accountIn(draft, json.Account);
    if (account === null) return { result: "tecUNFUNDED" };
    const units = dropsIn(json, "Amount") ?? 0n;
    const reserve = reserveOf(settings, account.OwnerCount + 1);
    if (BigInt(account.Balance) < reserve) return { result: "tecINSUFFICIENT_RESERVE" };
    if (BigInt(account.Balance) < reserve + units) return { result: "tecUNFUNDED" };
    const address = textIn(json, "Destination") ?? "";
    const destination = accountIn(draft, address);
    if (destination === null) return { result: "tecNO_DST" };
    if (!acceptsTag(destination, json)) return { result: "tecDST_TAG_NEEDED" };
    const tag = numberIn(json, "DestinationTag");
    draft.put(escrowKey(json.Account, json.Sequence), {
      LedgerEntryType: "Escrow",
      Account: json.Account,
      Destination: address,
      ...(tag === null ? {} : { DestinationTag: tag }),
      Amount: String(units),
      FinishAfter: finishAfter,
      Flags: 0,
      PreviousTxnID: "",
      PreviousTxnLgrSeq: 0,
    });
    const charged = addDrops(draft, account, -units);
    putAccount(draft, { ...charged, OwnerCount: charged.OwnerCount + 1 });
    return { result: "tesSUCCESS" };
  },
};

/** Gives an escrow to its destination, on the request of any account; its tag was checked when it was created. */
export const escrowFinish: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    return json["Condition"] === undefined && json["Fulfillment"] === undefined
      ? null
      : "temDISABLED";
  },
  execute: ({ draft, json, parentCloseTime, settings }) => {
    const owner = textIn(json, "Owner") ?? "";
    const key = escrowKey(owner, numberIn(json, "OfferSequence") ?? 0);
    const escrow = draft.get(key);
    if (!isEscrow(escrow)) return { result: "tecNO_TARGET" };
    if (parentCloseTime <= escrow.FinishAfter) return { result: "tecNO_PERMISSION" };
    const destination = accountIn(draft, escrow.Destination);
    const units = BigInt(escrow.Amount);
    if (destination === null) return { result: "tecNO_DST" };
    const isOwn = json.Account === escrow.Destination;
    if (!isOwn && !takesDeposit(destination, units, settings.reserveBase))
      return { result: "tecNO_PERMISSION" };
    draft.remove(key);
    addDrops(draft, destination, units);
    const giver = accountIn(draft, owner);
    if (giver !== null) putAccount(draft, { ...giver, OwnerCount: giver.OwnerCount - 1 });
    return { result: "tesSUCCESS" };
  },
};

function isEscrow(object: { readonly LedgerEntryType: string } | null): object is Escrow {
  return object?.LedgerEntryType === "Escrow";
}
