import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRegistry } from "../../src/currencies/registry.ts";
import { insertPostings } from "../../src/ledger/ledger.store.ts";
import { systemAccount } from "../../src/ledger/ledger-account.ts";
import { createReconciliation } from "../../src/main/build/reconcile-chains.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import { silentLogger } from "../../src/platform/kernel/logger.ts";
import { formatTimestamp } from "../../src/platform/kernel/timestamp.ts";
import { useDatabase } from "../support/database.ts";
import { delegateToolsOn, keyAt } from "../support/delegated.ts";
import { manualClock } from "../support/manual-clock.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  eth,
  type PrivateEvm,
  signal,
  startPrivateEvm,
} from "../support/private-evm.ts";

/* One wei reaches the hot account of a real EVM without a transaction. */

const database = useDatabase();
const { db, sql } = database;
const clock = manualClock();
const hot = keyAt(1, 0).address;
const ether = 10n ** 18n;

let evm: PrivateEvm;
let connection: AdapterUnderTest;
let reconcile: (stop: AbortSignal) => Promise<void>;

beforeAll(async () => {
  evm = await startPrivateEvm();
  connection = connectEvm({ url: evm.anvil.url, currencies: evm.currencies });
  const { adapter } = connection;
  const chain = { adapter, close: () => Promise.resolve(), startHeight: null, isIdle: false };
  reconcile = createReconciliation({
    db,
    clock,
    logger: silentLogger,
    currencies: createRegistry(evm.currencies),
    chains: [{ ...chain, balances: "queries" }],
  });
});
afterAll(async () => {
  await connection.close();
  await evm.stop();
});

/** Sets what the hot account holds, and compares at a new block that is booked. */
async function holds(units: bigint): Promise<void> {
  const { adapter } = connection;
  await delegateToolsOn(evm).setBalance(hot, units);
  await evm.mine();
  const { height, hash, time } = await adapter.reader.tip(signal);
  await sql(
    `insert into chain_cursor (chain, network, height, hash, caught_up_at, updated_at, block_time)
     values ($1, 'regtest', $2, $3, $4::timestamptz, $4::timestamptz, $5)
     on conflict (chain) do update set height = excluded.height, hash = excluded.hash`,
    [adapter.chain, height, hash, formatTimestamp(clock.now()), formatTimestamp(time)],
  );
  clock.advance(61);
  await reconcile(signal);
}

const compared = () =>
  sql(
    "select ledger_units as ledger, chain_units as held, differs_since as since from reconciliation where currency = $1",
    [eth],
  );

describe("coin that reaches the hot account without a transaction", () => {
  it("is booked as the operator's gain and stops no payouts", async () => {
    const { adapter } = connection;
    const account = present(adapter.addressing.treasury, "our accounts").hot;
    await sql(
      `insert into treasury_address (keyspace, watch_key, address, address_type, purpose, key_index, created_at)
       values ($1, $2, $3, '', 'hot', 0, $4)`,
      [
        ...[adapter.keyspace, adapter.addressing.watchKey(account)],
        ...[account.address, formatTimestamp(clock.now())],
      ],
    );
    const [debit, credit] = [systemAccount("chain", eth), systemAccount("equity", eth)];
    const postings = [{ debit, credit, currency: eth, units: ether }];
    await db.transaction((tx) =>
      insertPostings(tx, [{ accountId: "0", cause: "test", postings }], clock.now()),
    );
    await holds(ether);
    expect(await compared()).toEqual([{ ledger: ether, held: ether, since: null }]);
    await holds(ether + 1n);
    await holds(ether + 1n);
    expect(await compared()).toEqual([{ ledger: ether + 1n, held: ether + 1n, since: null }]);
    expect(await sql("select scope from payout_stop")).toEqual([]);
    await holds(ether + 1n);
    expect(await compared()).toEqual([{ ledger: ether + 1n, held: ether + 1n, since: null }]);
  });
});
