import { channelKey, type PayChannel } from "./objects.ts";
import { acceptsTag, takesDeposit } from "./payment.ts";
import { reserveOf } from "./settings.ts";
import { accountIn, addDrops, type Draft, putAccount } from "./state.ts";
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

const claimFlags = { close: 0x00020000 };

/** Sets XRP aside for a destination. Channels that end by themselves are not supported. */
export const channelCreate: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    if (json["CancelAfter"] !== undefined) return "temDISABLED";
    if ((dropsIn(json, "Amount") ?? 0n) <= 0n) return "temBAD_AMOUNT";
    if (json.Account === json["Destination"]) return "temDST_IS_SRC";
    const hasTerms = numberIn(json, "SettleDelay") !== null && textIn(json, "PublicKey") !== null;
    return hasTerms ? null : "temMALFORMED";
  },
  execute: ({ draft, json, settings }) => {
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
    draft.put(channelKey(json.Account, address, json.Sequence), {
      LedgerEntryType: "PayChannel",
      Account: json.Account,
      Destination: address,
      ...(tag === null ? {} : { DestinationTag: tag }),
      Amount: String(units),
      Balance: "0",
      PublicKey: textIn(json, "PublicKey") ?? "",
      SettleDelay: numberIn(json, "SettleDelay") ?? 0,
      Flags: 0,
      PreviousTxnID: "",
      PreviousTxnLgrSeq: 0,
    });
    const charged = addDrops(draft, account, -units);
    putAccount(draft, { ...charged, OwnerCount: charged.OwnerCount + 1 });
    return { result: "tesSUCCESS" };
  },
};

/**
 * The owner gives the destination so much in all (`Balance`), or closes a channel that is used up. Claims of the destination, which carry a
 * signature, and requests to close a channel later are not supported.
 */
export const channelClaim: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, claimFlags.close)) return "temINVALID_FLAG";
    if (json["Signature"] !== undefined) return "temDISABLED";
    const balance = dropsIn(json, "Balance");
    return balance !== null && balance <= 0n ? "temBAD_AMOUNT" : null;
  },
  execute: (execution) => {
    const { draft, json } = execution;
    const key = textIn(json, "Channel") ?? "";
    const channel = draft.get(key);
    if (channel?.LedgerEntryType !== "PayChannel") return { result: "tecNO_TARGET" };
    if (json.Account !== channel.Account) return { result: "tecNO_PERMISSION" };
    const given = give(execution, key, channel);
    if (given.result !== "tesSUCCESS" || (flagsOf(json) & claimFlags.close) === 0) return given;
    const left = draft.get(key);
    return left?.LedgerEntryType === "PayChannel" ? close(draft, key, left) : given;
  },
};

function give({ draft, json, settings }: Execution, key: string, channel: PayChannel): Outcome {
  const wanted = dropsIn(json, "Balance");
  if (wanted === null) return { result: "tesSUCCESS" };
  const units = wanted - BigInt(channel.Balance);
  if (wanted > BigInt(channel.Amount) || units <= 0n) return { result: "tecUNFUNDED_PAYMENT" };
  const destination = accountIn(draft, channel.Destination);
  if (destination === null) return { result: "tecNO_DST" };
  if (!takesDeposit(destination, units, settings.reserveBase))
    return { result: "tecNO_PERMISSION" };
  draft.put(key, { ...channel, Balance: String(wanted) });
  addDrops(draft, destination, units);
  return { result: "tesSUCCESS" };
}

/** A channel that has something left could only be closed after a delay. */
function close(draft: Draft, key: string, channel: PayChannel): Outcome {
  const owner = accountIn(draft, channel.Account);
  if (channel.Balance !== channel.Amount || owner === null) return { result: "tesSUCCESS" };
  draft.remove(key);
  putAccount(draft, { ...owner, OwnerCount: owner.OwnerCount - 1 });
  return { result: "tesSUCCESS" };
}
