import { classicAddressToXAddress, isValidXAddress, xAddressToClassicAddress } from "xrpl";
import type { XrplSite } from "../../../src/sandbox/sandbox-file.ts";
import { queryXrpl } from "../../support/query-xrpl.ts";
import type { Output } from "../best-chain.ts";
import type { OpenTruth } from "./chaos-chain.ts";

/** The members of the transactions of this run: payments, and settings of accounts. */
type Executed = {
  readonly hash: string;
  readonly tx_json: {
    readonly TransactionType: string;
    readonly Account: string;
    readonly Fee: string;
    readonly Destination?: string;
    readonly DestinationTag?: number;
  };
  readonly meta: { readonly TransactionResult: string; readonly delivered_amount?: string };
};
type Closed = {
  readonly ledger_hash: string;
  readonly parent_hash: string;
  readonly transactions: readonly Executed[];
};

/** The validated ledgers. A payment with a tag is one to the X-address of account and tag. */
export function xrplTruth(site: XrplSite, coin: string): OpenTruth {
  const tipHeight = async (): Promise<number> => {
    const { ledger_index } = await queryXrpl<{ readonly ledger_index: number }>(site, "ledger", {
      ledger_index: "validated",
    });
    return ledger_index;
  };
  const ledgerAt = async (height: number): Promise<Closed | null> => {
    const { ledger } = await queryXrpl<{ readonly ledger?: Closed }>(site, "ledger", {
      ledger_index: height,
      transactions: true,
      expand: true,
    });
    return ledger ?? null;
  };
  return {
    firstHeight: 1,
    holderOf: (address) =>
      isValidXAddress(address) ? xAddressToClassicAddress(address).classicAddress : address,
    numbersOutputs: false,
    mayContradictItself: false,
    tipHeight,
    hashAt: async (height) => (await ledgerAt(height))?.ledger_hash ?? null,
    blockAt: async (height) => {
      const ledger = await ledgerAt(height);
      if (ledger === null) throw new Error(`no ledger ${height}`);
      const { ledger_hash, parent_hash, transactions } = ledger;
      const outputs = transactions.flatMap((executed) => outputsOf(executed, coin));
      const sent = new Map(outputs.map(({ txid, units }) => [txid, units]));
      return {
        height,
        hash: ledger_hash,
        parentHash: parent_hash,
        outputs,
        debits: transactions.map(({ hash, tx_json: { Account, Fee } }) => ({
          txid: hash,
          address: Account,
          currency: coin,
          units: BigInt(Fee) + (sent.get(hash) ?? 0n),
        })),
        burnt: new Map(transactions.map(({ hash, tx_json }) => [hash, BigInt(tx_json.Fee)])),
      };
    },
    waiting: async () => {
      const { ledger } = await queryXrpl<{
        readonly ledger: { readonly transactions: readonly string[] };
      }>(site, "ledger", { ledger_index: "current", transactions: true });
      return new Set(ledger.transactions);
    },
    holdings: async (addresses) => {
      let total = 0n;
      for (const account of addresses) {
        const { account_data } = await queryXrpl<{
          readonly account_data?: { readonly Balance: string };
        }>(site, "account_info", { account, ledger_index: "validated" });
        total += BigInt(account_data?.Balance ?? 0);
      }
      return total;
    },
    close: () => Promise.resolve(),
  };
}

function outputsOf({ hash, meta, tx_json }: Executed, coin: string): readonly Output[] {
  const { Destination, DestinationTag } = tx_json;
  if (meta.TransactionResult !== "tesSUCCESS" || Destination === undefined) return [];
  const address =
    DestinationTag === undefined
      ? Destination
      : classicAddressToXAddress(Destination, DestinationTag, true);
  const units = BigInt(meta.delivered_amount ?? 0);
  return [{ txid: hash, vout: null, address, currency: coin, units }];
}
