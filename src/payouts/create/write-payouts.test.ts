import { describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  testCurrencies,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fund, payoutSeal, payoutWorld, postPayout } from "../../../test/support/payout-world.ts";
import { systemAccount, walletAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { admission } from "../../platform/db/admission.ts";
import type { Database } from "../../platform/db/database.ts";
import { Rejected, rejection } from "../../platform/kernel/rejection.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { approvalMessage } from "../../signer/intent.ts";
import type { NewPayout, WriteOutcome } from "./new-payout.ts";
import { createPayoutWriter } from "./write-payouts.ts";

const database = useDatabase();
const world = depositWorld(database);

/** After a database restart, which a worker admits as the newest copy between two statements of a creation. */
const admittedMeanwhile: Database = {
  ...database.db,
  transaction: (work) =>
    database.db.transaction((tx) =>
      work({
        query: async (statement, values) => {
          if (statement.name === "admission.read")
            await database.sql(`update database_mark set ${admission}`);
          return await tx.query(statement, values);
        },
      }),
    ),
};

type Write = (payout: NewPayout) => Promise<WriteOutcome>;

/** Passes on three payouts in one turn of the event loop, so that they share a batch, in the order of their `place`; first runs `before`. */
function threeTogether(
  write: Write,
  place: (payout: NewPayout) => number,
  before: () => Promise<void>,
): Write {
  const waiting: { readonly payout: NewPayout; readonly start: (value: null) => void }[] = [];
  return async (payout) => {
    const { promise, resolve } = Promise.withResolvers<null>();
    waiting.push({ payout, start: resolve });
    if (waiting.length === 3) {
      await before();
      waiting.sort((left, right) => place(left.payout) - place(right.payout));
      for (const { start } of waiting) start(null);
    }
    await promise;
    return write(payout);
  };
}

/** Where a conversion inside the service has no rate. */
const writeWithoutRates = createPayoutWriter({
  db: database.db,
  clock: world.clock,
  random: systemRandom,
  currencies: testCurrencies,
  seal: payoutSeal,
  approve: approvalMessage,
  payInternally: () =>
    Promise.reject(new Rejected(rejection("feeUnavailable", "There is no rate."))),
  positions: world.context.positions,
});

async function spend({ accountId, walletId, currency }: Wallet, units: bigint): Promise<void> {
  const debit = walletAccount(walletId, "available");
  const postings = [{ debit, credit: systemAccount("equity", currency), currency, units }];
  await database.db.transaction((tx) =>
    post(tx, [{ accountId, cause: "test-spent", postings }], world.clock.now()),
  );
}

describe("createPayoutWriter", () => {
  it("answers a payout with its own outcome if another one of its batch fails after a rejected use of its key", async () => {
    const other = await arrangeWallet(world);
    const wallet = await arrangeWallet(world);
    const friend = await arrangeWallet(world, { accountId: wallet.accountId });
    for (const paying of [other, wallet]) await fund(world, paying, "10");
    const place = ({ terms, target }: NewPayout): number => {
      if (terms.accountId === other.accountId) return 0;
      return target === null ? 1 : 2;
    };
    const write = threeTogether(writeWithoutRates, place, () => spend(wallet, 9n * 10n ** 18n));
    const site = payoutWorld(world, { write });
    const key = systemRandom.uuid();
    const inside = { address: undefined, target_wallet: friend.walletId };
    const [created, tooLarge, failed] = await Promise.all([
      postPayout(site, other),
      postPayout(site, wallet, { key, attributes: { amount: "5" } }),
      postPayout(site, wallet, { key, attributes: inside }),
    ]);
    expect([created.status, created.text]).toEqual([201, expect.any(String)]);
    expect(faults(tooLarge)[0]).toBe("400");
    expect(faults(tooLarge).join()).toContain("4008");
    expect(faults(failed).join()).toContain("4018");
    expect(
      await database.sql("select from payout where account_id in ($1, $2)", [
        other.accountId,
        wallet.accountId,
      ]),
    ).toHaveLength(1);
  });

  /* Found by killing databases under load: the creation returned 500. */
  it("asks the client to retry if the database is admitted during the creation", async () => {
    const wallet = await arrangeWallet(world);
    await fund(world, wallet, "10");
    const site = payoutWorld({ ...world, database: { ...database, db: admittedMeanwhile } });
    await database.sql("update database_mark set admitted_since = null");
    expect((await postPayout(site, wallet)).status).toBe(503);
    expect((await postPayout(site, wallet)).status).toBe(201);
  });
});
