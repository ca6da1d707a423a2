import { addressText } from "./address.ts";
import { refuse } from "./refusal.ts";
import { foreignType, type Transaction } from "./transaction.ts";

/** The consensus of the network, as of its version 41. */
export const rules = {
  version:
    "https://github.com/algorandfoundation/specs/tree/953304de35264fc3ef91bcd05c123242015eeaed",
  minFee: 1_000n,
  lifeMax: 1_000n,
  blockSecondsMax: 25,
  groupMax: 16,
  noteMax: 1_024,
  assetNameMax: 32,
  assetUnitMax: 8,
  assetUrlMax: 96,
  decimalsMax: 19n,
  innersMax: 256,
} as const;

const supported: readonly string[] = ["pay", "axfer", "acfg", "afrz", "appl"];

/** Checks what a transaction must be on its own, in go-algorand's order; throws `Refusal`. */
export function checkForm(transaction: Transaction, feeSink: string): void {
  const { fv = 0n, lv = 0n, note, snd, type } = transaction;
  if (type === "pay") checkPayment(transaction, feeSink);
  else if (type === "acfg") checkAssetParams(transaction);
  else if (type === "axfer") checkAssetTransfer(transaction);
  else if (type === "afrz") checkFreeze(transaction);
  else if (!supported.includes(type)) refuse(`unknown tx type ${type}`);
  const foreign = foreignType(transaction);
  if (foreign !== null)
    refuse(`transaction of type ${type} has non-zero fields for type ${foreign}`);
  if (lv < fv) refuse(`transaction invalid range (${fv}--${lv})`);
  if (lv - fv > rules.lifeMax) refuse(`transaction window size excessive (${fv}--${lv})`);
  if (note !== undefined && note.length > rules.noteMax)
    refuse(`transaction note too big: ${note.length} > ${rules.noteMax}`);
  if (snd === undefined) refuse("transaction cannot have zero sender");
}

function checkPayment({ close, snd = new Uint8Array(32) }: Transaction, feeSink: string): void {
  const sender = addressText(snd);
  if (close !== undefined && addressText(close) === sender)
    refuse(`transaction cannot close account to its sender ${sender}`);
  if (sender === feeSink) refuse(`cannot spend from fee sink address ${sender}`);
}

function checkAssetParams({ apar = {} }: Transaction): void {
  const { an = "", au = "", dc = 0n, un = "" } = apar;
  for (const [name, text, most] of [
    ["name", an, rules.assetNameMax],
    ["unit name", un, rules.assetUnitMax],
    ["url", au, rules.assetUrlMax],
  ] as const) {
    const size = Buffer.byteLength(text);
    if (size > most) refuse(`transaction asset ${name} too big: ${size} > ${most}`);
  }
  if (dc > rules.decimalsMax)
    refuse(`transaction asset decimals is too high (max is ${rules.decimalsMax})`);
}

function checkAssetTransfer({ aamt, aclose, asnd, xaid }: Transaction): void {
  if (xaid === undefined && aamt !== undefined) refuse("asset ID cannot be zero");
  if (asnd !== undefined && aclose !== undefined) refuse("cannot close asset by clawback");
}

function checkFreeze({ fadd, faid }: Transaction): void {
  if (faid === undefined) refuse("asset ID cannot be zero");
  if (fadd === undefined) refuse("freeze account cannot be empty");
}
