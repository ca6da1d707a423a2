import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { useDatabase } from "../../../test/support/database.ts";
import { created } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  depositWorld,
  ownerOf,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { payoutApi } from "../../../test/support/payout-api.ts";
import {
  fairFee,
  fund,
  payee,
  payoutDigest,
  postPayout,
  stopPayouts,
} from "../../../test/support/payout-world.ts";
import { addSeconds } from "../../platform/kernel/clock.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/*
 * Every kind of pause over the real server and database, for creation, calculation and internal payouts. Each test
 * pauses the chain the way the service does.
 */

const database = useDatabase();
const world = depositWorld(database);
const { api, payouts } = payoutApi(world);
let wallet: Wallet;
beforeEach(async () => {
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
  payouts.fees.answer = fairFee;
});
afterEach(async () => {
  await database.sql("delete from payout_stop");
  await database.sql("delete from chain_cursor");
});

const calculate = () =>
  api.ask("POST", "/payout/calculate/", {
    as: ownerOf(wallet.accountId),
    body: {
      data: {
        type: "payout-calculation",
        attributes: { amount: "1", to_address: payee },
        relationships: { wallet: { data: { type: "wallet", id: wallet.walletId } } },
      },
    },
  });

const readChain = (secondsAgo: number | null) =>
  database.sql(
    `insert into chain_cursor (chain, network, caught_up_at, updated_at) values ('ETH', 'regtest', $1, $2)`,
    [
      secondsAgo === null ? null : formatTimestamp(addSeconds(world.clock.now(), -secondsAgo)),
      formatTimestamp(world.clock.now()),
    ],
  );

const kinds: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  [
    "the kill switch of all chains",
    "kill switch (test)",
    () => stopPayouts(database, "all", false),
  ],
  [
    "the kill switch of the chain",
    "kill switch (test)",
    () => stopPayouts(database, "chain/ETH", false),
  ],
  [
    "reconciliation",
    "reconciliation (the ledger and the chain differ)",
    () => stopPayouts(database, "chain/ETH", true),
  ],
  [
    "a chain that was last read to its tip two minutes ago",
    "node (the service has not caught up with the chain)",
    () => readChain(120),
  ],
  [
    "a chain that was never read to its tip",
    "node (the service has not caught up with the chain)",
    () => readChain(null),
  ],
  [
    "a restore",
    "restore (test)",
    () => database.sql("insert into payout_stop values ('all', null, 'test', '2026-01-01Z')"),
  ],
];

describe("payout pauses", () => {
  describe.each(kinds)("pause by %s", (_kind, named, pause) => {
    const detail = `Payouts of ETH are paused: ${named}.`;

    it("rejects a new payout with 403/3019, naming the kind and the reason, and changes nothing", async () => {
      await pause();
      const before = await payoutDigest(database);
      const { status, errors } = await postPayout(payouts, wallet);
      expect([status, errors]).toMatchObject([403, [{ code: "3019", detail }]]);
      expect(errors).toHaveLength(1);
      expect(await payoutDigest(database)).toEqual(before);
    });

    it("rejects a calculation with 503/4018, naming the kind and the reason", async () => {
      await pause();
      const { status, errors } = await calculate();
      expect([status, errors]).toMatchObject([503, [{ code: "4018", detail }]]);
      expect(errors).toHaveLength(1);
    });
  });

  it("are of one wallet too: creation and calculation name the kill switch and its reason", async () => {
    const pause = (reason: string | null) =>
      database.sql(
        "update wallet set payouts_blocked = true, payouts_blocked_reason = $2 where id = $1",
        [wallet.walletId, reason],
      );
    const source = { pointer: "/data/relationships/wallet" };
    const details = {
      "a lost key": "Payouts from this wallet are paused: kill switch (a lost key).",
      "": "Payouts from this wallet are paused: kill switch.",
    };
    for (const [reason, detail] of Object.entries(details)) {
      await pause(reason === "" ? null : reason);
      const refused = await postPayout(payouts, wallet);
      expect([refused.status, refused.errors]).toMatchObject([
        403,
        [{ code: "3019", detail, source }],
      ]);
      const quoted = await calculate();
      expect([quoted.status, quoted.errors]).toMatchObject([
        503,
        [{ code: "4018", detail, source }],
      ]);
    }
  });

  it("names several pauses together", async () => {
    await stopPayouts(database, "all", false);
    await stopPayouts(database, "chain/ETH", true);
    await readChain(null);
    const { errors } = await postPayout(payouts, wallet);
    expect(errors.map(({ detail }) => detail)).toEqual([
      "Payouts of ETH are paused: kill switch (test); reconciliation (the ledger and the chain differ); node (the service has not caught up with the chain).",
    ]);
  });

  it("applies every pause but the node's to internal payouts", async () => {
    const target = await arrangeWallet(world, { accountId: wallet.accountId });
    const inside = { address: undefined, target_wallet: target.walletId, fee_amount: undefined };
    await readChain(null);
    created(await postPayout(payouts, wallet, { attributes: inside }));
    await stopPayouts(database, "chain/ETH", true);
    const { status, errors } = await postPayout(payouts, wallet, { attributes: inside });
    expect([status, errors.map(({ code }) => code)]).toEqual([403, ["3019"]]);
  });

  it("ignores pauses of other chains, and chains that were read recently", async () => {
    await stopPayouts(database, "chain/BTC", true);
    await readChain(1);
    created(await postPayout(payouts, wallet));
    expect((await calculate()).status).toBe(200);
  });
});
