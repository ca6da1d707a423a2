import {
  ExtensionPoint,
  GeneralizedTransactionSet,
  Hash,
  LedgerCloseMeta,
  LedgerCloseMetaExt,
  LedgerCloseMetaV2,
  LedgerHeader,
  LedgerHeaderHistoryEntry,
  LedgerHeaderHistoryEntryExt,
  TransactionEnvelope,
  TransactionMeta,
  TransactionPhase,
  TransactionResult,
  TransactionResultMetaV1,
  TransactionResultPair,
  TransactionSetV1,
  TxSetComponent,
  TxSetComponentTxsMaybeDiscountedFee,
} from "@stellar/stellar-sdk/xdr";
import { WrongNetwork } from "../port.ts";
import { type Fields, Malformed, readFields, readList, readText } from "../rpc/answer.ts";
import type { HttpNodes, NodeLink } from "../rpc/http-nodes.ts";
import { NodeFault } from "../rpc/node-error.ts";
import { readHeight, readXdr } from "./answer.ts";
import { type ExecutedLedger, readLedger } from "./executed-ledger.ts";
import type { StellarNetwork } from "./network.ts";

/** Closed ledgers that nodes no longer keep, by number; null if no server has it. Rejects with `Unavailable` if none answers. */
export type StellarHistory = (height: number) => Promise<ExecutedLedger | null>;

/** Horizon's longest page. */
const pageMax = 200;

/**
 * Reads ledgers from Horizon servers. The results of all transactions must match the ledger's hash, as for a node; the metadata is
 * trusted, and servers that have none (`SKIP_TXMETA`) are not used.
 */
export function createStellarHistory(servers: HttpNodes, networkId: Uint8Array): StellarHistory {
  const { signal } = new AbortController();
  return (height) =>
    servers.run(async (link) => {
      try {
        return await ledgerOf(link, height, networkId);
      } catch (fault) {
        if (!(fault instanceof Malformed)) throw fault;
        throw new NodeFault("garbage", `ledger ${height}: answered ${fault.message}`, fault);
      }
    }, signal);
}

/**
 * Which ledgers the server in use has. Its newest one is read, which proves that it has the metadata of transactions. Rejects with
 * `Unavailable` if it does not.
 */
export async function readHistoryRange(
  servers: HttpNodes,
  networkId: Uint8Array,
  signal: AbortSignal,
): Promise<{ readonly oldest: number; readonly newest: number }> {
  const range = await servers.run(async (link) => {
    const { document } = await link.send({ method: "GET", path: "/", body: null });
    const { history_elder_ledger, history_latest_ledger } = readFields(document);
    return { oldest: readHeight(history_elder_ledger), newest: readHeight(history_latest_ledger) };
  }, signal);
  await createStellarHistory(servers, networkId)(range.newest);
  return range;
}

/** For `HttpNodesOptions.verify`: the server is on that network. */
export function verifyHorizon({ passphrase }: StellarNetwork): (link: NodeLink) => Promise<void> {
  return async (link) => {
    const { document } = await link.send({ method: "GET", path: "/", body: null });
    const reported = String((document as Fields | null)?.["network_passphrase"]);
    if (reported !== passphrase)
      throw new WrongNetwork(
        `the history's network is "${reported}", configured is "${passphrase}"`,
      );
  };
}

async function ledgerOf(
  link: NodeLink,
  height: number,
  networkId: Uint8Array,
): Promise<ExecutedLedger | null> {
  const stated = await get(link, `/ledgers/${height}`);
  if (stated === null) return null;
  const header = readXdr((text) => LedgerHeader.fromXdr(text, "base64"), stated["header_xdr"]);
  const transactions: Fields[] = [];
  for (let cursor = ""; ; ) {
    const path = `/ledgers/${height}/transactions?include_failed=true&order=asc&limit=${pageMax}`;
    const page = await get(link, cursor === "" ? path : `${path}&cursor=${cursor}`);
    const records = readList(readFields(readFields(page)["_embedded"])["records"]).map(readFields);
    transactions.push(...records);
    if (records.length < pageMax) break;
    cursor = encodeURIComponent(readText(records.at(-1)?.["paging_token"]));
  }
  const ledger = readLedger(closeMetaOf(stated, header, transactions), networkId);
  if (ledger.header.height !== height) throw new Malformed("another ledger");
  const without = ledger.transactions.find(
    ({ executed, hasSucceeded, operations }) =>
      hasSucceeded && executed.length !== operations.length,
  );
  // Read as it is, such a ledger would contain no payments.
  if (without !== undefined)
    throw new NodeFault("denied", `ledger ${height}: has no metadata (SKIP_TXMETA)`);
  return ledger;
}

/** Null where the server has nothing. */
async function get(link: NodeLink, path: string): Promise<Fields | null> {
  const { document, status } = await link.send({ method: "GET", path, body: null });
  if (status === 404 || status === 410) return null;
  if (status !== 200) throw new NodeFault("garbage", `answered HTTP ${status}`);
  return readFields(document);
}

/** The ledger in the form in which nodes publish it. */
function closeMetaOf(
  { hash }: Fields,
  header: LedgerHeader,
  transactions: readonly Fields[],
): LedgerCloseMeta {
  const txs = transactions.map(({ envelope_xdr }) =>
    readXdr((text) => TransactionEnvelope.fromXdr(text, "base64"), envelope_xdr),
  );
  const component = TxSetComponent.txsetCompTxsMaybeDiscountedFee(
    new TxSetComponentTxsMaybeDiscountedFee({ baseFee: null, txs }),
  );
  return LedgerCloseMeta.v2(
    new LedgerCloseMetaV2({
      ext: LedgerCloseMetaExt.v0(),
      ledgerHeader: new LedgerHeaderHistoryEntry({
        hash: hashIn(hash),
        header,
        ext: LedgerHeaderHistoryEntryExt.v0(),
      }),
      txSet: GeneralizedTransactionSet.v1TxSet(
        new TransactionSetV1({
          previousLedgerHash: header.previousLedgerHash,
          phases: [TransactionPhase.v0Components([component])],
        }),
      ),
      txProcessing: transactions.map(executedOf),
      upgradesProcessing: [],
      scpInfo: [],
      totalByteSizeOfLiveSorobanState: 0n,
      evictedKeys: [],
    }),
  );
}

function executedOf({ hash, result_xdr, result_meta_xdr }: Fields): TransactionResultMetaV1 {
  if (typeof result_meta_xdr !== "string" || result_meta_xdr === "")
    throw new NodeFault("denied", "has no metadata (SKIP_TXMETA)");
  return new TransactionResultMetaV1({
    ext: ExtensionPoint.v0(),
    result: new TransactionResultPair({
      transactionHash: hashIn(hash),
      result: readXdr((text) => TransactionResult.fromXdr(text, "base64"), result_xdr),
    }),
    feeProcessing: [],
    txApplyProcessing: readXdr((text) => TransactionMeta.fromXdr(text, "base64"), result_meta_xdr),
    postTxApplyFeeProcessing: [],
  });
}

function hashIn(value: unknown): Hash {
  const text = readText(value);
  if (!/^[0-9a-f]{64}$/.test(text)) throw new Malformed("no hash");
  return new Hash(Buffer.from(text, "hex"));
}
