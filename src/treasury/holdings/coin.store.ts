import { type Coin, type UnclaimedCoin, unansweredMax } from "../../chains/paying-port.ts";
import { type Executor, statement } from "../../platform/db/database.ts";
import { assert } from "../../platform/kernel/assert.ts";

/** An output to one of our addresses, as a block contains it. */
export type FoundCoin = {
  readonly outpoint: string;
  readonly units: bigint;
  readonly watchKey: string;
  readonly addressType: string;
  /** BIP-44: 0 deposits, 1 change. */
  readonly branch: 0 | 1;
  readonly keyIndex: number;
  readonly spendableFromHeight: number | null;
};

const enterStatement = statement<never>(
  "coin.enter",
  `insert into coin as known
     (chain, outpoint, units, watch_key, address_type, branch, key_index, spendable_from_height, block_height)
   select $1::text, found.*, $2::bigint
   from unnest($3::text[], $4::numeric[], $5::text[], $6::text[], $7::smallint[], $8::bigint[], $9::bigint[]) as found
   on conflict (chain, outpoint) do update
     set block_height = excluded.block_height, spendable_from_height = excluded.spendable_from_height
     where known.block_height is distinct from excluded.block_height`,
);

/** Stores a block's coins. Idempotent. */
export async function insertCoins(
  tx: Executor,
  chain: string,
  height: number,
  coins: readonly FoundCoin[],
): Promise<void> {
  if (coins.length === 0) return;
  await tx.query(enterStatement, [
    chain,
    height,
    coins.map(({ outpoint }) => outpoint),
    coins.map(({ units }) => units),
    coins.map(({ watchKey }) => watchKey),
    coins.map(({ addressType }) => addressType),
    coins.map(({ branch }) => branch),
    coins.map(({ keyIndex }) => keyIndex),
    coins.map(({ spendableFromHeight }) => spendableFromHeight),
  ]);
}

const orphanStatement = statement<never>(
  "coin.orphan",
  "update coin set block_height = null where chain = $1 and block_height = $2",
);

const unspendBlockStatement = statement<never>(
  "coin.unspend-block",
  "update coin set spent_height = null where chain = $1 and spent_height = $2",
);

/** Reverts the block at this height: its coins are unconfirmed, and coins that it spent are unspent again. */
export async function orphanCoins(tx: Executor, chain: string, height: number): Promise<void> {
  await tx.query(unspendBlockStatement, [chain, height]);
  await tx.query(orphanStatement, [chain, height]);
}

const spendStatement = statement<never>(
  "coin.spend",
  `update coin set spent_height = used.height, is_doubted = false
   from unnest($2::text[], $3::bigint[]) as used (outpoint, height)
   where coin.chain = $1 and (coin.outpoint = used.outpoint or coin.key_image = used.outpoint)`,
);

/** Marks coins, by outpoint or key image, as spent by a block. Outputs that are not ours are ignored. */
export async function spendCoins(
  tx: Executor,
  chain: string,
  used: readonly { readonly outpoint: string; readonly height: number }[],
): Promise<void> {
  if (used.length === 0) return;
  await tx.query(spendStatement, [
    chain,
    used.map(({ outpoint }) => outpoint),
    used.map(({ height }) => height),
  ]);
}

const unspendStatement = statement<never>(
  "coin.unspend",
  `update coin set spent_height = null
   where chain = $1 and (outpoint = any($2::text[]) or key_image = any($2::text[]))`,
);

/** Marks coins as unspent: the transaction that spent them is in no block any more. */
export async function unspendCoins(
  tx: Executor,
  chain: string,
  outpoints: readonly string[],
): Promise<void> {
  if (outpoints.length > 0) await tx.query(unspendStatement, [chain, outpoints]);
}

const doubtStatement = statement<never>(
  "coin.doubt",
  `update coin set is_doubted = true
   where chain = $1 and (outpoint = any($2::text[]) or key_image = any($2::text[])) and spent_height is null`,
);

/** Marks unspent coins as possibly spent by a foreign transaction. */
export async function markCoinsDoubtful(
  tx: Executor,
  chain: string,
  outpoints: readonly string[],
): Promise<void> {
  if (outpoints.length > 0) await tx.query(doubtStatement, [chain, outpoints]);
}

const doubtedStatement = statement<{ outpoint: string }>(
  "coin.doubted",
  `select coalesce(key_image, outpoint) as outpoint from coin
   where chain = $1 and is_doubted and block_height is not null order by outpoint limit $2`,
);

/** The claims of doubtful coins that are in a block; of others no node can tell whether they were spent. */
export async function listDoubtfulCoins(
  db: Executor,
  chain: string,
  limit: number,
): Promise<readonly string[]> {
  return (await db.query(doubtedStatement, [chain, limit])).map(({ outpoint }) => outpoint);
}

const holdNewestStatement = statement<{ readonly height: string }>(
  "coin.hold-newest",
  "select height from chain_cursor where chain = $1 and hash = $2 for share",
);

/**
 * The height of the block if it is the newest one read, and null otherwise. No block is appended or orphaned before the
 * transaction ends.
 */
export async function lockTip(tx: Executor, chain: string, hash: string): Promise<number | null> {
  const [row] = await tx.query(holdNewestStatement, [chain, hash]);
  return row === undefined ? null : Number(row.height);
}

const settleStatement = statement<never>(
  "coin.settle-doubt",
  `update coin set is_doubted = false, spent_height = said.spent_height
   from unnest($2::text[], $3::bigint[]) as said (outpoint, spent_height)
   where coin.chain = $1 and (coin.outpoint = said.outpoint or coin.key_image = said.outpoint)
     and coin.is_doubted and coin.block_height is not null`,
);

/** Records what the chain says about doubtful coins: the height at which each was spent, null for unspent ones. */
export async function resolveDoubtfulCoins(
  tx: Executor,
  chain: string,
  coins: readonly { readonly outpoint: string; readonly spentHeight: number | null }[],
): Promise<void> {
  await tx.query(settleStatement, [
    chain,
    coins.map(({ outpoint }) => outpoint),
    coins.map(({ spentHeight }) => spentHeight),
  ]);
}

type SpendableColumns = Omit<Coin, "claim" | "keyIndex" | "outpoint"> & {
  readonly outpoint: string;
  readonly keyImage: string | null;
  readonly keyIndex: string;
};

/*
 * Read from the largest down. A finished spend's claim stays live, so that no coin is chosen twice even if it was marked as
 * spent late.
 */
const spendableStatement = statement<SpendableColumns>(
  "coin.spendable",
  `select c.outpoint, c.key_image as "keyImage", c.units, c.address_type as "addressType", c.branch, c.key_index as "keyIndex"
   from coin c join chain_cursor cursor on cursor.chain = c.chain
   where c.chain = $1 and c.spent_height is null and c.block_height is not null and not c.is_doubted
     and (c.key_image is not null or not $4::boolean)
     and (c.block_height <= cursor.height - $2::bigint + 1 or c.block_height <= cursor.locked_height)
     and (c.spendable_from_height is null or c.spendable_from_height <= cursor.height + 1)
     and not exists (
       select from spend_claim claimed where claimed.chain = c.chain and claimed.is_live and (claimed.claim = c.outpoint or claimed.claim = c.key_image))
     and not exists (
       select from transfer t
       where t.chain = c.chain and t.txid = split_part(c.outpoint, ':', 1)
         and t.output_index = split_part(c.outpoint, ':', 2)::bigint
         and (t.disposition = 'blocked' or t.risk_status = 2 or t.units = 0))
     and not exists (
       select from deposit_report r
       where r.chain = c.chain and r.txid = split_part(c.outpoint, ':', 1)
         and r.output_index = split_part(c.outpoint, ':', 2)::bigint and r.kind = 'arrived')
   order by c.units desc, c.outpoint limit $3`,
);

/**
 * Coins that a transaction may use, the largest first: `confirmations` deep (the currency's own count) or in a locked block,
 * mature, not spent in a block, not claimed by a live spend, and not from a deposit that screening blocked or has yet to check,
 * or of which all is withheld, since it holds nothing for others.
 * `byKeyImage`: the chain's blocks name what they spend by key images, so coins without a known one are left out.
 */
export async function listSpendableCoins(
  db: Executor,
  chain: string,
  {
    confirmations,
    limit,
    byKeyImage = false,
  }: {
    readonly confirmations: number;
    readonly limit: number;
    readonly byKeyImage?: boolean;
  },
): Promise<readonly Coin[]> {
  assert(confirmations > 0, "a coin with no confirmation is in no block");
  const rows = await db.query(spendableStatement, [chain, confirmations, limit, byKeyImage]);
  return rows.map(({ outpoint, keyImage, keyIndex, ...coin }) => ({
    ...coin,
    claim: keyImage ?? outpoint,
    keyIndex: Number(keyIndex),
    ...(keyImage === null ? {} : { outpoint }),
  }));
}

const amongStatement = statement<{ readonly outpoint: string; readonly units: bigint }>(
  "coin.among",
  `select outpoint, units from coin where chain = $1 and outpoint = any($2::text[])
   union all
   select key_image, units from coin where chain = $1 and key_image = any($2::text[])`,
);

/** The units of those outputs, named by outpoint or key image, that are ours. */
export async function readCoinValues(
  db: Executor,
  chain: string,
  outpoints: readonly string[],
): Promise<ReadonlyMap<string, bigint>> {
  if (outpoints.length === 0) return new Map();
  const rows = await db.query(amongStatement, [chain, outpoints]);
  return new Map(rows.map(({ outpoint, units }) => [outpoint, units]));
}

const unspentStatement = statement<{ readonly outpoint: string }>(
  "coin.unspent",
  `select coalesce(key_image, outpoint) as outpoint from coin where chain = $1 and spent_height is null`,
);

/** What spending each coin claims that no block spends. */
export async function listUnspentOutpoints(
  db: Executor,
  chain: string,
): Promise<ReadonlySet<string>> {
  const rows = await db.query(unspentStatement, [chain]);
  return new Set(rows.map(({ outpoint }) => outpoint));
}

/** A coin in a block whose key image is not known. */
export type IncludedCoin = UnclaimedCoin & { readonly blockHeight: number };

const unclaimedStatement = statement<
  Pick<UnclaimedCoin, "outpoint" | "branch"> & {
    readonly keyIndex: string;
    readonly blockHeight: string;
  }
>(
  "coin.unclaimed",
  `select outpoint, branch, key_index as "keyIndex", block_height as "blockHeight" from coin
   where chain = $1 and key_image is null and spent_height is null and block_height is not null
     and ($3::bigint is null or (block_height, outpoint) > ($3::bigint, $4::text))
   order by block_height, outpoint limit $2`,
);

/** Coins in blocks whose key images are not known, the oldest first; those after `last`, if any. */
export async function listUnclaimedCoins(
  db: Executor,
  chain: string,
  limit: number,
  last: IncludedCoin | null = null,
): Promise<readonly IncludedCoin[]> {
  const after = [last?.blockHeight ?? null, last?.outpoint ?? null];
  const rows = await db.query(unclaimedStatement, [chain, limit, ...after]);
  return rows.map((row) => ({
    ...row,
    keyIndex: Number(row.keyIndex),
    blockHeight: Number(row.blockHeight),
  }));
}

const askedStatement = statement<never>(
  "coin.asked",
  `update coin set key_image_asked = coalesce(key_image_asked, 0) + 1
   where chain = $1 and outpoint = any($2::text[]) and key_image is null and coalesce(key_image_asked, 0) < $3`,
);

/** Counts that the key images of these coins were asked for and not found, up to `unansweredMax`. */
export async function countUnanswered(
  db: Executor,
  chain: string,
  outpoints: readonly string[],
): Promise<void> {
  if (outpoints.length > 0) await db.query(askedStatement, [chain, outpoints, unansweredMax]);
}

const unansweredStatement = statement<{ readonly waits: boolean }>(
  "coin.waits-for-key-image",
  `select exists (
     select from coin
     where chain = $1 and key_image is null and spent_height is null and block_height is not null
       and coalesce(key_image_asked, 0) < $2) as waits`,
);

/** Whether the key image of a coin in a block is neither known nor was asked for `unansweredMax` times. */
export async function waitsForKeyImages(db: Executor, chain: string): Promise<boolean> {
  const [row] = await db.query(unansweredStatement, [chain, unansweredMax]);
  return row?.waits === true;
}

const claimStatement = statement<never>(
  "coin.claim",
  `update coin set key_image = found.key_image, is_doubted = true
   from unnest($2::text[], $3::text[]) as found (outpoint, key_image)
   where coin.chain = $1 and coin.outpoint = found.outpoint and coin.key_image is null
     and not exists (select from coin other where other.chain = $1 and other.key_image = found.key_image)`,
);

/**
 * Stores key images by outpoint. The coins are doubtful until `resolveDoubtfulCoins`: blocks that were read before may have spent them. An
 * output with the key image of another one, which can never be spent beside it, stays without.
 */
export async function storeKeyImages(
  tx: Executor,
  chain: string,
  keyImages: ReadonlyMap<string, string>,
): Promise<void> {
  await tx.query(claimStatement, [chain, [...keyImages.keys()], [...keyImages.values()]]);
}
