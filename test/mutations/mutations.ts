/** A safety rule that is taken out of the code, and the tests that have to notice. */
export type Mutation = {
  readonly name: string;
  readonly file: string;
  /** Text that the file contains exactly once. */
  readonly before: string;
  readonly after: string;
  readonly fast: NoticingTest;
  readonly history: NoticingTest;
};

/** A test file, and a part of the names of the tests in it; absent: all of them. */
export type NoticingTest = { readonly file: string; readonly named?: string };

const payoutHistories = { file: "test/simulation/payouts.test.ts" };
const valueHistories = { file: "test/simulation/value/value.test.ts" };
const wovenDeposits = { file: "test/simulation/weave/deposits.test.ts" };
const wovenPayouts = { file: "test/simulation/weave/payouts.test.ts" };
export const mutations: readonly Mutation[] = [
  {
    name: "skip the claim",
    file: "src/treasury/spends/claim.store.ts",
    before: "if (claims.length === 0) return [];",
    after: "if (claims.length >= 0) return claims.map(({ claim }) => claim);",
    fast: { file: "src/treasury/spends/create-spend.test.ts" },
    history: payoutHistories,
  },
  {
    name: "credit again after a reorg",
    file: "src/deposits/payments/transfer-changes.ts",
    before: "confirmedAt: staysConfirmed ? transfer.confirmedAt : null,\n    isSettled: false,",
    after:
      "confirmedAt: staysConfirmed ? transfer.confirmedAt : null,\n    isSettled: transfer.isSettled,",
    fast: { file: "src/deposits/payments/decide-deposit.test.ts" },
    history: { file: "src/deposits/payments/decide-deposit-random.test.ts" },
  },
  {
    name: "do not release on failure",
    file: "src/payouts/positions.ts",
    before: "return isReverted(payout) ? burntFee(payout) : [];",
    after:
      "return isReverted(payout) ? burntFee(payout) : [...fromWallets(payout), ...intoHold(payout)];",
    fast: { file: "src/payouts/positions.test.ts" },
    history: payoutHistories,
  },
  {
    name: "sign without the journal",
    file: "src/signer/journal/spend-journal.ts",
    before: "await lines.append(JSON.stringify(numbered))",
    after: "{ offset: 0, length: 0 }",
    fast: { file: "src/signer/journal/spend-journal.test.ts" },
    history: payoutHistories,
  },
  {
    name: "deliver before commit",
    file: "src/platform/db/connect.ts",
    before: 'await client.query("begin");',
    after: 'await client.query("select");',
    fast: { file: "src/platform/db/connect.test.ts", named: "rolls back a transaction" },
    history: { file: "test/simulation/deposit-actions-crash.test.ts" },
  },
  {
    name: "ignore the lease's fence",
    file: "src/chains/follow/follower.store.ts",
    before:
      "where chain = $1::text and fence = $2::bigint and lease_holder is not null\n       and height = $3::bigint - 1",
    after:
      "where chain = $1::text and $2::bigint is not null and lease_holder is not null\n       and height = $3::bigint - 1",
    fast: { file: "src/chains/follow/follower-session.test.ts" },
    history: { file: "test/simulation/follower-random.test.ts" },
  },
  {
    name: "accept an expired window as dead",
    file: "src/treasury/spends/expire-spends.ts",
    before:
      "return await findBlockAfter(db, chain, validities, tipHeight - spend.confirmations + 1);",
    after: "return await findBlockAfter(db, chain, [], tipHeight - spend.confirmations + 1);",
    fast: { file: "src/treasury/spends/expire-spends.test.ts" },
    history: payoutHistories,
  },
  {
    name: "charge at the bid",
    file: "src/payouts/create/create-payout.ts",
    before: "return found?.ask ?? null;",
    after: "return found?.bid ?? null;",
    fast: { file: "src/http/deposits/conversion.test.ts", named: "charges the ask" },
    history: valueHistories,
  },
  {
    name: "do not sync the journal",
    file: "src/signer/journal/sealed-lines.ts",
    before: "await file.datasync();",
    after: "",
    fast: { file: "src/signer/journal/power-loss.test.ts", named: "is on the disk before" },
    history: payoutHistories,
  },
  {
    name: "mature at the client's count",
    file: "src/deposits/payments/decide-transfer.ts",
    before: "laterHeight(heightOf(transfer, ownCount), transfer.spendableFromHeight)",
    after: "laterHeight(heightOf(transfer, clientCount), transfer.spendableFromHeight)",
    fast: { file: "src/deposits/payments/decide-transfer.test.ts" },
    history: { file: "src/deposits/payments/decide-deposit-random.test.ts" },
  },
  {
    name: "adopt nothing that was signed",
    file: "src/treasury/spends/adopt-signed.ts",
    before: "if (!known.has(signed.txid)) {",
    after: "if (known.size < 0) {",
    fast: { file: "src/payouts/send/adopt-late.test.ts" },
    history: payoutHistories,
  },
  {
    name: "cancel what the signer has seen",
    file: "src/treasury/spends/spend-transitions.ts",
    before: 'if (spend.attempts.some(({ state }) => state !== "drafted")) return spend;',
    after: "if (spend.attempts.some(({ raw }) => raw !== null)) return spend;",
    fast: { file: "src/treasury/spends/create-spend.test.ts", named: "withdraws" },
    history: payoutHistories,
  },
  {
    name: "do not lock the deposit",
    file: "src/deposits/payments/incoming.store.ts",
    before: "order by d.id for update`,",
    after: "order by d.id`,",
    fast: { file: "test/simulation/weave/deposit-races.test.ts" },
    history: wovenDeposits,
  },
  {
    name: "ask for lost payments before deferred reports are decided",
    file: "src/deposits/payments/block-sink.ts",
    before: "const isComplete = !(await hasWaitingReports(tx, chain));",
    after: "const isComplete = true || (await hasWaitingReports(tx, chain));",
    fast: { file: "test/simulation/weave/deposit-races.test.ts" },
    history: wovenDeposits,
  },
  {
    name: "do not lock the payout",
    file: "src/payouts/payout.store.ts",
    before: "order by p.id for update of p`,",
    after: "order by p.id`,",
    fast: { file: "test/simulation/weave/payout-races.test.ts" },
    history: wovenPayouts,
  },
];
