import type { JsonObject } from "../../platform/kernel/json.ts";
import { accountDelete, accountSet } from "./account-transactors.ts";
import { ammCreate } from "./amm.ts";
import { batch, feesOf, innerTransactions, withoutInnerFlag } from "./batch.ts";
import { checkCancel, checkCash, checkCreate } from "./checks.ts";
import { offerCreate } from "./cross-currency.ts";
import { escrowCreate, escrowFinish } from "./escrows.ts";
import { affectedNodes, type Metadata } from "./metadata.ts";
import type { AccountRoot, IssuedAmount, Offer } from "./objects.ts";
import { payment } from "./payment.ts";
import { channelClaim, channelCreate } from "./payment-channels.ts";
import { isInLedger, type Result } from "./results.ts";
import type { Settings } from "./settings.ts";
import { accountIn, addDrops, type Changes, draftOn, merge, type View } from "./state.ts";
import { accountOfKey, type Transaction, type TransactionJson } from "./transaction.ts";
import { dropsIn, numberIn, type Outcome, type Transactor } from "./transactor.ts";

const transactors: Readonly<Record<string, Transactor>> = {
  Payment: payment,
  AccountSet: accountSet,
  AccountDelete: accountDelete,
  CheckCreate: checkCreate,
  CheckCash: checkCash,
  CheckCancel: checkCancel,
  EscrowCreate: escrowCreate,
  EscrowFinish: escrowFinish,
  OfferCreate: offerCreate,
  PaymentChannelCreate: channelCreate,
  PaymentChannelClaim: channelClaim,
  AMMCreate: ammCreate,
  Batch: batch,
};

/** The open ledger that a transaction enters. */
export type OpenLedger = {
  readonly view: View;
  readonly index: number;
  /** Of the newest validated ledger, in seconds since 2000; 0 before the first. */
  readonly parentCloseTime: number;
  /** How many transactions it has. */
  readonly count: number;
  readonly settings: Settings;
};

/** What a transaction does to the open ledger; nothing unless its result is one that ledgers contain. */
export type Applied =
  | { readonly result: Result; readonly effect: null }
  | {
      readonly result: Result;
      readonly effect: { readonly changes: Changes; readonly metadata: Metadata };
    };

/** An inner transaction that the ledger contains. */
export type AppliedInner = {
  readonly transaction: Transaction;
  readonly effect: NonNullable<Applied["effect"]>;
};

/** Networks up to this number do not name themselves in transactions. */
const unnamedNetworkMax = 1024;

/** Applies a transaction with a valid signature by rippled's checks, in rippled's order. */
export function applyTransaction(transaction: Transaction, open: OpenLedger): Applied {
  return apply(transaction, open, null);
}

/** Applies what a batch contains, above what its own transaction did; nothing where its mode says so. */
export function applyInner(
  batchTransaction: Transaction,
  open: OpenLedger,
): readonly AppliedInner[] {
  const { mode, transactions } = innerTransactions(batchTransaction);
  const view = draftOn(open.view);
  const found: AppliedInner[] = [];
  for (const transaction of transactions) {
    const count = open.count + found.length;
    const applied = apply(transaction, { ...open, view, count }, batchTransaction.txid);
    const { effect, result } = applied;
    if (result !== "tesSUCCESS" && mode === "allOrNothing") return [];
    if (effect !== null) {
      merge(view, effect.changes);
      found.push({ effect, transaction });
    }
    if (mode === "onlyOne" && result === "tesSUCCESS") break;
    if (mode === "untilFailure" && result !== "tesSUCCESS") break;
  }
  return found;
}

/** `parent`: the id of the batch of which it is an inner transaction. */
function apply(transaction: Transaction, open: OpenLedger, parent: string | null): Applied {
  const json = parent === null ? transaction.json : withoutInnerFlag(transaction.json);
  const refusal = refusalOf(json, open, parent !== null);
  if (refusal !== null) return { result: refusal, effect: null };
  const sender = accountIn(open.view, json.Account);
  if (sender === null) return { result: "terNO_ACCOUNT", effect: null };
  const outcome = execute(json, sender, open);
  const { result, draft } = outcome;
  if (!isInLedger(result)) return { result, effect: null };
  thread(draft, transaction.txid, open.index);
  const changes = draft.changes();
  const metadata: Metadata = {
    AffectedNodes: affectedNodes(changes),
    TransactionIndex: open.count,
    TransactionResult: result,
    ...(parent === null ? {} : { ParentBatchID: parent }),
    ...(outcome.delivered === undefined ? {} : { DeliveredAmount: outcome.delivered }),
  };
  return { result, effect: { changes, metadata } };
}

/** Why no ledger can contain it now; null if one can. */
function refusalOf(json: TransactionJson, open: OpenLedger, isInner: boolean): Result | null {
  const { settings, view } = open;
  const fee = dropsIn(json, "Fee");
  const network = networkRefusal(json, settings);
  if (network !== null) return network;
  if (fee === null || fee < 0n) return "temBAD_FEE";
  const transactor = transactors[json.TransactionType];
  if (transactor === undefined || json["TicketSequence"] !== undefined) return "temDISABLED";
  const malformed = transactor.malformed(json);
  if (malformed !== null) return malformed;
  const account = accountIn(view, json.Account);
  if (account === null) return "terNO_ACCOUNT";
  if (json.Sequence > account.Sequence) return "terPRE_SEQ";
  if (json.Sequence < account.Sequence) return "tefPAST_SEQ";
  const last = numberIn(json, "LastLedgerSequence");
  if (last !== null && open.index > last) return "tefMAX_LEDGER";
  if (isInner) return null;
  if (fee < leastFee(json, settings)) return "telINSUF_FEE_P";
  if (BigInt(account.Balance) < fee) return "terINSUF_FEE_B";
  return accountOfKey(json.SigningPubKey) === json.Account ? null : "tefBAD_AUTH";
}

function networkRefusal(json: TransactionJson, { networkId }: Settings): Result | null {
  const named = json["NetworkID"];
  if (networkId <= unnamedNetworkMax)
    return named === undefined ? null : "telNETWORK_ID_MAKES_TX_NON_CANONICAL";
  if (named === undefined) return "telREQUIRES_NETWORK_ID";
  return named === networkId ? null : "telWRONG_NETWORK";
}

const dearTypes = new Set(["AccountDelete", "AMMCreate"]);

/** Deleting an account costs what an object reserves, and so does creating a pool. */
function leastFee(json: TransactionJson, settings: Settings): bigint {
  return dearTypes.has(json.TransactionType)
    ? settings.reserveIncrement
    : feesOf(json) * settings.baseFee;
}

/** Takes the fee and the sequence, and executes the transaction above that: a failed one leaves only the former. */
function execute(
  json: TransactionJson,
  sender: AccountRoot,
  { index, parentCloseTime, settings, view }: OpenLedger,
): Outcome & { readonly draft: ReturnType<typeof draftOn> } {
  const draft = draftOn(view);
  const fee = dropsIn(json, "Fee") ?? 0n;
  addDrops(draft, { ...sender, Sequence: sender.Sequence + 1 }, -fee);
  const inner = draftOn(draft);
  const outcome = transactors[json.TransactionType]?.execute({
    draft: inner,
    json,
    ledgerIndex: index,
    parentCloseTime,
    settings,
    priorBalance: BigInt(sender.Balance),
    offers: (currency) => offersFor(inner, currency),
  }) ?? { result: "temDISABLED" as const };
  if (outcome.result === "tesSUCCESS") merge(draft, inner.changes());
  return { ...outcome, draft };
}

function offersFor(
  view: View,
  { currency, issuer }: Pick<IssuedAmount, "currency" | "issuer">,
): readonly Offer[] {
  const found: Offer[] = [];
  for (const [, object] of view.entries())
    if (
      object.LedgerEntryType === "Offer" &&
      object.TakerPays.currency === currency &&
      object.TakerPays.issuer === issuer
    )
      found.push(object);
  return found;
}

/** Each changed object names the transaction that changed it last. */
function thread(draft: ReturnType<typeof draftOn>, txid: string, index: number): void {
  for (const [key, change] of draft.changes())
    if (change.kind === "written")
      draft.put(key, { ...change.after, PreviousTxnID: txid, PreviousTxnLgrSeq: index });
}

/** The metadata as rippled answers it: with `delivered_amount` wherever a payment succeeded. */
export function answeredMetadata(json: TransactionJson, metadata: Metadata): JsonObject {
  const delivers = ["Payment", "CheckCash", "AccountDelete"].includes(json.TransactionType);
  const delivered = metadata.DeliveredAmount ?? json["Amount"];
  return delivers && metadata.TransactionResult === "tesSUCCESS" && delivered !== undefined
    ? { ...metadata, delivered_amount: delivered }
    : metadata;
}
