import { beforeEach, describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../test/support/check-books.ts";
import { useDatabase } from "../../test/support/database.ts";
import {
  type AnnouncingChain,
  announceChain,
  arrangeWallet,
  depositWorld,
  eth,
  rateOf,
  readBalance,
  usd,
  type Wallet,
} from "../../test/support/deposit-world.ts";
import { arrangeNotified } from "../../test/support/notice-readers.ts";
import { payoutApi } from "../../test/support/payout-api.ts";
import { fund } from "../../test/support/payout-world.ts";
import type { BlockRef } from "../chains/port.ts";
import { InvariantViolation } from "../platform/kernel/assert.ts";
import { changePayouts, confirmPayouts } from "./change-payouts.ts";
import type { Payout } from "./payout.ts";

/*
 * A payout's life as a spend would report it: ledger, transfer and callbacks follow from the payout alone. Ether
 * counts 3 confirmations here.
 */

const database = useDatabase();
const world = depositWorld(database);
const { make, learn, read, api } = payoutApi(world);
let wallet: Wallet;
let chain: AnnouncingChain;
beforeEach(async () => {
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "1");
  chain = await announceChain(world, "ETH");
});

const createAnnounced = (attributes = {}): Promise<Payout> =>
  make(wallet, { attributes: { callback_url: "https://shop.example/", ...attributes } });

/** Appends a block and counts the payouts' confirmations. */
async function grow(): Promise<BlockRef> {
  world.clock.advance(12);
  const block = await chain.append();
  await database.db.transaction((tx) =>
    confirmPayouts(tx, world.context, "ETH", block.height, world.clock.now()),
  );
  return block;
}

async function announced({ id }: Payout): Promise<readonly string[]> {
  const rows = await database.sql<{ trigger: string }>(
    "select trigger from event where object_type = 'payout' and object_id = $1 order by id",
    [id],
  );
  return rows.map(({ trigger }) => trigger);
}

async function transferOf({ transferId }: Payout) {
  const [row] = await database.sql<{
    status: number;
    txid: string | null;
    is_confirmed: boolean;
    is_settled: boolean;
  }>("select status, txid, is_confirmed, is_settled from transfer where id = $1", [transferId]);
  return [row?.status, row?.txid ?? "none", row?.is_confirmed, row?.is_settled].join(" ");
}

const include = (id: string, block: BlockRef) =>
  learn(id, {
    stage: "included",
    txid: "0xpaid",
    block: { height: block.height, hash: block.hash },
  });

async function held(): Promise<bigint | undefined> {
  const [row] = await database.sql<{ held: bigint }>(
    "select held from wallet_balance where wallet_id = $1",
    [wallet.walletId],
  );
  return row?.held;
}

const charged = 10n ** 17n + 200n;

describe("changePayouts", () => {
  it("updates ledger, transfer and callbacks when held, sent, included and confirmed", async () => {
    const payout = await createAnnounced();
    expect([await held(), await transferOf(payout)]).toEqual([charged, "0 none false false"]);
    await learn(payout.id, { stage: "sending", spendId: "7" });
    expect(await transferOf(payout)).toBe("0 none false false");
    await learn(payout.id, { txid: "0xpaid" });
    expect([await held(), await transferOf(payout)]).toEqual([charged, "1 0xpaid false false"]);
    await include(payout.id, await grow());
    expect([await held(), await transferOf(payout)]).toEqual([0n, "1 0xpaid false false"]);
    await grow();
    expect([await announced(payout), (await read(payout)).stage]).toEqual([[], "included"]);
    await grow();
    expect([await announced(payout), (await read(payout)).stage]).toEqual([
      ["confirmed"],
      "confirmed",
    ]);
    expect(await transferOf(payout)).toBe("2 0xpaid true true");
    await grow();
    expect(await announced(payout)).toEqual(["confirmed"]);
    expect(await readBalance(world, wallet)).toEqual({
      available: 10n ** 18n - charged,
      pending: 0n,
      deficit: 0n,
    });
    await expectBooksToBalance(database);
  });

  it("sends callbacks with the payout (without travel-rule data), its currency and its transfer", async () => {
    const payout = await createAnnounced({ tracking_id: "order 7" });
    await include(payout.id, await grow());
    await grow();
    await grow();
    const [row] = await database.sql<{ payload: { data: never; included: never } }>(
      "select payload from event where object_id = $1",
      [payout.id],
    );
    expect(row?.payload.data).toMatchObject({
      type: "payout",
      id: payout.id,
      attributes: {
        amount: "0.100000000000000000",
        fee_amount: "0.000000000000000200",
        tracking_id: "order 7",
        is_fee_included: false,
        status: 2,
        destination: { address_type: null, address: payout.address },
      },
      relationships: {
        currency: { data: { type: "currency", id: "1002" } },
        wallet: { data: { type: "wallet", id: wallet.walletId } },
        transfer: { data: { type: "transfer", id: payout.transferId } },
      },
    });
    expect(JSON.stringify(row)).not.toContain("travel_rule");
    expect(row?.payload.included).toMatchObject([
      { type: "currency", id: "1002" },
      {
        type: "transfer",
        id: payout.transferId,
        attributes: {
          op_id: Number(payout.id),
          op_type: 2,
          amount: "0.100000000000000000",
          status: 2,
          fee: "0.000000000000000200",
          txid: "0xpaid",
          confirmations: 3,
        },
      },
    ]);
  });

  describe("confirmations_needed", () => {
    it("of 1 confirms at the first block and settles at the currency's own count", async () => {
      const payout = await createAnnounced({ confirmations_needed: 1 });
      await include(payout.id, await grow());
      expect([await announced(payout), await transferOf(payout)]).toEqual([
        ["confirmed"],
        "2 0xpaid true false",
      ]);
      await grow();
      await grow();
      expect([await announced(payout), await transferOf(payout)]).toEqual([
        ["confirmed", "settled"],
        "2 0xpaid true true",
      ]);
    });

    it("of 0 confirms on broadcast", async () => {
      const payout = await createAnnounced({ confirmations_needed: 0 });
      await learn(payout.id, { stage: "sending", spendId: "7", txid: "0xpaid" });
      expect([await announced(payout), await held()]).toEqual([["confirmed"], charged]);
      await include(payout.id, await grow());
      await grow();
      await grow();
      expect(await announced(payout)).toEqual(["confirmed", "settled"]);
    });

    it("above the currency's own count settles first", async () => {
      const payout = await createAnnounced({ confirmations_needed: 4 });
      await include(payout.id, await grow());
      for (const expected of [[], ["settled"], ["settled", "confirmed"]]) {
        await grow();
        expect(await announced(payout)).toEqual(expected);
      }
    });
  });

  it("reverses callbacks after a reorg, holds the funds again, and sends new callbacks", async () => {
    const payout = await createAnnounced({ confirmations_needed: 1 });
    await include(payout.id, await grow());
    await chain.orphan();
    const { after } = await learn(payout.id, { stage: "sending", block: null });
    expect([after.revision, after.isConfirmed, await held()]).toEqual([1, false, charged]);
    expect(await transferOf(payout)).toBe("1 0xpaid false false");
    expect(await announced(payout)).toEqual(["confirmed", "reversed"]);
    await include(payout.id, await grow());
    expect(await announced(payout)).toEqual(["confirmed", "reversed", "confirmed"]);
    expect(await held()).toBe(0n);
    await expectBooksToBalance(database);
  });

  it("sends no callback for a reorg of something not announced yet", async () => {
    const payout = await createAnnounced();
    await include(payout.id, await grow());
    await learn(payout.id, { stage: "sending", block: null });
    expect(await announced(payout)).toEqual([]);
  });

  it("releases a payout that can never be paid, and charges the fee of a reverted one", async () => {
    const dead = await createAnnounced();
    await learn(dead.id, { stage: "failed", message: "another transaction used its nonce" });
    expect([await announced(dead), await transferOf(dead)]).toEqual([
      ["failed"],
      "-1 none false false",
    ]);
    const reverted = await createAnnounced();
    const { height, hash } = await grow();
    await learn(reverted.id, { stage: "failed", txid: "0xreverted", block: { height, hash } });
    expect(await announced(reverted)).toEqual(["failed"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 10n ** 18n - 200n });
    expect(await held()).toBe(0n);
    await expectBooksToBalance(database);
  });

  it("names the receiver of a payout that failed by its entry in the allowlist", async () => {
    await arrangeNotified({ database, clock: world.clock }, ["on_hold"], {
      accountId: wallet.accountId,
    });
    const payout = await createAnnounced();
    await database.sql(
      `insert into address_book (account_id, chain, address, label, created_at)
       select account_id, chain, address, 'Alice Ltd.', created_at from payout where id = $1`,
      [payout.id],
    );
    await learn(payout.id, { stage: "failed" });
    const notices = await database.sql<{ line: string }>(
      "select content->>'line' as line from notice",
    );
    expect(notices.map(({ line }) => line)).toEqual([
      `0.1 ETH to Alice Ltd. (payout ${payout.id})`,
    ]);
  });

  it("reports a failed payout that is sent after all, which may fail again", async () => {
    const payout = await createAnnounced();
    await learn(payout.id, { stage: "failed" });
    await learn(payout.id, { stage: "sending", spendId: "8" });
    expect([await announced(payout), await held()]).toEqual([["failed", "reversed"], charged]);
    await learn(payout.id, { stage: "failed" });
    expect([await announced(payout), await held()]).toEqual([["failed", "reversed", "failed"], 0n]);
  });

  it("holds a reverted payout again when its block is orphaned", async () => {
    const payout = await createAnnounced();
    const { height, hash } = await grow();
    await learn(payout.id, { stage: "failed", txid: "0xreverted", block: { height, hash } });
    await learn(payout.id, { stage: "sending", block: null });
    expect([await announced(payout), await held()]).toEqual([["failed", "reversed"], charged]);
    await expectBooksToBalance(database);
  });

  it("keeps a blocked payout's funds held, and announces it again when it is blocked again", async () => {
    const payout = await createAnnounced();
    await learn(payout.id, { stage: "blocked", riskStatus: 3, risk: 91, message: "risk 91" });
    expect([await announced(payout), await held(), await transferOf(payout)]).toEqual([
      ["blocked"],
      charged,
      "-2 none false false",
    ]);
    await learn(payout.id, { stage: "held", message: null });
    await learn(payout.id, { stage: "blocked", message: "the signer refuses" });
    expect(await announced(payout)).toEqual(["blocked", "blocked"]);
  });

  it("charges a Merchant wallet at the rate of creation, with the operator converting", async () => {
    world.rates.set("1002 840", rateOf("2000"));
    const merchant = await arrangeWallet(world, { type: 1, currency: usd });
    await fund(world, merchant, "1000");
    const payout = await make(merchant);
    expect(payout.chargedUnits).toBe(20_001n);
    await include(payout.id, await grow());
    expect(await readBalance(world, merchant)).toMatchObject({ available: 79_999n });
    const { one } = await api.ask("GET", `/transfer/${payout.transferId}/`, {
      as: {
        accountId: merchant.accountId,
        memberId: "1",
        credentialId: "1",
        role: "owner",
        accountIsReady: true,
        wallets: "all",
      },
    });
    expect(one.attributes).toMatchObject({ amount: "0.100000000000000000", confirmations: 1 });
    await expectBooksToBalance(database);
  });

  it("writes nothing without new facts, and throws on contradictory ones", async () => {
    const payout = await createAnnounced();
    const before = await read(payout);
    world.clock.advance(5);
    const { after } = await learn(payout.id, {});
    expect(after).toEqual(before);
    expect(await read(payout)).toEqual(before);
    await expect(learn(payout.id, { stage: "included" })).rejects.toThrow(InvariantViolation);
    await expect(learn(payout.id, { stage: "waiting" })).rejects.toThrow(InvariantViolation);
    await expect(
      database.db.transaction((tx) =>
        changePayouts(tx, world.context, ["999999"], (one) => one, world.clock.now()),
      ),
    ).rejects.toThrow(InvariantViolation);
  });

  it("loses nothing in forty concurrent changes of several payouts each, in any order", async () => {
    const made = await Promise.all(Array.from({ length: 4 }, () => createAnnounced()));
    const ids = made.map(({ id }) => id);
    await Promise.all(
      Array.from({ length: 40 }, (_, round) =>
        database.db.transaction((tx) =>
          changePayouts(
            tx,
            world.context,
            round % 2 === 0 ? ids : ids.toReversed(),
            (payout) => ({ ...payout, risk: (payout.risk ?? 0) + 1 }),
            world.clock.now(),
          ),
        ),
      ),
    );
    for (const payout of made) expect((await read(payout)).risk).toBe(40);
    expect(await held()).toBe(4n * charged);
    expect(made.every(({ currency }) => currency === eth)).toBe(true);
  });
});
