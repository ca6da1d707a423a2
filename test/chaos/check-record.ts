import type { Evidence, Finding } from "./finding.ts";
import { placeColumn } from "./place.ts";

const place = placeColumn("deposit");

/** Compares the blocks read with the nodes, and the addresses issued with the clients. */
export async function checkRecord(evidence: Evidence): Promise<readonly Finding[]> {
  return [await chainRecord(evidence), await addresses(evidence), await acknowledged(evidence)];
}

/** One range from the first block to the tip, with the blocks of the node's best chain. */
async function chainRecord({ sql, chains }: Evidence): Promise<Finding> {
  const faults: string[] = [];
  let checked = 0;
  for (const { actor, reader } of chains) {
    const { chain, best } = actor;
    const { firstHeight } = reader;
    const ranges = await sql<{ range: string }>(
      "select from_height || '..' || to_height as range from scanned_range where chain = $1 order by from_height",
      [chain],
    );
    const [range, ...others] = ranges.map((row) => row.range);
    // A node that lost blocks may be below what was once read.
    const to = Number(range?.split("..")[1] ?? -1);
    if (others.length > 0 || !(range ?? "").startsWith(`${firstHeight}..`) || to < best.height) {
      faults.push(
        `${chain}: scanned ${ranges.map((row) => row.range).join()} of ${firstHeight}..${best.height}`,
      );
    }
    const [cursor] = await sql<{ height: string; hash: string | null }>(
      "select height, hash from chain_cursor where chain = $1",
      [chain],
    );
    if (Number(cursor?.height) !== best.height || cursor?.hash !== best.blocks.at(-1)?.hash) {
      faults.push(`${chain}: read up to ${cursor?.height} ${cursor?.hash}, tip ${best.height}`);
    }
    const held = await sql<{ height: string; hash: string }>(
      "select height, hash from chain_block where chain = $1 and orphaned_at is null",
      [chain],
    );
    checked += held.length;
    for (const { height, hash } of held) {
      if (best.blocks[Number(height) - firstHeight]?.hash !== hash) {
        faults.push(`${chain}: block ${height} is ${hash} here`);
      }
    }
  }
  return { invariant: "every block of the node's best chain was read", checked, faults };
}

async function addresses({ sql }: Evidence): Promise<Finding> {
  const [count] = await sql<{ issued: string }>(
    "select count(*) as issued from address where deposit_id is not null",
  );
  const rows = await sql<{ fault: string }>(
    `select ${place} || ' was given to ' || count(*) || ' deposits' as fault from deposit where address is not null
     group by chain, ${place} having count(*) > 1
     union all
     select 'deposit ' || d.id || ' has ' || d.address || ', issued to it: ' || coalesce(string_agg(a.address, ','), 'none')
     from deposit d left join address a on a.deposit_id = d.id where d.address is not null
     group by d.id, d.address having count(a.address) <> 1 or min(coalesce(a.spellings ->> d.address_type, a.address)) <> d.address
     union all
     select address || ' is there ' || count(*) || ' times' from address group by keyspace, address, tag having count(*) > 1
     union all
     select a.address || ' was issued to deposit ' || a.deposit_id || ', which is not there'
     from address a left join deposit d on d.id = a.deposit_id where a.deposit_id is not null and d.id is null`,
  );
  return {
    invariant: "each address belongs to one deposit",
    checked: Number(count?.issued),
    faults: rows.map(({ fault }) => fault),
  };
}

/** Every deposit that a client knows exists as reported, and none was created twice for one request. */
async function acknowledged({ sql, deposits }: Evidence): Promise<Finding> {
  const rows = await sql<{ id: string; address: string; tracking_id: string }>(
    `select id, ${place} as address, tracking_id from deposit`,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const faults = deposits
    .filter(({ id, address, trackingId }) => {
      const row = byId.get(id);
      const hasAddress = address === null || row?.address === address;
      return row?.tracking_id !== trackingId || !hasAddress;
    })
    .map(
      ({ id, address }) =>
        `deposit ${id} at ${address ?? "no address"} was acknowledged but does not exist`,
    );
  for (const [trackingId, same] of Map.groupBy(rows, (row) => row.tracking_id))
    if (same.length > 1) faults.push(`${trackingId} was created ${same.length} times`);
  return {
    invariant: "every acknowledged deposit exists once",
    checked: deposits.length,
    faults,
  };
}
