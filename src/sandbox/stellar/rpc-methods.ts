import { LedgerKey, TransactionEnvelope } from "@stellar/stellar-sdk/xdr";
import { networkId, networkPassphrase } from "./genesis.ts";
import type { ClosedLedger } from "./journal.ts";
import type { FoundTransaction, Ledger } from "./ledger.ts";
import { baseFee, readSigned, refusal } from "./transactions.ts";

export type Params = Readonly<Record<string, unknown>>;

/** An error of stellar-rpc with its JSON-RPC code. */
export class RpcFailure extends Error {
  override readonly name = "RpcFailure";
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const invalidRequest = -32_600;
const invalidParams = -32_602;
const internalError = -32_603;
const retentionLedgers = 120_960;
const protocolVersion = 23;
const limits = { keys: 200, ledgers: 200, transactions: 200 };

type Method = (ledger: Ledger, params: Params, friendbotUrl: string) => unknown;

/** The methods of stellar-rpc that need no contracts. */
export const rpcMethods: Readonly<Record<string, Method>> = {
  getHealth: (ledger) => ({
    status: "healthy",
    latestLedger: ledger.newest().sequence,
    oldestLedger: ledger.oldest(),
    ledgerRetentionWindow: retentionLedgers,
  }),
  getNetwork: (_ledger, _params, friendbotUrl) => ({
    friendbotUrl,
    passphrase: networkPassphrase,
    protocolVersion,
  }),
  getVersionInfo: () => ({
    version: "simulated",
    commitHash: "",
    buildTimestamp: "",
    captiveCoreVersion: "simulated",
    protocolVersion,
  }),
  getLatestLedger: (ledger) => {
    const { meta, sequence, closeTime } = ledger.newest();
    const { ledgerHeader } = meta.v2;
    return {
      id: hashOf(ledger.newest()),
      protocolVersion,
      sequence,
      closeTime: String(closeTime),
      headerXdr: ledgerHeader.header.toXdr("base64"),
      metadataXdr: meta.toXdr("base64"),
    };
  },
  getLedgers: (ledger, params) => {
    const { first, limit } = readPage(ledger, params, limits.ledgers);
    const count = Math.min(limit, ledger.newest().sequence - first + 1);
    const ledgers = Array.from({ length: Math.max(0, count) }, (_, at) => ledger.at(first + at));
    return {
      ledgers: ledgers.flatMap((one) => (one === null ? [] : [renderLedger(one)])),
      ...range(ledger),
      cursor: String(first + Math.max(0, count) - 1),
    };
  },
  getTransaction: (ledger, { hash }) => {
    if (typeof hash !== "string" || !/^[0-9a-f]{64}$/.test(hash))
      throw new RpcFailure(invalidParams, "unexpected hash length");
    const found = ledger.find(hash);
    return {
      ...closeTimes(ledger),
      txHash: hash,
      ...(found === null ? { status: "NOT_FOUND" } : renderTransaction(found)),
    };
  },
  getTransactions: (ledger, params) => {
    const { first, limit } = readPage(ledger, params, limits.transactions);
    const transactions: unknown[] = [];
    for (let at = first; at <= ledger.newest().sequence && transactions.length < limit; at += 1) {
      const closed = ledger.at(at);
      if (closed !== null)
        transactions.push(...ledger.transactionsOf(closed).map(renderTransaction));
    }
    return { transactions: transactions.slice(0, limit), ...range(ledger), cursor: "" };
  },
  getLedgerEntries: (ledger, { keys }) => {
    if (!Array.isArray(keys) || keys.length > limits.keys)
      throw new RpcFailure(invalidParams, `key count exceeds maximum supported (${limits.keys})`);
    // stellar-core refuses repeated keys, and stellar-rpc reports that as its own failure (its issue 638).
    if (new Set(keys).size !== keys.length)
      throw new RpcFailure(internalError, "could not query captive core: status code (404)");
    const entries = keys.flatMap((name: unknown) => {
      const key = readXdr((text) => LedgerKey.fromXdr(text, "base64"), name);
      const entry = ledger.entry(key);
      return entry === null
        ? []
        : [
            {
              key: key.toXdr("base64"),
              xdr: entry.data.toXdr("base64"),
              lastModifiedLedgerSeq: entry.lastModifiedLedgerSeq,
            },
          ];
    });
    return { entries, latestLedger: ledger.newest().sequence };
  },
  sendTransaction: (ledger, { transaction }) => {
    const envelope = readXdr((text) => TransactionEnvelope.fromXdr(text, "base64"), transaction);
    const signed = readSigned(envelope, networkId);
    if (signed === null) throw new RpcFailure(invalidParams, "invalid_xdr");
    const submission = ledger.submit(signed);
    const { sequence, closeTime } = ledger.newest();
    return {
      status: submission.status,
      hash: Buffer.from(signed.hash).toString("hex"),
      latestLedger: sequence,
      latestLedgerCloseTime: String(closeTime),
      ...(submission.status === "ERROR"
        ? { errorResultXdr: refusal(submission.result).toXdr("base64") }
        : {}),
    };
  },
  getFeeStats: (ledger) => {
    const fee = Object.fromEntries(
      [
        "max",
        "min",
        "mode",
        "p10",
        "p20",
        "p30",
        "p40",
        "p50",
        "p60",
        "p70",
        "p80",
        "p90",
        "p95",
        "p99",
      ].map((name) => [name, String(baseFee)]),
    );
    const distribution = { ...fee, transactionCount: "1", ledgerCount: 10 };
    return {
      sorobanInclusionFee: distribution,
      inclusionFee: distribution,
      latestLedger: ledger.newest().sequence,
    };
  },
};

function readPage(
  ledger: Ledger,
  { startLedger, pagination }: Params,
  max: number,
): { readonly first: number; readonly limit: number } {
  const page = (pagination ?? {}) as { readonly cursor?: unknown; readonly limit?: unknown };
  const first = page.cursor === undefined ? startLedger : Number(page.cursor) + 1;
  const limit = page.limit ?? 50;
  const newest = ledger.newest().sequence;
  if (typeof limit !== "number" || limit < 1 || limit > max)
    throw new RpcFailure(invalidRequest, `limit must not exceed ${max}`);
  const isCursor = page.cursor !== undefined;
  if (typeof first !== "number" || first < ledger.oldest() || (first > newest && !isCursor))
    throw new RpcFailure(
      invalidRequest,
      `start ledger must be between the oldest ledger: ${ledger.oldest()} and the latest ledger: ${newest} for this rpc instance`,
    );
  return { first, limit };
}

function range(ledger: Ledger) {
  const { sequence, closeTime } = ledger.newest();
  return {
    latestLedger: sequence,
    latestLedgerCloseTime: Number(closeTime),
    oldestLedger: ledger.oldest(),
    oldestLedgerCloseTime: Number(ledger.at(ledger.oldest())?.closeTime ?? 0n),
  };
}

/** As `range`, but `getTransaction` writes times as text. */
function closeTimes(ledger: Ledger) {
  const { latestLedgerCloseTime, oldestLedgerCloseTime, ...ledgers } = range(ledger);
  return {
    ...ledgers,
    latestLedgerCloseTime: String(latestLedgerCloseTime),
    oldestLedgerCloseTime: String(oldestLedgerCloseTime),
  };
}

function hashOf({ meta }: ClosedLedger): string {
  return Buffer.from(meta.v2.ledgerHeader.hash.value).toString("hex");
}

function renderLedger(ledger: ClosedLedger) {
  return {
    hash: hashOf(ledger),
    sequence: ledger.sequence,
    ledgerCloseTime: String(ledger.closeTime),
    headerXdr: ledger.meta.v2.ledgerHeader.toXdr("base64"),
    metadataXdr: ledger.meta.toXdr("base64"),
  };
}

function renderTransaction({ ledger, order, hash, envelope, result, meta }: FoundTransaction) {
  const { type } = result.result;
  const isSuccess = type === "txSuccess" || type === "txFeeBumpInnerSuccess";
  return {
    status: isSuccess ? "SUCCESS" : "FAILED",
    txHash: hash,
    applicationOrder: order,
    feeBump: envelope.type === "envelopeTypeTxFeeBump",
    envelopeXdr: envelope.toXdr("base64"),
    resultXdr: result.toXdr("base64"),
    resultMetaXdr: meta.toXdr("base64"),
    ledger: ledger.sequence,
    createdAt: String(ledger.closeTime),
    events: { transactionEventsXdr: [], contractEventsXdr: [] },
  };
}

function readXdr<Value>(read: (text: string) => Value, value: unknown): Value {
  try {
    return read(String(value));
  } catch {
    throw new RpcFailure(invalidParams, "cannot unmarshal XDR");
  }
}
