import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import { arrangeWallet, depositWorld, ownerOf, xrp } from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { operate } from "../../../test/support/paying-back.ts";
import { payer, taggedAccount } from "../../../test/support/tagged-account.ts";
import { present } from "../../platform/kernel/assert.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { unattributedRoutes } from "./unattributed.ts";

/*
 * The list of money that reached a shared account under no deposit's tag: a simulated chain, the real routes, follower and
 * database. The ledger equals the chain after each test.
 */

const database = useDatabase();
const world = depositWorld(database);
const chain = taggedAccount(world);
const api = apiServer(unattributedRoutes(world.context), { clock: world.clock });
let operator = ownerOf("0");
beforeAll(async () => {
  await chain.open();
  const wallet = await arrangeWallet(world, { currency: xrp });
  await operate(database, wallet.accountId);
  operator = ownerOf(wallet.accountId);
});
afterEach(async () => {
  expect(await chain.difference()).toBe(0n);
  await expectBooksToBalance(database);
});

const get = (path: string, as: typeof operator | null = operator) => api.ask("GET", path, { as });

/** The list's receipts of these transactions. */
async function listed(query: string, ...txids: readonly string[]) {
  const { resources, status, text } = await get(`/unattributed/?page[size]=100&${query}`);
  expect(status, text).toBe(200);
  const shown = resources.map(({ attributes }) => attributes["txid"]);
  return txids.map((txid) => shown.includes(txid));
}

describe("GET /unattributed/", () => {
  it("shows a payment's amount, sender, tag and place on the chain", async () => {
    const txid = chain.pay("77", 1_500_000n, ["rSomeone"]);
    await chain.mine(2);
    const shown = present((await get(`/unattributed/?filter[txid]=${txid}`)).resources[0], "a row");
    expect(shown).toMatchObject({
      type: "unattributed",
      attributes: {
        state: "waiting",
        chain: "XRP",
        amount: "1.500000",
        address: chain.account.address,
        tag: "77",
        from_addresses: ["rSomeone"],
        confirmations: 2,
        is_final: true,
        account_id: null,
        decided_at: null,
        reason: null,
      },
      relationships: {
        currency: { data: { type: "currency", id: xrp } },
        deposit: { data: null },
        payout: { data: null },
      },
    });
    expect((await get(`/unattributed/${shown.id}/`)).one).toEqual(shown);
  });

  it("finds payments by sender, tag, state, currency, amount and time", async () => {
    const one = chain.pay("78", 110_000n, ["rOne", "rBoth"]);
    await chain.mine();
    world.clock.advance(3_600);
    const later = formatTimestamp(world.clock.now());
    world.clock.advance(1);
    const two = chain.pay(null, 120_000n, ["rTwo", "rBoth"]);
    const dust = chain.pay(null, 9n, ["rDust"]);
    await chain.mine();
    const filters: Readonly<Record<string, readonly boolean[]>> = {
      "filter[from_address]=rOne": [true, false, false],
      "filter[from_address]=rBoth": [true, true, false],
      "filter[tag]=78": [true, false, false],
      "filter[state]=waiting": [true, true, false],
      "filter[state]=dust": [false, false, true],
      "filter[state]=returned": [false, false, false],
      "filter[amount]=0.12": [false, true, false],
      "filter[chain]=XRP": [true, true, true],
      "filter[chain]=BTC": [false, false, false],
      [`filter[currency]=${xrp}`]: [true, true, true],
      [`filter[received_at_from]=${later}`]: [false, true, true],
      [`filter[created_at_to]=${later}`]: [true, false, false],
    };
    for (const [filter, found] of Object.entries(filters))
      expect([filter, ...(await listed(filter, one, two, dust))]).toEqual([filter, ...found]);
  });

  it("shows a payment that a reorg has removed without a block", async () => {
    const txid = chain.pay(null, 130_000n);
    await chain.mine();
    chain.node.reorg(1, { dropped: [txid] });
    await chain.follow();
    const { resources } = await get(`/unattributed/?filter[txid]=${txid}`);
    expect(resources[0]?.attributes).toMatchObject({
      state: "waiting",
      block_height: null,
      confirmations: 0,
      is_final: false,
    });
  });

  it("is closed to everyone who does not operate the deployment", async () => {
    const txid = chain.pay(null, 140_000n, [payer]);
    await chain.mine();
    const { resources } = await get(`/unattributed/?filter[txid]=${txid}`);
    const id = present(resources[0], "a row").id;
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const path of ["/unattributed/", `/unattributed/${id}/`, "/unattributed/999999/"]) {
      expect(faults(await get(path, null))).toEqual(["401", "2007"]);
      expect(faults(await get(path, stranger))).toEqual(["403", "permission_denied"]);
      for (const role of ["withdrawals", "withdrawals_with_approval", "read_only"] as const)
        expect(faults(await get(path, { ...operator, role }))).toEqual([
          "403",
          "permission_denied",
        ]);
    }
    expect(faults(await get("/unattributed/999999/"))).toEqual(["404", "404"]);
  });
});
