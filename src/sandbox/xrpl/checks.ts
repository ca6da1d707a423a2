import { type Check, checkKey } from "./objects.ts";
import { acceptsTag } from "./payment.ts";
import { reserveOf } from "./settings.ts";
import { accountIn, addDrops, putAccount } from "./state.ts";
import {
  dropsIn,
  type Execution,
  hasUnknownFlags,
  numberIn,
  type Outcome,
  type Transactor,
  textIn,
} from "./transactor.ts";

/** Lets the destination take XRP from the sender later. */
export const checkCreate: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    if (json.Account === json["Destination"]) return "temREDUNDANT";
    return (dropsIn(json, "SendMax") ?? 0n) > 0n ? null : "temBAD_AMOUNT";
  },
  execute: ({ draft, json, priorBalance, settings }) => {
    const account = accountIn(draft, json.Account);
    const address = textIn(json, "Destination") ?? "";
    const destination = accountIn(draft, address);
    if (account === null || destination === null) return { result: "tecNO_DST" };
    if (!acceptsTag(destination, json)) return { result: "tecDST_TAG_NEEDED" };
    if (priorBalance < reserveOf(settings, account.OwnerCount + 1))
      return { result: "tecINSUFFICIENT_RESERVE" };
    const tag = numberIn(json, "DestinationTag");
    draft.put(checkKey(json.Account, json.Sequence), {
      LedgerEntryType: "Check",
      Account: json.Account,
      Destination: address,
      ...(tag === null ? {} : { DestinationTag: tag }),
      SendMax: textIn(json, "SendMax") ?? "0",
      Sequence: json.Sequence,
      Flags: 0,
      PreviousTxnID: "",
      PreviousTxnLgrSeq: 0,
    });
    putAccount(draft, { ...account, OwnerCount: account.OwnerCount + 1 });
    return { result: "tesSUCCESS" };
  },
};

/** Takes an exact amount (`Amount`), or as much as there is above a bound (`DeliverMin`). */
export const checkCash: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    const [exact, least] = [dropsIn(json, "Amount"), dropsIn(json, "DeliverMin")];
    if ((exact === null) === (least === null)) return "temMALFORMED";
    return (exact ?? least ?? 0n) > 0n ? null : "temBAD_AMOUNT";
  },
  execute: (execution) => {
    const check = checkIn(execution);
    if (check === null) return { result: "tecNO_ENTRY" };
    return check.Destination === execution.json.Account
      ? cash(execution, check)
      : { result: "tecNO_PERMISSION" };
  },
};

function cash({ draft, json, settings }: Execution, check: Check): Outcome {
  const writer = accountIn(draft, check.Account);
  if (writer === null) return { result: "tecNO_ENTRY" };
  const freed = { ...writer, OwnerCount: writer.OwnerCount - 1 };
  const available = BigInt(writer.Balance) - reserveOf(settings, freed.OwnerCount);
  const most = BigInt(check.SendMax) < available ? BigInt(check.SendMax) : available;
  const exact = dropsIn(json, "Amount");
  const least = exact ?? dropsIn(json, "DeliverMin") ?? 0n;
  if (most < least) return { result: "tecPATH_PARTIAL" };
  const units = exact ?? most;
  draft.remove(checkKey(check.Account, check.Sequence));
  addDrops(draft, freed, -units);
  const taker = accountIn(draft, json.Account);
  if (taker === null) return { result: "tecNO_ENTRY" };
  addDrops(draft, taker, units);
  return { result: "tesSUCCESS", ...(exact === null ? { delivered: String(units) } : {}) };
}

/** Removes a check, by its sender or its destination. */
export const checkCancel: Transactor = {
  malformed: (json) => (hasUnknownFlags(json, 0) ? "temINVALID_FLAG" : null),
  execute: (execution) => {
    const { draft, json } = execution;
    const check = checkIn(execution);
    const writer = check === null ? null : accountIn(draft, check.Account);
    if (check === null || writer === null) return { result: "tecNO_ENTRY" };
    if (json.Account !== check.Account && json.Account !== check.Destination)
      return { result: "tecNO_PERMISSION" };
    draft.remove(checkKey(check.Account, check.Sequence));
    putAccount(draft, { ...writer, OwnerCount: writer.OwnerCount - 1 });
    return { result: "tesSUCCESS" };
  },
};

function checkIn({ draft, json }: Execution): Check | null {
  const object = draft.get(textIn(json, "CheckID") ?? "");
  return object?.LedgerEntryType === "Check" ? object : null;
}
