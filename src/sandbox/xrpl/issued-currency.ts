import type { JsonValue } from "../../platform/kernel/json.ts";
import { type IssuedAmount, isLower, type RippleState, rippleStateKey } from "./objects.ts";
import type { Draft, View } from "./state.ts";
import type { TransactionJson } from "./transaction.ts";

/*
 * Values of issued currencies are decimal text, computed with nine decimals.
 */

const valueDecimals = 9;
const scale = 10n ** BigInt(valueDecimals);
/** Who holds the other side of a trust line's balance (ACCOUNT_ONE). */
const neutralIssuer = "rrrrrrrrrrrrrrrrrrrrBZbvji";

/** Adds to what the holder has of an issued currency; true if that creates the trust line. */
export function creditLine(draft: Draft, holder: string, amount: IssuedAmount): boolean {
  const { currency, issuer } = amount;
  const isHolderLow = isLower(holder, issuer);
  const [low, high] = isHolderLow ? [holder, issuer] : [issuer, holder];
  const key = rippleStateKey(low, high, currency);
  const known = draft.get(key);
  const line: RippleState =
    known?.LedgerEntryType === "RippleState"
      ? known
      : {
          LedgerEntryType: "RippleState",
          Balance: { currency, issuer: neutralIssuer, value: "0" },
          LowLimit: { currency, issuer: low, value: "0" },
          HighLimit: { currency, issuer: high, value: "0" },
          Flags: 0,
          PreviousTxnID: "",
          PreviousTxnLgrSeq: 0,
        };
  const change = isHolderLow ? scaled(amount.value) : -scaled(amount.value);
  const value = valueText(scaled(line.Balance.value) + change);
  draft.put(key, { ...line, Balance: { ...line.Balance, value } });
  return known === null;
}

/** What the holder has of an issued currency, in billionths. */
export function lineBalance(
  view: View,
  holder: string,
  { currency, issuer }: Pick<IssuedAmount, "currency" | "issuer">,
): bigint {
  const isHolderLow = isLower(holder, issuer);
  const [low, high] = isHolderLow ? [holder, issuer] : [issuer, holder];
  const line = view.get(rippleStateKey(low, high, currency));
  if (line?.LedgerEntryType !== "RippleState") return 0n;
  const balance = scaled(line.Balance.value);
  return isHolderLow ? balance : -balance;
}

/** An amount of an issued currency; null for XRP, and for none. */
export function issuedIn(json: TransactionJson, name: string): IssuedAmount | null {
  const value: JsonValue | undefined = json[name];
  return typeof value === "object" && value !== null && "issuer" in value
    ? (value as IssuedAmount)
    : null;
}

/** Decimal text as an integer of billionths; digits beyond them are dropped. */
export function scaled(value: string): bigint {
  const [whole = "0", fraction = ""] = value.replace("-", "").split(".");
  const digits = fraction.padEnd(valueDecimals, "0").slice(0, valueDecimals);
  const size = BigInt(whole) * scale + BigInt(digits);
  return value.startsWith("-") ? -size : size;
}

export function valueText(billionths: bigint): string {
  const size = billionths < 0n ? -billionths : billionths;
  const fraction = String(size % scale)
    .padStart(valueDecimals, "0")
    .replace(/0+$/, "");
  const text = `${size / scale}${fraction === "" ? "" : `.${fraction}`}`;
  return billionths < 0n ? `-${text}` : text;
}
