import { FeeBumpTransaction, TransactionBuilder } from "@stellar/stellar-sdk/base";
import { LedgerHeaderHistoryEntry, TransactionResult } from "@stellar/stellar-sdk/xdr";
import { parseDecimal } from "../../../src/platform/kernel/decimal.ts";
import type { StellarSite } from "../../../src/sandbox/sandbox-file.ts";
import { queryStellar } from "../../support/query-stellar.ts";
import type { Output } from "../best-chain.ts";
import { partsOf } from "../place.ts";
import type { OpenTruth } from "./chaos-chain.ts";

type Ledger = { readonly sequence: number; readonly hash: string; readonly headerXdr: string };
type Executed = {
  readonly ledger: number;
  readonly txHash: string;
  readonly status: string;
  readonly envelopeXdr: string;
  readonly resultXdr: string;
};

const exp = 7;
/** No ledger of the run has more. */
const transactionsMax = 200;

/** The closed ledgers, read with the official SDK. A payment with a memo is one to the account and that memo. */
export function stellarTruth(site: StellarSite, coin: string): OpenTruth {
  const ask = async <Answer>(method: string, params: object): Promise<Answer> => {
    const answer = await queryStellar<Answer>(site, method, params as never);
    if (answer === null) throw new Error(`${method} failed`);
    return answer;
  };
  const tipHeight = async (): Promise<number> =>
    (await ask<{ readonly sequence: number }>("getLatestLedger", {})).sequence;
  const ledgerAt = async (height: number): Promise<Ledger | null> => {
    if (height > (await tipHeight())) return null;
    const page = { startLedger: height, pagination: { limit: 1 } };
    const { ledgers } = await ask<{ readonly ledgers: readonly Ledger[] }>("getLedgers", page);
    return ledgers[0] ?? null;
  };
  return {
    firstHeight: 1,
    holderOf: (place) => partsOf(place).address,
    numbersOutputs: false,
    mayContradictItself: false,
    tipHeight,
    hashAt: async (height) => (await ledgerAt(height))?.hash ?? null,
    blockAt: async (height) => {
      const ledger = await ledgerAt(height);
      if (ledger === null) throw new Error(`no ledger ${height}`);
      const page = { startLedger: height, pagination: { limit: transactionsMax } };
      const { transactions } = await ask<{ readonly transactions: readonly Executed[] }>(
        "getTransactions",
        page,
      );
      const read = transactions
        .filter((one) => one.ledger === height)
        .map((one) => readExecuted(one, site.network_passphrase, coin));
      const { header } = LedgerHeaderHistoryEntry.fromXdr(ledger.headerXdr, "base64");
      return {
        height,
        hash: ledger.hash,
        parentHash: Buffer.from(header.previousLedgerHash.value).toString("hex"),
        outputs: read.flatMap(({ outputs }) => outputs),
        debits: read.map(({ fee, outputs, source, txid }) => ({
          txid,
          address: source,
          currency: coin,
          units: outputs.reduce((sum, { units }) => sum + units, fee),
        })),
        burnt: new Map(read.map(({ fee, txid }) => [txid, fee])),
      };
    },
    // A node shows nothing that waits for a ledger.
    waiting: () => Promise.resolve(new Set()),
    holdings: async (addresses) => {
      let total = 0n;
      for (const address of addresses) {
        const response = await fetch(`${site.horizon_url}/accounts/${address}`);
        if (!response.ok) continue;
        const { balances } = (await response.json()) as {
          readonly balances: readonly { readonly asset_type: string; readonly balance: string }[];
        };
        for (const { asset_type, balance } of balances)
          if (asset_type === "native") total += unitsOf(balance);
      }
      return total;
    },
    close: () => Promise.resolve(),
  };
}

/** A transaction inside a fee-bump transaction is known by its own hash, and its payments' source pays for it. */
function readExecuted(
  { envelopeXdr, resultXdr, status, txHash }: Executed,
  passphrase: string,
  coin: string,
) {
  const read = TransactionBuilder.fromXdr(envelopeXdr, passphrase);
  const transaction = read instanceof FeeBumpTransaction ? read.innerTransaction : read;
  const { memo, operations } = transaction;
  const id =
    read instanceof FeeBumpTransaction ? Buffer.from(transaction.hash()).toString("hex") : txHash;
  const source = operations[0]?.source ?? transaction.source;
  const fee = TransactionResult.fromXdr(resultXdr, "base64").feeCharged;
  const suffix = memo.type === "id" ? `:${String(memo.value)}` : "";
  const outputs = operations.flatMap((operation): readonly Output[] => {
    if (status !== "SUCCESS") return [];
    const to = (address: string, amount: string): readonly Output[] => [
      {
        txid: id,
        vout: null,
        address: `${address}${suffix}`,
        currency: coin,
        units: unitsOf(amount),
      },
    ];
    if (operation.type === "payment")
      return operation.asset.isNative() ? to(operation.destination, operation.amount) : [];
    return operation.type === "createAccount"
      ? to(operation.destination, operation.startingBalance)
      : [];
  });
  return { txid: id, source, fee, outputs };
}

function unitsOf(amount: string): bigint {
  const parsed = parseDecimal(amount, exp);
  if (parsed.kind !== "units") throw new Error(`the amount ${amount}`);
  return parsed.units;
}
