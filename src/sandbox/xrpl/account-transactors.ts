import { accountFlags, accountKey } from "./objects.ts";
import { acceptsTag } from "./payment.ts";
import { accountIn, addDrops, putAccount } from "./state.ts";
import type { TransactionJson } from "./transaction.ts";
import { flagsOf, hasUnknownFlags, numberIn, type Transactor, textIn } from "./transactor.ts";

/** Settable flags of an account by their number (`asf`). */
const bits: Readonly<Record<number, number>> = {
  1: accountFlags.requireDestTag,
  2: accountFlags.requireAuth,
  3: accountFlags.disallowXrp,
  8: accountFlags.defaultRipple,
  9: accountFlags.depositAuth,
};

/** The older way of setting the same (`tf`). */
const setFlags = { requireDestTag: 0x00010000, optionalDestTag: 0x00020000 };

/** Sets or clears an account's flags, and its domain; without members it does nothing but use its sequence. */
export const accountSet: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, setFlags.requireDestTag | setFlags.optionalDestTag))
      return "temINVALID_FLAG";
    const [set, clear] = [numberIn(json, "SetFlag"), numberIn(json, "ClearFlag")];
    if (set !== null && set === clear) return "temINVALID_FLAG";
    const isKnown = [set, clear].every((one) => one === null || one === 0 || one in bits);
    return isKnown ? null : "temDISABLED";
  },
  execute: ({ draft, json }) => {
    const account = accountIn(draft, json.Account);
    if (account === null) return { result: "tecNO_ENTRY" };
    const flags = (account.Flags | setBits(json)) & ~clearedBits(json);
    const domain = textIn(json, "Domain");
    putAccount(draft, {
      ...account,
      Flags: flags >>> 0,
      ...(domain === null ? {} : { Domain: domain }),
    });
    return { result: "tesSUCCESS" };
  },
};

function setBits(json: TransactionJson): number {
  const tag = hasFlag(json, setFlags.requireDestTag) ? accountFlags.requireDestTag : 0;
  return (bits[numberIn(json, "SetFlag") ?? 0] ?? 0) | tag;
}

function clearedBits(json: TransactionJson): number {
  const tag = hasFlag(json, setFlags.optionalDestTag) ? accountFlags.requireDestTag : 0;
  return (bits[numberIn(json, "ClearFlag") ?? 0] ?? 0) | tag;
}

function hasFlag(json: TransactionJson, flag: number): boolean {
  return (flagsOf(json) & flag) !== 0;
}

/** So many ledgers after its first transaction an account may be deleted. */
const ledgersBeforeDeletion = 256;

/** Deletes an account; its XRP goes to the destination. */
export const accountDelete: Transactor = {
  malformed: (json) => {
    if (hasUnknownFlags(json, 0)) return "temINVALID_FLAG";
    return json.Account === json["Destination"] ? "temDST_IS_SRC" : null;
  },
  execute: ({ draft, json, ledgerIndex }) => {
    const account = accountIn(draft, json.Account);
    const destination = accountIn(draft, textIn(json, "Destination") ?? "");
    if (account === null || destination === null) return { result: "tecNO_DST" };
    if (!acceptsTag(destination, json)) return { result: "tecDST_TAG_NEEDED" };
    if (json.Sequence + ledgersBeforeDeletion > ledgerIndex) return { result: "tecTOO_SOON" };
    if (account.OwnerCount > 0) return { result: "tecHAS_OBLIGATIONS" };
    addDrops(draft, destination, BigInt(account.Balance));
    // Its deletion shows what it gave away.
    putAccount(draft, { ...account, Balance: "0" });
    draft.remove(accountKey(account.Account));
    return { result: "tesSUCCESS", delivered: account.Balance };
  },
};
