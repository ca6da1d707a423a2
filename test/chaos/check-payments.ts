import { assetOf } from "./assets.ts";
import { type Output, spelling, type TruthBlock } from "./best-chain.ts";
import type { CheckedChain, Evidence, Finding } from "./finding.ts";
import { debitsOfOurs } from "./own-money.ts";
import { placeColumn } from "./place.ts";

type TransferRow = {
  readonly id: string;
  readonly chain: string;
  readonly txid: string;
  readonly output_index: string;
  readonly currency: string | null;
  readonly units: bigint;
  readonly block_height: string | null;
  readonly block_hash: string | null;
  readonly status: number;
  readonly disposition: string;
  readonly is_settled: boolean;
  readonly deposit_id: string;
  readonly wallet_type: number;
  readonly deposit_status: number;
  readonly target_units: bigint;
};

type DepositAddress = { readonly id: string; readonly chain: string; readonly address: string };

const merchant = 1;
const confirmed = 2;
const unresolved = 5;

/**
 * Compares transfers with the best chains, output by output, both ways: whatever the chain delivered to an issued address is
 * there once, credited at the currency's confirmation count, and nothing is credited that the chain does not contain.
 */
export async function checkPayments(evidence: Evidence): Promise<readonly Finding[]> {
  const transfers = await evidence.sql<TransferRow>(
    `select t.id, t.chain, t.txid, t.output_index, t.currency, t.units, t.block_height, t.block_hash, t.status,
       t.disposition, t.is_settled, t.deposit_id, t.target_units, d.wallet_type, d.status as deposit_status
     from transfer t join deposit d on d.id = t.deposit_id order by t.id`,
  );
  const addresses = await evidence.sql<DepositAddress>(
    `select id, chain, ${placeColumn("deposit")} as address from deposit where address is not null`,
  );
  const ours = new Set((await debitsOfOurs(evidence)).map(({ txid }) => txid));
  const perChain = evidence.chains.map((chain) =>
    holdAgainstChain(
      chain,
      ours,
      addresses.filter((row) => row.chain === chain.actor.chain),
      transfers.filter((row) => row.chain === chain.actor.chain),
    ),
  );
  return [
    {
      invariant: "every payment of the best chain is credited exactly once",
      checked: perChain.reduce((sum, { outputs }) => sum + outputs, 0),
      faults: perChain.flatMap(({ missing }) => missing),
    },
    {
      invariant: "nothing is credited that the best chain does not contain",
      checked: transfers.length,
      faults: perChain.flatMap(({ invented }) => invented),
    },
    arrived(evidence),
  ];
}

/** Checks the run itself: its payments did get into the chain, so the other checks are meaningful. */
function arrived({ chains }: Evidence): Finding {
  const faults = chains.flatMap(({ actor }) =>
    actor
      .unconfirmed(1)
      .map(({ depositId, alpha, txids }) => `deposit ${depositId}: ${alpha} in ${txids.join()}`),
  );
  const checked = chains.reduce((sum, { actor }) => sum + actor.intents.length, 0);
  return { invariant: "everything that payers sent is in the best chain", checked, faults };
}

function holdAgainstChain(
  { actor, reader }: CheckedChain,
  ours: ReadonlySet<string>,
  addresses: readonly DepositAddress[],
  transfers: readonly TransferRow[],
): { readonly outputs: number; readonly missing: string[]; readonly invented: string[] } {
  const depositOf = new Map(addresses.map(({ address, id }) => [spelling(address), id]));
  const expectedOutputs = new Map<
    string,
    { readonly block: TruthBlock; readonly output: Output }[]
  >();
  for (const block of actor.best.blocks) {
    for (const output of block.outputs) {
      // Coin with which the service pays for a sweep.
      if (ours.has(output.txid)) continue;
      const depositId = depositOf.get(spelling(output.address));
      if (depositId === undefined) continue;
      const key = [output.txid, output.vout ?? "", output.currency, output.units, depositId].join();
      expectedOutputs.set(key, [...(expectedOutputs.get(key) ?? []), { block, output }]);
    }
  }
  const held = Map.groupBy(
    transfers.filter(({ block_hash }) => block_hash !== null),
    (row) => {
      const vout = reader.numbersOutputs ? row.output_index : "";
      return [row.txid, vout, row.currency, row.units, row.deposit_id].join();
    },
  );
  const missing: string[] = [];
  for (const [key, places] of expectedOutputs) {
    const rows = held.get(key) ?? [];
    if (rows.length !== places.length) {
      missing.push(`${actor.chain} ${key}: ${places.length} on chain, ${rows.length} transfers`);
      continue;
    }
    rows.forEach((row, index) => {
      missing.push(...faultsOf(row, places[index]!.block, actor.best.height));
    });
  }
  const invented = transfers
    // What shows that an address was activated: our own coin, which is credited to nobody.
    .filter((row) => !(ours.has(row.txid) && row.disposition === "none"))
    .filter((row) => row.block_hash !== null || row.disposition === "credited" || row.is_settled)
    .filter((row) => {
      const vout = reader.numbersOutputs ? row.output_index : "";
      return !expectedOutputs.has([row.txid, vout, row.currency, row.units, row.deposit_id].join());
    })
    .map((row) => `${actor.chain} transfer ${row.id} of ${row.txid}: ${row.disposition}`);
  return { outputs: expectedOutputs.size, missing, invented };
}

function faultsOf(row: TransferRow, block: TruthBlock, tip: number): string[] {
  const name = `transfer ${row.id} of ${row.txid}`;
  if (row.block_hash !== block.hash || Number(row.block_height) !== block.height) {
    return [`${name} is in ${row.block_hash} instead of ${block.hash}`];
  }
  if (tip - block.height + 1 < assetOf(row.currency ?? "").confirmations) return [];
  const isHeld =
    row.wallet_type === merchant &&
    row.disposition === "unresolved" &&
    row.deposit_status === unresolved;
  // A part of an invoice that waits, confirmed, for the rest.
  const isPart = row.wallet_type === merchant && row.disposition === "pending";
  const isRight =
    row.is_settled &&
    row.status === confirmed &&
    row.target_units > 0n &&
    (row.disposition === "credited" || row.disposition === "refunded" || isHeld || isPart);
  return isRight
    ? []
    : [`${name}: ${row.disposition}, status ${row.status}, settled ${row.is_settled}`];
}
