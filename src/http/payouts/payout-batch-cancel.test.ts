import { beforeEach, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { batchContext } from "../../../test/support/batch-context.ts";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  testCurrencies,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { eventually } from "../../../test/support/eventually.ts";
import {
  fairFee,
  fund,
  payee,
  payoutSeal,
  payoutWorld,
} from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import { createPayoutWriter } from "../../payouts/create/write-payouts.ts";
import type { Database } from "../../platform/db/database.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { approvalMessage } from "../../signer/intent.ts";
import { type PayoutBatchContext, payoutBatchRoutes } from "./payout-batch.ts";

/*
 * Canceling a batch of which rows have no payout yet, over the real server and database: its upload was interrupted, or is still creating
 * payouts, held in this test where it asks for a fee or has just claimed the keys of its rows.
 */

const database = useDatabase();
const world = depositWorld(database);
const payouts = payoutWorld(world);

/** Lets `passing` calls through; later ones wait until it is opened. */
class Gate {
  #left = Number.POSITIVE_INFINITY;
  #waiting = Promise.withResolvers<null>();

  close(passing: number): void {
    this.#left = passing;
    this.#waiting = Promise.withResolvers();
  }

  open(): void {
    this.#left = Number.POSITIVE_INFINITY;
    this.#waiting.resolve(null);
  }

  async pass(): Promise<void> {
    this.#left -= 1;
    if (this.#left < 0) await this.#waiting.promise;
  }
}

const quotes = new Gate();
const claims = new Gate();
let claimed = 0;
let writesLeft = Number.POSITIVE_INFINITY;
const killed = () => new Error("the process was killed");

/** Waits at the gate whenever a transaction has claimed keys. */
const heldAfterClaims: Database = {
  ...database.db,
  transaction: (work) =>
    database.db.transaction((tx) =>
      work({
        query: async (statement, values) => {
          const rows = await tx.query(statement, values);
          if (statement.name === "payout-create.claim-keys") {
            claimed += 1;
            await claims.pass();
          }
          return rows;
        },
      }),
    ),
};
const write = createPayoutWriter({
  db: heldAfterClaims,
  clock: world.clock,
  random: systemRandom,
  currencies: testCurrencies,
  seal: payoutSeal,
  approve: approvalMessage,
  payInternally: () => Promise.reject(new Error("no payout stays inside the service here")),
  positions: world.context.positions,
});
const context: PayoutBatchContext = {
  ...batchContext(world, payouts),
  quoteFees: async (question) => {
    await quotes.pass();
    return payouts.context.quoteFees(question);
  },
  write: (payout) => {
    writesLeft -= 1;
    return writesLeft < 0 ? Promise.reject(killed()) : write(payout);
  },
};
const api = apiServer(payoutBatchRoutes(context), { clock: world.clock });

let wallet: Wallet;
let owner: Principal;
beforeEach(async () => {
  payouts.fees.answer = fairFee;
  quotes.open();
  claims.open();
  claimed = 0;
  writesLeft = Number.POSITIVE_INFINITY;
  wallet = await arrangeWallet(world);
  owner = ownerOf(wallet.accountId);
  await fund(world, wallet, "10");
});

const line = (amount: string) => `${payee},${amount},Jo,Doe,Some Street 1\n`;
const five = `address,amount,first_name,last_name,street\n${["0.1", "0.2", "0.3", "0.4", "0.5"].map(line).join("")}`;

const upload = () =>
  api.ask("POST", "/payout-batch/", {
    as: owner,
    body: {
      data: {
        type: "payout-batch",
        attributes: { csv: five, reference: "May", fees_max: "0.0001" },
        relationships: {
          wallet: { data: { type: "wallet", id: wallet.walletId } },
          currency: { data: { type: "currency", id: "1002" } },
        },
      },
    },
  });
/** Creates `existing` payouts, then the process is killed. */
async function interruptAfter(existing: number): Promise<void> {
  writesLeft = existing;
  expect((await upload()).status).toBe(500);
  writesLeft = Number.POSITIVE_INFINITY;
  expect(await stages()).toHaveLength(existing);
}
const batchId = async (): Promise<string> => {
  const rows = () =>
    database.sql<{ id: string }>("select id from payout_batch where account_id = $1", [
      wallet.accountId,
    ]);
  const [batch] = await eventually(rows, (found) => found.length > 0);
  return String(batch?.id);
};
const cancel = async (as = owner) =>
  api.ask("POST", `/payout-batch/${await batchId()}/cancel/`, { as });
const stages = async () =>
  (
    await database.sql<{ stage: string }>(
      "select stage from payout where account_id = $1 order by stage",
      [wallet.accountId],
    )
  ).map(({ stage }) => stage);

const waiting = () =>
  database.sql(
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );

/** No upload creates the other rows' payouts. */
async function expectNoMorePayouts(): Promise<void> {
  const before = await stages();
  const again = await upload();
  expect([again.status, again.text]).toEqual([
    400,
    expect.stringContaining("was canceled before all of its payouts were created"),
  ]);
  expect(await stages()).toEqual(before);
  const repeated = await cancel();
  expect(repeated.status, repeated.text).toBe(200);
  expect(await stages()).toEqual(before);
  await expectBooksToBalance(database);
}

describe("canceling a batch that is not complete", () => {
  it("stops an upload that is still creating its payouts", async () => {
    // The rows are quoted once before the first is created; of the five that are then created, four wait for their fee.
    quotes.close(6);
    const uploading = upload();
    await eventually(stages, (found) => found.length === 1);
    const canceled = await cancel();
    expect(canceled.status, canceled.text).toBe(200);
    expect(canceled.one.attributes).toMatchObject({ created: 1, states: { canceled: 1 } });
    quotes.open();
    expect((await uploading).one.attributes).toMatchObject({
      state: "completed",
      rows: 5,
      created: 1,
      states: { canceled: 1 },
      faults: [],
    });
    expect(await stages()).toEqual(["cancelled"]);
    await expectNoMorePayouts();
  });

  it("waits for payouts that are being written, and cancels them too", async () => {
    claims.close(0);
    const uploading = upload();
    await eventually(
      () => claimed,
      (count) => count > 0,
    );
    let isAnswered = false;
    const canceling = cancel().finally(() => {
      isAnswered = true;
    });
    await eventually(
      async () => isAnswered || (await waiting()).length > 0,
      (isWaiting) => isWaiting,
    );
    claims.open();
    const [uploaded, canceled] = await Promise.all([uploading, canceling]);
    expect([uploaded.status, canceled.status], canceled.text).toEqual([201, 200]);
    const left = await stages();
    expect(left.length).toBeGreaterThan(0);
    expect(left.filter((stage) => stage !== "cancelled")).toEqual([]);
    await expectBooksToBalance(database);
  });

  it("stops the rows without a payout also if others are signed already", async () => {
    await interruptAfter(2);
    await database.sql(
      `update payout set stage = 'sending', txid = '0xab'
       where id = (select min(id) from payout where account_id = $1)`,
      [wallet.accountId],
    );
    const canceled = await cancel();
    expect(canceled.status, canceled.text).toBe(200);
    expect(await stages()).toEqual(["cancelled", "sending"]);
    expect(canceled.one.attributes).toMatchObject({ state: "in_progress", rows: 5, created: 2 });
    await expectNoMorePayouts();
  });

  it("succeeds before the first payout, and says so in the batch and its log", async () => {
    await interruptAfter(0);
    const canceled = await cancel();
    expect(canceled.status, canceled.text).toBe(200);
    expect(canceled.one.attributes).toMatchObject({
      state: "completed",
      created: 0,
      states: {},
      payouts: [2, 3, 4, 5, 6].map((row) => ({ row, payout_id: null, state: "canceled" })),
    });
    await expectNoMorePayouts();
    expect(
      await database.sql(
        "select action, summary from audit_entry where account_id = $1 and action like '%.canceled'",
        [wallet.accountId],
      ),
    ).toEqual([
      { action: "payout_batch.canceled", summary: { payouts: "0", rows_not_created: "5" } },
    ]);
  });

  it("needs the right to cancel what its creator created", async () => {
    await interruptAfter(0);
    const refused = await cancel({ ...owner, memberId: "99", role: "withdrawals_with_approval" });
    expect([refused.status, refused.text]).toEqual([
      403,
      expect.stringContaining("only payouts that you created"),
    ]);
    expect((await upload()).one.attributes).toMatchObject({ created: 5, faults: [] });
  });

  it("leaves the upload alone if it is refused", async () => {
    await interruptAfter(1);
    // A spend has taken it and nothing is known to be signed: nothing is canceled.
    const setStage = (stage: string) =>
      database.sql("update payout set stage = $2 where account_id = $1", [wallet.accountId, stage]);
    await setStage("sending");
    expect((await cancel()).status).toBe(400);
    await setStage("held");
    expect((await upload()).one.attributes).toMatchObject({ created: 5, faults: [] });
  });
});
