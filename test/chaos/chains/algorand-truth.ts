import { present } from "../../../src/platform/kernel/assert.ts";
import type { AlgorandSite } from "../../../src/sandbox/sandbox-file.ts";
import { queryAlgod } from "../../support/query-algod.ts";
import { type Debit, itself, type Output } from "../best-chain.ts";
import { algodClient } from "./algorand.ts";
import type { OpenTruth } from "./chaos-chain.ts";

/** Ids of currencies; tokens by asset. */
type Listed = { readonly coin: string; readonly tokens: ReadonlyMap<string, string> };

/** The members of the transactions of this run: payments, transfers of assets, opt-ins. */
type Executed = {
  readonly txn: {
    readonly type: string;
    readonly snd: string;
    readonly fee?: number;
    readonly rcv?: string;
    readonly amt?: number;
    readonly xaid?: number;
    readonly arcv?: string;
    readonly aamt?: number;
  };
};
type Printed = { readonly prev?: string; readonly txns?: readonly Executed[] };

/** The blocks in JSON, with the ids and hashes that the node states. */
export function algorandTruth(site: AlgorandSite, listed: Listed): OpenTruth {
  const client = algodClient(site);
  const hashAt = async (height: number): Promise<string | null> => {
    const path = `/v2/blocks/${height}/hash`;
    return (await queryAlgod<{ readonly blockHash: string }>(site, path))?.blockHash ?? null;
  };
  return {
    firstHeight: 1,
    holderOf: itself,
    numbersOutputs: false,
    mayContradictItself: false,
    tipHeight: async () => {
      const status = await queryAlgod<{ readonly "last-round": number }>(site, "/v2/status");
      return present(status, "the node's status")["last-round"];
    },
    hashAt,
    blockAt: async (height) => {
      const answer = await queryAlgod<{ readonly block: Printed }>(site, `/v2/blocks/${height}`);
      const { prev = "", txns = [] } = present(answer, `block ${height}`).block;
      const known = await queryAlgod<{ readonly blockTxids: readonly string[] }>(
        site,
        `/v2/blocks/${height}/txids`,
      );
      const ids = present(known, `the ids of block ${height}`).blockTxids;
      const executed = txns.map(({ txn }, place) => ({ txid: ids[place] ?? "", txn }));
      const outputs = executed.flatMap(({ txid, txn }) => outputsOf(txid, txn, listed));
      return {
        height,
        hash: present(await hashAt(height), `the hash of block ${height}`),
        parentHash: prev.replace(/^blk-/, ""),
        outputs,
        debits: executed.flatMap(({ txid, txn }) => debitsOf(txid, txn, listed)),
        burnt: new Map(executed.map(({ txid, txn }) => [txid, BigInt(txn.fee ?? 0)])),
      };
    },
    waiting: async () => {
      const { topTransactions } = await client.pendingTransactionsInformation().do();
      return new Set(topTransactions.map(({ txn }) => txn.txID()));
    },
    holdings: async (addresses, currency) => {
      const asset = [...listed.tokens].find(([, id]) => id === currency)?.[0];
      let total = 0n;
      for (const address of addresses) total += await heldBy(site, address, asset);
      return total;
    },
    close: () => Promise.resolve(),
  };
}

async function heldBy(
  site: AlgorandSite,
  address: string,
  asset: string | undefined,
): Promise<bigint> {
  const path = `/v2/accounts/${address}`;
  if (asset === undefined) {
    const account = await queryAlgod<{ readonly amount: number }>(site, `${path}?exclude=all`);
    return BigInt(account?.amount ?? 0);
  }
  const held = await queryAlgod<{ readonly "asset-holding": { readonly amount: number } }>(
    site,
    `${path}/assets/${asset}`,
  );
  return BigInt(held?.["asset-holding"].amount ?? 0);
}

function outputsOf(txid: string, txn: Executed["txn"], listed: Listed): readonly Output[] {
  const moved = movedBy(txn, listed);
  return moved === null ? [] : [{ txid, vout: null, ...moved }];
}

/** What its sender lost, with the fee. */
function debitsOf(txid: string, txn: Executed["txn"], listed: Listed): readonly Debit[] {
  const moved = movedBy(txn, listed);
  const fee = { currency: listed.coin, units: BigInt(txn.fee ?? 0) };
  const taken = moved === null ? [fee] : [fee, moved];
  return taken.map(({ currency, units }) => ({ txid, address: txn.snd, currency, units }));
}

/** Null where nothing was, as in an opt-in. */
function movedBy(
  { aamt = 0, amt = 0, arcv, rcv, type, xaid }: Executed["txn"],
  { coin, tokens }: Listed,
): Pick<Output, "address" | "currency" | "units"> | null {
  if (type === "pay" && amt > 0)
    return { address: present(rcv, "a receiver"), currency: coin, units: BigInt(amt) };
  const currency = tokens.get(String(xaid));
  if (type !== "axfer" || aamt === 0 || currency === undefined) return null;
  return { address: present(arcv, "a receiver"), currency, units: BigInt(aamt) };
}
