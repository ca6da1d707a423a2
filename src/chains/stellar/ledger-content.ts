import { Asset, StrKey } from "@stellar/stellar-sdk/base";
import type { Currency } from "../../currencies/currency.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import type {
  BlockContent,
  BlockSpends,
  OutgoingPayment,
  OutgoingTransaction,
  PaymentOutcome,
  TransactionReceipt,
  Transfer,
} from "../port.ts";
import { hexOf } from "./answer.ts";
import { currenciesByAsset, native } from "./asset.ts";
import type { BalanceChange } from "./balance-changes.ts";
import type { ExecutedLedger, ExecutedTransaction } from "./executed-ledger.ts";
import { watchKeyOf } from "./payee-addressing.ts";

/** The assets that the deployment lists. */
export type ListedAssets = {
  readonly currencies: ReadonlyMap<string, CurrencyId>;
  /** The contract through which other contracts move each asset (CAP-46-6), in hexadecimal. */
  readonly contracts: ReadonlyMap<string, string>;
};

export function listAssets(currencies: readonly Currency[], passphrase: string): ListedAssets {
  const byAsset = currenciesByAsset(currencies);
  return {
    currencies: byAsset,
    contracts: new Map([...byAsset.keys()].map((name) => [name, contractOf(name, passphrase)])),
  };
}

function contractOf(name: string, passphrase: string): string {
  const [code = "", issuer = ""] = name.split(":");
  const asset = name === native ? Asset.native() : new Asset(code, issuer);
  return hexOf(StrKey.decodeContract(asset.contractId(passphrase)));
}

/** What every account received, and the accounts that spent. */
export function contentOf(
  assets: ListedAssets,
  { header, transactions }: ExecutedLedger,
  mayBeWatched: (watchKey: string) => boolean = () => true,
): BlockContent {
  const transfers = transactions.flatMap((transaction) =>
    gainsOf(assets, transaction).flatMap(({ gain, to }, index): readonly Transfer[] => {
      if (!mayBeWatched(to)) return [];
      const currency = assets.currencies.get(gain.asset);
      const units = gain.after - gain.before;
      return [
        {
          key: { txid: transaction.txid, index },
          to,
          asset:
            currency === undefined
              ? { kind: "unlisted", locator: gain.asset, units }
              : { kind: "currency", amount: { units, currency } },
          spendableFromHeight: null,
        },
      ];
    }),
  );
  return { block: header, transfers, spends: spendsOf(assets, transactions) };
}

type Gain = { readonly gain: BalanceChange; readonly tag: string | null; readonly to: string };

/**
 * What a transaction added to balances, whatever its operations: payments, paths, new and merged accounts, claimed balances, contracts.
 * The amounts that operations state are never read.
 */
function gainsOf(assets: ListedAssets, transaction: ExecutedTransaction): readonly Gain[] {
  return transaction.executed.flatMap(({ changes }, position) =>
    changes
      .filter(({ before, after }) => after > before)
      .map((gain) => {
        const tag = tagOf(assets, transaction, position, gain);
        return { gain, tag, to: watchKeyOf(gain.account, tag) };
      }),
  );
}

/**
 * The memo under which an operation paid an account: the id of the M-address that it names, otherwise the transaction's memo. Null if it
 * names no receiver, such as the claim of a balance.
 */
function tagOf(
  assets: ListedAssets,
  { memo, operations, executed }: ExecutedTransaction,
  position: number,
  { account, asset }: BalanceChange,
): string | null {
  const operation = operations[position];
  if (operation?.type === "invokeHostFunction") {
    const contract = assets.contracts.get(asset);
    const reported = (executed[position]?.transfers ?? []).filter(
      (transfer) => transfer.to === account && transfer.contract === contract,
    );
    const [first, ...others] = reported;
    if (first === undefined || others.some(({ id }) => id !== first.id)) return null;
    return first.id ?? memo;
  }
  return operation?.destination?.address === account ? (operation.destination.id ?? memo) : null;
}

function spendsOf(assets: ListedAssets, transactions: readonly ExecutedTransaction[]): BlockSpends {
  return {
    sources: () => [...new Set(transactions.flatMap(signersOf))],
    transactionsFrom: (ours) =>
      transactions.flatMap((transaction) => {
        const sender = signersOf(transaction).find((account) => ours.has(account));
        return sender === undefined ? [] : [outgoingOf(assets, transaction, sender)];
      }),
  };
}

/** The accounts whose signature a transaction needs. */
function signersOf({ source, feeSource, operations }: ExecutedTransaction): readonly string[] {
  const inOperations = operations.flatMap((one) => (one.source === null ? [] : [one.source]));
  return [source, feeSource, ...inOperations];
}

function outgoingOf(
  assets: ListedAssets,
  transaction: ExecutedTransaction,
  sender: string,
): OutgoingTransaction {
  const payments = gainsOf(assets, transaction).map(
    ({ gain, tag, to }): OutgoingPayment => ({
      to,
      address: gain.account,
      tag,
      currency: assets.currencies.get(gain.asset) ?? null,
      units: gain.after - gain.before,
    }),
  );
  return {
    txid: ownIdOf(transaction),
    sender,
    claims: claimsOf(transaction),
    payments,
    feeUnits: feeFor(transaction, sender),
  };
}

/** Anyone may put our signed transaction into a fee-bump transaction of theirs. It is still the one that we know. */
export function ownIdOf({ txid, innerTxid }: ExecutedTransaction): string {
  return innerTxid ?? txid;
}

/** Whose money one of our transactions moves: its operations name the account where they use the sequence of another. */
function payerOf({ operations, source }: ExecutedTransaction): string {
  return operations[0]?.source ?? source;
}

/** The fee that the account paid: none if another one did. */
function feeFor({ feeSource, feeUnits }: ExecutedTransaction, account: string): bigint {
  return feeSource === account ? feeUnits : 0n;
}

/** The sequence that a transaction uses. */
export function claimsOf({
  source,
  sequence,
}: Pick<ExecutedTransaction, "source" | "sequence">): readonly string[] {
  return [`${source}#${sequence}`];
}

/** The outcome of one of our own transactions. */
export function receiptOf(transaction: ExecutedTransaction): TransactionReceipt {
  const payments = outcomesOf(transaction);
  return {
    txid: ownIdOf(transaction),
    hasSucceeded: transaction.hasSucceeded,
    feeUnits: feeFor(transaction, payerOf(transaction)),
    ...(payments.length > 1 ? { payments } : {}),
  };
}

/** Results that say nothing against the receiver: it has an account by now, or ours lacked money, or the issuer's permission. */
const notRefused = new Set([
  "createAccountAlreadyExist",
  "createAccountUnderfunded",
  "paymentSrcNoTrust",
  "paymentSrcNotAuthorized",
  "paymentUnderfunded",
]);

/** What became of each payment of a transaction that failed because of its operations. */
function outcomesOf({ operations, results }: ExecutedTransaction): readonly PaymentOutcome[] {
  return results.flatMap((result, place) => {
    const type = operations[place]?.type;
    if (type !== "payment" && type !== "createAccount") return [];
    return [result.endsWith("Success") || notRefused.has(result) ? "undone" : "refused"];
  });
}
