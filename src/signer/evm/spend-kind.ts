import type { JsonObject } from "../../platform/kernel/json.ts";
import { DraftRefused, type InspectedDraft, type KeyRing } from "../draft-signer.ts";
import type { SpendIntent } from "../intent.ts";
import { addressAt } from "./own-accounts.ts";
import { gasFeeOf, type PlainTransaction, readTransaction } from "./read-transaction.ts";
import type { SignedTransaction } from "./sign-transaction.ts";

export type IntentOf<Kind extends SpendIntent["kind"]> = Extract<
  SpendIntent,
  { readonly kind: Kind }
>;

/** Inspects the drafts of one kind of spend: throws `DraftRefused` unless they do exactly what the intent says. */
export type Inspect = (body: JsonObject, intent: SpendIntent, keys: KeyRing) => InspectedDraft;

/** Signs drafts of one type (`body.type`) that were accepted. */
export type Sign = (body: JsonObject, keys: KeyRing) => SignedTransaction;

/**
 * The inspection of a kind of spend that is an ordinary transaction, with this chain id, of one of these accounts. `assert`
 * throws `DraftRefused` unless it is as intended.
 */
export function inspectPlain<Kind extends SpendIntent["kind"]>(
  kind: Kind,
  chainId: number,
  senders: readonly string[],
  assert: (transaction: PlainTransaction, intent: IntentOf<Kind>, keys: KeyRing) => void,
): Inspect {
  return (body, intent, keys) => {
    if (!isOfKind(intent, kind)) throw new DraftRefused(`no ${kind}`);
    const transaction = readTransaction(body);
    if (transaction.chainId !== BigInt(chainId))
      throw new DraftRefused(`a transaction for chain id ${transaction.chainId}`);
    if (!senders.some((path) => addressAt(keys, path) === transaction.from))
      throw new DraftRefused(`${transaction.from} is not the account that pays this`);
    assert(transaction, intent, keys);
    return { claims: [claimOf(transaction)], feeUnits: gasFeeOf(transaction) };
  };
}

/** The claim of a transaction of an account: `0x...#7`. */
export function claimOf({ from, nonce }: Pick<PlainTransaction, "from" | "nonce">): string {
  return `${from}#${nonce}`;
}

function isOfKind<Kind extends SpendIntent["kind"]>(
  intent: SpendIntent,
  kind: Kind,
): intent is IntentOf<Kind> {
  return intent.kind === kind;
}
