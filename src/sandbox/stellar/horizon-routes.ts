import { Account, Operation, StrKey, TransactionBuilder } from "@stellar/stellar-sdk/base";
import { type PublicKey, TransactionEnvelope, Asset as XdrAsset } from "@stellar/stellar-sdk/xdr";
import { assert } from "../../platform/kernel/assert.ts";
import { accountKey, liabilitiesOf, sponsorshipOf } from "./entries.ts";
import { friendbot, networkId, networkPassphrase } from "./genesis.ts";
import {
  type Answer,
  assetMembers,
  decimal,
  hexOf,
  isoTime,
  notFound,
  pageOf,
  problem,
  publicKeyOf,
} from "./horizon-answer.ts";
import { listEffects } from "./horizon-effects.ts";
import { listOperations } from "./horizon-history.ts";
import { answerMarket } from "./horizon-market.ts";
import type { FoundTransaction, Ledger } from "./ledger.ts";
import { baseFee, readSigned, refusal } from "./transactions.ts";

export type HorizonRequest = {
  readonly method: string;
  readonly url: URL;
  readonly text: string;
};

/** The part of Horizon that wallets pay with, and friendbot. */
export async function answerHorizon(
  ledger: Ledger,
  { method, url, text }: HorizonRequest,
): Promise<Answer> {
  const [resource = "", id = "", part = ""] = url.pathname.split("/").slice(2);
  if (method === "POST" && resource === "transactions") return await submit(ledger, text);
  if (resource === "friendbot") return await fund(ledger, url.searchParams.get("addr") ?? "");
  if (resource === "") return { status: 200, body: describeNetwork(ledger) };
  if (resource === "fee_stats") return { status: 200, body: feeStatistics(ledger) };
  const market = answerMarket(ledger, url);
  if (market !== null) return market;
  if (resource === "accounts" && StrKey.isValidEd25519PublicKey(id)) return readAccount(ledger, id);
  if (resource === "transactions") {
    const found = ledger.find(id);
    if (found === null) return notFound();
    if (part === "operations") return pageOf(listOperations(found), url);
    if (part === "effects") return pageOf(listEffects(found), url);
    return { status: 200, body: renderTransaction(found) };
  }
  if (resource === "ledgers" && /^\d{1,10}$/.test(id))
    return part === "transactions"
      ? listTransactions(ledger, Number(id), url.searchParams)
      : readLedger(ledger, Number(id));
  return notFound();
}

function describeNetwork(ledger: Ledger): object {
  const { sequence } = ledger.newest();
  return {
    horizon_version: "simulated",
    core_version: "simulated",
    history_latest_ledger: sequence,
    history_elder_ledger: 1,
    core_latest_ledger: sequence,
    network_passphrase: networkPassphrase,
    current_protocol_version: 23,
  };
}

function feeStatistics(ledger: Ledger): object {
  const names = ["max", "min", "mode", "p10", "p50", "p70", "p99"];
  const fees = Object.fromEntries(names.map((name) => [name, String(baseFee)]));
  return {
    last_ledger: String(ledger.newest().sequence),
    last_ledger_base_fee: String(baseFee),
    ledger_capacity_usage: "0.01",
    fee_charged: fees,
    max_fee: fees,
  };
}

function readAccount(ledger: Ledger, id: string): Answer {
  const accountId = publicKeyOf(id);
  const entry = ledger.entry(accountKey(accountId));
  if (entry?.data.type !== "account") return notFound();
  const { balance, seqNum, numSubEntries, flags } = entry.data.account;
  const { sponsored, sponsoring } = sponsorshipOf(entry.data.account);
  const { buying, selling } = liabilitiesOf(entry.data.account);
  return {
    status: 200,
    body: {
      id,
      account_id: id,
      sequence: String(seqNum),
      subentry_count: numSubEntries,
      last_modified_ledger: entry.lastModifiedLedgerSeq,
      thresholds: { low_threshold: 0, med_threshold: 0, high_threshold: 0 },
      flags: {
        auth_required: (flags & 1) !== 0,
        auth_revocable: (flags & 2) !== 0,
        auth_immutable: (flags & 4) !== 0,
        auth_clawback_enabled: (flags & 8) !== 0,
      },
      balances: [
        ...linesOf(ledger, accountId),
        {
          balance: decimal(balance),
          buying_liabilities: decimal(buying),
          selling_liabilities: decimal(selling),
          asset_type: "native",
        },
      ],
      signers: [{ weight: 1, key: id, type: "ed25519_public_key" }],
      data: dataOf(ledger, accountId),
      // The SDK renames members that are links as well.
      _links: { data: { href: `/accounts/${id}/data/{key}`, templated: true } },
      num_sponsoring: sponsoring,
      num_sponsored: sponsored,
      paging_token: id,
    },
  };
}

function dataOf(ledger: Ledger, accountId: PublicKey): Readonly<Record<string, string>> {
  const entries = ledger
    .entries()
    .flatMap(({ data }) =>
      data.type === "data" && data.data.accountId.equals(accountId)
        ? [
            [
              data.data.dataName.toString(),
              Buffer.from(data.data.dataValue.value).toString("base64"),
            ],
          ]
        : [],
    );
  return Object.fromEntries(entries) as Readonly<Record<string, string>>;
}

function linesOf(ledger: Ledger, accountId: PublicKey): readonly object[] {
  return ledger.entries().flatMap((entry) => {
    if (entry.data.type !== "trustline") return [];
    const { accountId: owner, asset, balance, limit } = entry.data.trustLine;
    if (!owner.equals(accountId) || asset.type === "assetTypePoolShare") return [];
    const { buying, selling } = liabilitiesOf(entry.data.trustLine);
    return [
      {
        balance: decimal(balance),
        limit: decimal(limit),
        buying_liabilities: decimal(buying),
        selling_liabilities: decimal(selling),
        last_modified_ledger: entry.lastModifiedLedgerSeq,
        is_authorized: true,
        is_authorized_to_maintain_liabilities: true,
        is_clawback_enabled: false,
        ...assetMembers(XdrAsset.fromXdr(asset.toXdr())),
      },
    ];
  });
}

/** In the order of their execution. */
function listTransactions(ledger: Ledger, sequence: number, query: URLSearchParams): Answer {
  const closed = ledger.archived(sequence);
  if (closed === null) return notFound();
  const after = BigInt(query.get("cursor") ?? 0);
  const limit = Number(query.get("limit") ?? 10);
  const records = ledger
    .transactionsOf(closed)
    .filter((found) => pagingToken(found) > after)
    .slice(0, limit)
    .map(renderTransaction);
  return { status: 200, body: { _embedded: { records } } };
}

function pagingToken({ ledger, order }: FoundTransaction): bigint {
  return (BigInt(ledger.sequence) << 32n) + (BigInt(order) << 12n);
}

function readLedger(ledger: Ledger, sequence: number): Answer {
  const closed = ledger.archived(sequence);
  if (closed === null) return notFound();
  const { ledgerHeader } = closed.meta.v2;
  return {
    status: 200,
    body: {
      id: hexOf(ledgerHeader.hash.value),
      hash: hexOf(ledgerHeader.hash.value),
      prev_hash: hexOf(ledgerHeader.header.previousLedgerHash.value),
      sequence,
      closed_at: isoTime(closed.closeTime),
      base_fee_in_stroops: Number(baseFee),
      header_xdr: ledgerHeader.header.toXdr("base64"),
    },
  };
}

/** Horizon answers when the transaction is in a ledger, so this closes one. */
async function submit(ledger: Ledger, text: string): Promise<Answer> {
  let envelope: TransactionEnvelope;
  try {
    envelope = TransactionEnvelope.fromXdr(new URLSearchParams(text).get("tx") ?? "", "base64");
  } catch {
    return problem(400, "transaction_malformed", "Transaction Malformed", {});
  }
  const signed = readSigned(envelope, networkId);
  if (signed === null) return problem(400, "transaction_malformed", "Transaction Malformed", {});
  const hash = hexOf(signed.hash);
  const submission = ledger.submit(signed);
  if (submission.status === "TRY_AGAIN_LATER")
    return problem(503, "server_over_capacity", "Server Over Capacity", {});
  if (submission.status === "ERROR" && ledger.find(hash) === null) {
    const result = refusal(submission.result);
    return failed(result.toXdr("base64"), codeOf(submission.result.type), []);
  }
  await ledger.close(1);
  const found = ledger.find(hash);
  if (found === null) return problem(504, "timeout", "Timeout", { hash });
  if (
    found.result.result.type === "txSuccess" ||
    found.result.result.type === "txFeeBumpInnerSuccess"
  )
    return { status: 200, body: renderTransaction(found) };
  const { result } = found.result;
  const operations = result.type === "txFailed" ? result.results : [];
  return failed(
    found.result.toXdr("base64"),
    codeOf(result.type),
    operations.map((one) => codeOf(one.type === "opInner" ? one.tr.value.type : one.type)),
  );
}

function failed(resultXdr: string, transaction: string, operations: readonly string[]): Answer {
  return problem(400, "transaction_failed", "Transaction Failed", {
    result_xdr: resultXdr,
    result_codes: { transaction, ...(operations.length === 0 ? {} : { operations }) },
  });
}

/** Horizon's spelling of a code: `txBadSeq` is `tx_bad_seq`, `paymentNoTrust` is `op_no_trust`. */
function codeOf(type: string): string {
  const words = type.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const known =
    /^(?:payment|create_account|change_trust|account_merge|manage_data|path_payment_strict_(?:send|receive)|manage_(?:sell|buy)_offer|(?:create|claim)_claimable_balance)_/;
  return words.replace(known, "op_");
}

function renderTransaction(found: FoundTransaction): object {
  const { ledger, hash, envelope, result, meta } = found;
  const { type } = result.result;
  return {
    id: hash,
    hash,
    paging_token: String(pagingToken(found)),
    successful: type === "txSuccess" || type === "txFeeBumpInnerSuccess",
    ledger: ledger.sequence,
    created_at: isoTime(ledger.closeTime),
    fee_charged: String(result.feeCharged),
    envelope_xdr: envelope.toXdr("base64"),
    result_xdr: result.toXdr("base64"),
    result_meta_xdr: meta.toXdr("base64"),
  };
}

/** Creates the account with 10,000 test XLM. */
async function fund(ledger: Ledger, address: string): Promise<Answer> {
  if (!StrKey.isValidEd25519PublicKey(address))
    return problem(400, "bad_request", "Bad Request", { invalid_field: "addr" });
  const own = ledger.entry(accountKey(publicKeyOf(friendbot.publicKey())));
  assert(own?.data.type === "account", "friendbot's account");
  const account = new Account(friendbot.publicKey(), String(own.data.account.seqNum));
  const transaction = new TransactionBuilder(account, { fee: String(baseFee), networkPassphrase })
    .addOperation(Operation.createAccount({ destination: address, startingBalance: "10000" }))
    .setTimeout(0)
    .build();
  transaction.sign(friendbot);
  const body = new URLSearchParams({ tx: transaction.toEnvelope().toXdr("base64") });
  return await submit(ledger, body.toString());
}
