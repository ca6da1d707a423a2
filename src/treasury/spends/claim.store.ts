import { type Executor, statement } from "../../platform/db/database.ts";
import { parseSequenceClaim } from "./sequence-allocator.ts";

const insert = statement<{ readonly claim: string }>(
  "spend-claim.insert",
  `insert into spend_claim (chain, claim, spend_id, sender, nonce)
   select $1::text, c.claim, c.spend_id, c.sender, c.nonce
   from unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[]) as c (claim, spend_id, sender, nonce)
   order by c.claim
   on conflict (chain, claim) where is_live do nothing
   returning claim`,
);

/**
 * Takes claims for a spend. Returns those that it got; another live spend holds the rest. Waits for transactions that are about
 * to take one of them.
 */
export function takeClaims(
  tx: Executor,
  { chain, id }: { readonly chain: string; readonly id: string },
  claims: readonly string[],
): Promise<readonly string[]> {
  return takeClaimsOf(
    tx,
    chain,
    claims.map((claim) => ({ spendId: id, claim })),
  );
}

/** The same for several spends of a chain; each claim is named once. */
export async function takeClaimsOf(
  tx: Executor,
  chain: string,
  claims: readonly { readonly spendId: string; readonly claim: string }[],
): Promise<readonly string[]> {
  if (claims.length === 0) return [];
  // Always in the same order, so that two spends cannot deadlock.
  const sorted = claims.toSorted((a, b) => (a.claim < b.claim ? -1 : 1));
  const numbered = sorted.map(({ claim }) => parseSequenceClaim(claim));
  const rows = await tx.query(insert, [
    chain,
    sorted.map(({ claim }) => claim),
    sorted.map(({ spendId }) => spendId),
    numbered.map((claim) => claim?.sender ?? null),
    numbered.map((claim) => claim?.sequence.toString() ?? null),
  ]);
  return rows.map((row) => row.claim);
}

const record = statement<never>(
  "spend-claim.record",
  `insert into spend_claim (chain, claim, spend_id, sender, nonce, is_live)
   select $1::text, c.claim, $2::bigint, c.sender, c.nonce, false
   from unnest($3::text[], $4::text[], $5::bigint[]) as c (claim, sender, nonce)
   where not exists (select from spend_claim own where own.spend_id = $2 and own.claim = c.claim)`,
);

/** Records, not live, those of the claims that another live spend has kept from this one, which is signed all the same. */
export async function recordClaims(
  tx: Executor,
  { chain, id }: { readonly chain: string; readonly id: string },
  claims: readonly string[],
): Promise<void> {
  const numbered = claims.map((claim) => parseSequenceClaim(claim));
  await tx.query(record, [
    chain,
    id,
    claims,
    numbered.map((claim) => claim?.sender ?? null),
    numbered.map((claim) => claim?.sequence.toString() ?? null),
  ]);
}

const remove = statement<never>(
  "spend-claim.remove",
  "delete from spend_claim where spend_id = $1 and claim = any($2::text[]) and is_live",
);

/** Removes claims that the same transaction took. */
export async function removeClaims(
  tx: Executor,
  spendId: string,
  claims: readonly string[],
): Promise<void> {
  await tx.query(remove, [spendId, claims]);
}

const release = statement<never>(
  "spend-claim.release",
  `update spend_claim set is_live = false
   where spend_id = $1 and is_live and claim <> all($2::text[])`,
);

const revive = statement<never>(
  "spend-claim.revive",
  `update spend_claim c set is_live = true
   where c.spend_id = $1 and not c.is_live and c.claim = any($2::text[])
     and not exists (
       select from spend_claim live where live.chain = c.chain and live.claim = c.claim and live.is_live)`,
);

/**
 * Makes exactly these claims of the spend live, among all it ever took. A claim that another spend has taken since stays there:
 * then the chain decides between the two.
 */
export async function setLiveClaims(
  tx: Executor,
  spendId: string,
  claims: readonly string[],
): Promise<void> {
  await tx.query(release, [spendId, claims]);
  await tx.query(revive, [spendId, claims]);
}

const free = statement<never>(
  "spend-claim.free",
  "update spend_claim set is_live = false where chain = $1 and claim = any($2::text[]) and is_live",
);

/** Ends claims that nothing needs any more, of every spend. */
export async function freeClaims(
  tx: Executor,
  chain: string,
  claims: readonly string[],
): Promise<void> {
  await tx.query(free, [chain, claims]);
}

const findOwners = statement<{ readonly claim: string; readonly spend_id: string }>(
  "spend-claim.find-owners",
  "select claim, spend_id from spend_claim where chain = $1 and claim = any($2::text[]) and is_live",
);

/** The live spend that holds each claim; free claims are absent. */
export async function findClaimOwners(
  db: Executor,
  chain: string,
  claims: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query(findOwners, [chain, claims]);
  return new Map(rows.map((row) => [row.claim, row.spend_id]));
}

const findRecorded = statement<{
  readonly txid: string;
  readonly height: string;
  readonly hash: string;
}>(
  "spend-claim.find-recorded-spender",
  `select a.txid, s.block_height as height, s.block_hash as hash
   from (
     select spend_id, claim from spend_claim where chain = $1 and claim = any($2::text[]) and is_live
     union
     select c.spend_id, c.claim from unnest($3::text[], $4::bigint[]) as number (sender, nonce)
     join spend_claim c on c.chain = $1 and c.sender = number.sender and c.nonce = number.nonce) as c
   join spend s on s.id = c.spend_id
   join spend_attempt a on a.spend_id = s.id and a.number = s.mined_attempt
   where s.id <> $5 and a.draft -> 'claims' ? c.claim and (s.has_succeeded or a.draft -> 'claims' ->> 0 = c.claim)
   limit 1`,
);

/**
 * The transaction of another spend of ours that is in a block and used one of the claims; null if none is on record. One that failed used its
 * first claim only.
 */
export async function findRecordedSpender(
  db: Executor,
  chain: string,
  claims: readonly string[],
  spendId: string,
): Promise<{
  readonly by: string;
  readonly block: { readonly height: number; readonly hash: string };
} | null> {
  const numbered = claims.flatMap((claim) => parseSequenceClaim(claim) ?? []);
  const [row] = await db.query(findRecorded, [
    chain,
    claims,
    numbered.map(({ sender }) => sender),
    numbered.map(({ sequence }) => sequence.toString()),
    spendId,
  ]);
  if (row === undefined) return null;
  return { by: row.txid, block: { height: Number(row.height), hash: row.hash } };
}

// The column is named for the chains that had numbers first.
const readSequences = statement<{ readonly sequence: string }>(
  "spend-claim.read-sequences",
  `select nonce as sequence from spend_claim
   where chain = $1 and sender = $2 and nonce >= $3 and is_live and nonce is not null order by nonce`,
);

/** Sequence numbers of an account that live spends claim, starting at `first`. */
export async function readClaimedSequences(
  db: Executor,
  chain: string,
  sender: string,
  first: bigint,
): Promise<readonly bigint[]> {
  const rows = await db.query(readSequences, [chain, sender, first.toString()]);
  return rows.map((row) => BigInt(row.sequence));
}

const readBusy = statement<{ readonly sender: string }>(
  "spend-claim.read-busy-senders",
  `select distinct c.sender from spend_claim c
   join unnest($2::text[], $3::bigint[]) as account (sender, next) on account.sender = c.sender
   where c.chain = $1 and c.is_live and c.nonce >= account.next`,
);

/** Those of the accounts of which live spends claim a number from the next one on. */
export async function readBusySenders(
  db: Executor,
  chain: string,
  accounts: readonly { readonly address: string; readonly next: bigint }[],
): Promise<ReadonlySet<string>> {
  if (accounts.length === 0) return new Set();
  const rows = await db.query(readBusy, [
    chain,
    accounts.map(({ address }) => address),
    accounts.map(({ next }) => next.toString()),
  ]);
  return new Set(rows.map(({ sender }) => sender));
}

const readHighest = statement<{ readonly highest: string | null }>(
  "spend-claim.read-highest-number",
  `select max(nonce) as highest from spend_claim
   where chain = $1 and sender = $2 and nonce is not null`,
);

/** The highest number of an account that any spend ever claimed; null if none did. */
export async function readHighestNumber(
  db: Executor,
  chain: string,
  sender: string,
): Promise<bigint | null> {
  const [row] = await db.query(readHighest, [chain, sender]);
  return row?.highest == null ? null : BigInt(row.highest);
}

const findChildren = statement<{ readonly spend_id: string }>(
  "spend-claim.find-children",
  `select distinct s.id as spend_id from spend s join spend_claim c on c.spend_id = s.id and c.is_live
   where s.state = 'open' and s.chain = any($1::text[])
     and (s.chain, split_part(c.claim, ':', 1)) in (select * from unnest($1::text[], $2::text[]))
   order by s.id`,
);

/** Unconfirmed spends that use an output of one of these transactions. */
export async function findChildSpends(
  tx: Executor,
  transactions: readonly { readonly chain: string; readonly txid: string }[],
): Promise<readonly string[]> {
  if (transactions.length === 0) return [];
  const chains = transactions.map(({ chain }) => chain);
  const txids = transactions.map(({ txid }) => txid);
  return (await tx.query(findChildren, [chains, txids])).map((row) => row.spend_id);
}
