import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { apiServer } from "../../../test/support/api-server.ts";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  depositWorld,
  ownerOf,
  rateOf,
  readBalance,
  readEvents,
  readTransfers,
  testCurrencies,
  usd,
  xrp,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { operate } from "../../../test/support/paying-back.ts";
import { fairFee, payoutWorld, receiver } from "../../../test/support/payout-world.ts";
import { payer, taggedAccount } from "../../../test/support/tagged-account.ts";
import { systemAccount } from "../../ledger/ledger-account.ts";
import { post } from "../../ledger/post.ts";
import { changePayouts } from "../../payouts/change-payouts.ts";
import { createReadPayoutFacts } from "../../payouts/create/facts.store.ts";
import type { Payout } from "../../payouts/payout.ts";
import { readPayoutRow } from "../../payouts/payout-list.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";
import { searchRoutes } from "../reports/search.ts";
import { timelineRoutes } from "../reports/timeline.ts";
import { unattributedRoutes } from "./unattributed.ts";

/*
 * The list of money that reached a shared account under no deposit's tag: a simulated chain, the real routes, follower and
 * database. The ledger equals the chain after each test.
 */

const database = useDatabase();
const world = depositWorld(database);
const chain = taggedAccount(world);
const { context: paying, fees } = payoutWorld(world, {
  findPayeeAddressing: () => chain.addressing,
  findKeyspace: () => ({ name: "XRP", chain: "XRP", addressTypes: [], defaultAddressType: "" }),
  readFacts: createReadPayoutFacts(database.db, world.clock, () => "available"),
  isScreened: true,
});
const readAddresses = (text: string) => {
  const meant = chain.addressing.parse(text, null);
  return meant === null ? [] : [meant];
};
const { db } = database;
const api = apiServer(
  [
    ...unattributedRoutes({ ...world.context, readAddresses }, paying),
    ...timelineRoutes({ db, currencies: testCurrencies }),
    ...searchRoutes({ db, currencies: testCurrencies }),
  ],
  { clock: world.clock },
);
let operator = ownerOf("0");
let operatorsWallet = "";
beforeAll(async () => {
  await chain.open();
  const wallet = await arrangeWallet(world, { currency: xrp });
  await operate(database, wallet.accountId);
  operator = ownerOf(wallet.accountId);
  operatorsWallet = wallet.walletId;
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

describe("GET /unattributed/{id}/assignable-deposit/", () => {
  it("finds a deposit of any account by id, tracking id, payment link, tag and address", async () => {
    const { deposit, wallet } = await shop();
    await database.sql("update deposit set tracking_id = 'Order-77x' where id = $1", [deposit.id]);
    const { id } = await received(null, 2_000_000n);
    const { address, tag } = chain.destinationOf(deposit);
    for (const text of [
      deposit.id,
      `#${deposit.id}`,
      "order-77",
      `http://pay.example/pay/${deposit.paymentPageId}`,
      present(tag, "a tag"),
      spelled(address, tag),
    ])
      expect([text, await assignable(id, text)]).toEqual([text, [deposit.id]]);
    expect(await assignable(id, "order-78")).toEqual([]);
    const { resources } = await find(id, deposit.id);
    expect(resources).toMatchObject([
      {
        attributes: { account_id: wallet.accountId, account_name: "Test", status: 2, tag },
        relationships: { currency: { data: { id: xrp } }, wallet_currency: { data: { id: xrp } } },
      },
    ]);
  });

  it("finds no deposit of another currency, and nothing for a text that means nothing", async () => {
    const ether = await arrangeDeposit(world, await arrangeWallet(world));
    const { id } = await received(null, 2_100_000n);
    expect(await assignable(id, ether.id)).toEqual([]);
    expect(await assignable(id, "999999999")).toEqual([]);
  });

  it("is refused without a text, for a missing payment, and to everyone who does not operate the deployment", async () => {
    const { id } = await received(null, 2_200_000n);
    expect(faults(await find(id, ""))).toEqual(["400", "1007 filter[text]"]);
    expect(faults(await find("999999", "1"))).toEqual(["404", "404"]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const each of [id, "999999"])
      expect(faults(await find(each, "1", stranger))).toEqual(["403", "permission_denied"]);
  });
});

const spelled = (address: string, tag: string | null) => `${address}?${tag ?? ""}`;

const find = (id: string, text: string, as = operator) =>
  api.ask(
    "GET",
    `/unattributed/${id}/assignable-deposit/?filter[text]=${encodeURIComponent(text)}`,
    { as },
  );

const assignable = async (id: string, text: string) =>
  (await find(id, text)).resources.map((found) => found.id);

describe("POST /unattributed/{id}/assign/", () => {
  it("pays the deposit as if the payer had named its tag", async () => {
    const { deposit, wallet } = await shop();
    const { id, txid } = await received("7", 2_500_000n);
    const answer = await assign(id, deposit);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.one).toMatchObject({
      attributes: {
        state: "assigned",
        account_id: wallet.accountId,
        account_name: "Test",
        reason: "The payer wrote to us",
      },
      relationships: { deposit: { data: { type: "deposit", id: deposit.id } } },
    });
    expect(await readTransfers(world, deposit)).toMatchObject([
      { txid, units: 2_500_000n, from: [payer], disposition: "credited", status: 2 },
    ]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 2_500_000n });
    expect(await readEvents(world, deposit)).not.toEqual([]);
    expect(await audited(id)).toEqual([
      { account_id: operator.accountId, has_member: true, reason: "The payer wrote to us" },
      { account_id: wallet.accountId, has_member: false, reason: "The payer wrote to us" },
    ]);
  });

  it("counts as paid when it arrived, although the deposit has expired since", async () => {
    const merchant = await arrangeWallet(world, { type: 1, currency: usd });
    world.rates.set(`${xrp} ${usd}`, rateOf("2"));
    const deposit = await chain.deposit(merchant, { requested: "10", timeLimit: 600 });
    const { id } = await received(null, 5_000_000n);
    world.clock.advance(3_600);
    await chain.mine(2);
    world.rates.set(`${xrp} ${usd}`, rateOf("3"));
    expect((await assign(id, deposit)).status).toBe(200);
    // At today's price: its rate lock has ended.
    expect(await readTransfers(world, deposit)).toMatchObject([{ targetUnits: 1_500n }]);
  });

  it("follows the payment through a reorg: out of the books with its block, and back to the same deposit", async () => {
    const { deposit, wallet } = await shop();
    const { id } = await received("8", 700_000n);
    expect((await assign(id, deposit)).status).toBe(200);
    chain.node.reorg(2, { mineAgain: false });
    await chain.follow();
    expect(await readBalance(world, wallet)).toMatchObject({ available: 0n });
    expect(await chain.difference()).toBe(0n);
    await chain.mine(2);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 700_000n });
    expect(await readTransfers(world, deposit)).toHaveLength(1);
  });

  it("happens once, however many operators assign at the same time", async () => {
    const deposits = [(await shop()).deposit, (await shop()).deposit];
    const { id } = await received(null, 800_000n);
    const answers = await Promise.all(
      [...deposits, ...deposits].map((deposit) => assign(id, deposit)),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400]);
    const paid = await Promise.all(deposits.map((deposit) => readTransfers(world, deposit)));
    expect(paid.flat()).toHaveLength(1);
  });

  it("is refused for another currency, another address, no deposit, dust and without a reason", async () => {
    const { deposit } = await shop();
    const ether = await arrangeDeposit(world, await arrangeWallet(world));
    const { id } = await received(null, 900_000n);
    const small = await received(null, 10n);
    const at = "/data/relationships/deposit";
    for (const [text, expected] of [
      [ether.id, `1007 ${at}`],
      ["999999999", `1007 ${at}`],
      ["x", `1007 ${at}`],
    ] as const)
      expect(faults(await assign(id, { id: text }))).toEqual(["400", expected]);
    expect(faults(await assign(small.id, deposit))).toEqual(["400", "1007"]);
    expect(faults(await assign(id, deposit, { reason: null }))).toEqual([
      "400",
      "1007 /data/attributes/reason",
    ]);
    expect(faults(await assign("999999", deposit))).toEqual(["404", "404"]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    expect(faults(await assign(id, deposit, {}, stranger))).toEqual(["403", "permission_denied"]);
    expect(faults(await assign("999999", deposit, {}, stranger))).toEqual([
      "403",
      "permission_denied",
    ]);
    expect((await get(`/unattributed/${id}/`)).one.attributes).toMatchObject({ state: "waiting" });
  });
});

describe("POST /unattributed/{id}/return/", () => {
  it("pays the sender minus the fee, and is returned once that payout is final", async () => {
    const { id } = await received(null, 3_000_000n);
    const answer = await returned(id);
    expect(answer.status, answer.text).toBe(200);
    expect(answer.one.attributes).toMatchObject({
      state: "returning",
      account_id: operator.accountId,
      reason: "The payer forgot the tag",
    });
    const payout = await payoutOf(answer);
    // Screened like any other payout: risk status 2 is queued.
    expect(payout).toMatchObject({
      address: payer,
      units: 2_999_800n,
      chargedUnits: 3_000_000n,
      riskStatus: 2,
    });
    expect(await operatorsBalance()).toMatchObject({ available: 0n, deficit: 0n });
    expect(await chain.difference()).toBe(0n);
    await happen(payout.id, { stage: "sending", txid: "paid" });
    expect((await get(`/unattributed/${id}/`)).one.attributes["state"]).toBe("returning");
    // The transaction pays out what the receipt brought in; the fee is the network's.
    chain.node.submit([{ to: outside, units: 3_000_000n }], { from: [chain.account.address] });
    await chain.mine();
    const block = { height: chain.node.tip().height, hash: chain.node.tip().hash };
    await happen(payout.id, { stage: "included", txid: "paid", block });
    await bookNetworkFee();
    expect((await get(`/unattributed/${id}/`)).one.attributes["state"]).toBe("returning");
    await chain.mine(2);
    expect((await get(`/unattributed/${id}/`)).one.attributes["state"]).toBe("returned");
    expect(faults(await returned(id))).toEqual(["400", "1007"]);
    expect(await returnsAudited(id)).toBe(1);
  });

  it("leaves the money unattributed again if its payout is canceled or fails", async () => {
    const { id } = await received(null, 1_000_000n);
    for (const stage of ["cancelled", "failed"] as const) {
      const payout = await payoutOf(await returned(id));
      const status = stage === "cancelled" ? { status: 3 as const } : {};
      await happen(payout.id, { stage, ...status });
      const { one } = await get(`/unattributed/${id}/`);
      expect(one).toMatchObject({
        attributes: { state: "waiting", account_id: null },
        relationships: { payout: { data: { id: payout.id } } },
      });
      expect(await operatorsBalance()).toMatchObject({ available: 0n, deficit: 0n });
      expect(await chain.difference()).toBe(0n);
    }
    const { deposit, wallet } = await shop();
    expect((await assign(id, deposit)).status).toBe(200);
    expect(await readBalance(world, wallet)).toMatchObject({ available: 1_000_000n });
  });

  it("is in force again when the payout of an undone return pays after all", async () => {
    const { id } = await received(null, 1_100_000n);
    const payout = await payoutOf(await returned(id));
    await happen(payout.id, { stage: "failed" });
    await happen(payout.id, { stage: "sending", txid: "late" });
    expect((await get(`/unattributed/${id}/`)).one.attributes["state"]).toBe("returning");
    expect(await operatorsBalance()).toMatchObject({ available: 0n, deficit: 0n });
    expect(faults(await assign(id, (await shop()).deposit))).toEqual(["400", "1007"]);
  });

  it("happens once, or the money is assigned, whichever comes first", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { deposit } = await shop();
      const { id } = await received(null, 1_200_000n);
      const answers = await Promise.all([
        returned(id),
        assign(id, deposit),
        returned(id),
        assign(id, deposit),
      ]);
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      const state = (await get(`/unattributed/${id}/`)).one.attributes["state"];
      const paid = await readTransfers(world, deposit);
      expect([state, paid.length]).toEqual(state === "assigned" ? [state, 1] : ["returning", 0]);
    }
  });

  it("answers a repeated key with the payout of the first request", async () => {
    const { id } = await received(null, 1_300_000n);
    const key = systemRandom.uuid();
    const first = await payoutOf(await returned(id, {}, key));
    const again = await returned(id, {}, key);
    expect(faults(again)).toEqual(["409", "1004 idempotency-key"]);
    expect(again.errors[0]?.meta).toEqual({ payout_id: first.id });
  });

  it("is refused before the payment is final, without travel-rule data, key, reason or known sender", async () => {
    const txid = chain.pay(null, 1_400_000n, [payer, "rSomeoneElse"]);
    await chain.mine();
    const { resources } = await get(`/unattributed/?filter[txid]=${txid}`);
    const { id } = present(resources[0], "a row");
    expect(faults(await returned(id, { address: payer }))).toEqual(["400", "1007"]);
    await chain.mine();
    const at = "1007 /data/attributes/";
    expect(faults(await returned(id))).toEqual(["400", `${at}address`]);
    for (const missing of ["travel_rule_info", "reason"])
      expect(faults(await returned(id, { address: payer, [missing]: null }))).toEqual([
        "400",
        `${at}${missing}`,
      ]);
    expect(faults(await returned(id, { address: payer }, null))).toEqual([
      "428",
      "1003 idempotency-key",
    ]);
    const unread = await api.ask("POST", `/unattributed/${id}/return/`, {
      as: operator,
      body: "{",
    });
    expect(faults(unread)).toEqual(["428", "1003 idempotency-key"]);
    expect((await returned(id, { address: payer })).status).toBe(200);
  });

  it("quotes the fee first", async () => {
    const { id } = await received(null, 1_500_000n);
    const attributes = { to_address: payer };
    const body = { data: { type: "payout-calculation", attributes } };
    const path = `/unattributed/${id}/return/calculate/`;
    const { status, document, text } = await api.ask("POST", path, { body, as: operator });
    expect(status, text).toBe(200);
    expect(document["meta"]).toMatchObject({ amount: "1.500000", currency: xrp });
  });

  it("needs an Enterprise wallet of the currency, and an operator", async () => {
    const { id } = await received(null, 1_600_000n);
    const bare = await arrangeWallet(world);
    expect(faults(await returned(id, {}, undefined, ownerOf(bare.accountId)))).toEqual([
      "403",
      "permission_denied",
    ]);
    await operate(database, bare.accountId);
    expect(faults(await returned(id, {}, undefined, ownerOf(bare.accountId)))).toEqual([
      "400",
      "1007",
    ]);
  });
});

describe("GET /search/", () => {
  const search = async (text: string, as = operator) => {
    const answer = await api.ask("GET", `/search/?filter[text]=${encodeURIComponent(text)}`, {
      as,
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.resources;
  };

  it("finds a payment without a deposit's tag by id, transaction, tag and sender, for operators only", async () => {
    const sender = "rSearchedFor";
    const txid = chain.pay("424242", 1_700_000n, [sender]);
    await chain.mine(2);
    const { resources } = await get(`/unattributed/?filter[txid]=${txid}`);
    const { id } = present(resources[0], "a row");
    // Transactions are searched for by their ids as real chains write them.
    const hash = "AB".repeat(32);
    await database.sql("update unattributed set txid = $2 where id = $1", [id, hash]);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const [text, matched] of [
      [id, "id"],
      [hash.toLowerCase(), "txid"],
      ["424242", "tag"],
      [` ${sender} `, "from_address"],
    ] as const) {
      const found = (await search(text)).filter((hit) => hit.id === `unattributed-${id}`);
      expect(found).toMatchObject([
        {
          attributes: {
            object_type: "unattributed",
            object_id: id,
            matched,
            status: null,
            state: "waiting",
          },
          relationships: { wallet: { data: null } },
        },
      ]);
      expect(await search(text, { ...operator, role: "read_only" })).not.toContainEqual(found[0]);
      expect(await search(text, stranger)).not.toContainEqual(found[0]);
    }
    await database.sql("update unattributed set txid = $2 where id = $1", [id, txid]);
  });
});

describe("timelines", () => {
  const entry = async (type: "deposit" | "payout", id: string, kind: string, accountId: string) => {
    const path = `/${type}/${id}/timeline/?filter[kind]=${kind}`;
    const answer = await api.ask("GET", path, { as: ownerOf(accountId) });
    expect(answer.status, answer.text).toBe(200);
    return answer.resources.map(({ attributes }) => attributes);
  };

  it("of a deposit shows the payment that was assigned to it, and of a payout the one that it returns", async () => {
    const { deposit, wallet } = await shop();
    const one = await received("9", 1_800_000n);
    await assign(one.id, deposit);
    expect(await entry("deposit", deposit.id, "assigned", wallet.accountId)).toMatchObject([
      { txid: one.txid, amount: "1.800000", message: "The payer wrote to us" },
    ]);
    const other = await received(null, 1_900_000n);
    const payout = await payoutOf(await returned(other.id));
    expect(await entry("payout", payout.id, "returns", operator.accountId)).toMatchObject([
      { txid: other.txid, amount: "1.900000", message: "The payer forgot the tag" },
    ]);
  });
});

const outside = present(chain.addressing.parse(payer, null), "an account outside");

async function returned(
  id: string,
  attributes: JsonObject = {},
  key: string | null = systemRandom.uuid(),
  as = operator,
) {
  fees.answer = fairFee;
  const members = {
    reason: "The payer forgot the tag",
    fee_amount: "0.000200",
    travel_rule_info: receiver,
    ...attributes,
  };
  return api.ask("POST", `/unattributed/${id}/return/`, {
    as,
    body: { data: { type: "unattributed", attributes: members } },
    headers: { "idempotency-key": key ?? undefined },
  });
}

async function payoutOf(answer: Awaited<ReturnType<typeof returned>>): Promise<Payout> {
  expect(answer.status, answer.text).toBe(200);
  const id = (answer.document["meta"] as { readonly payout_id: string }).payout_id;
  return present(await readPayoutRow(database.db, operator.accountId, id), `payout ${id}`);
}

/** What the chain, a member or the signer's journal reports about a payout. */
async function happen(id: string, facts: Partial<Payout>): Promise<void> {
  const now = world.clock.now();
  await database.db.transaction((tx) =>
    changePayouts(tx, world.context, [id], (payout) => ({ ...payout, ...facts }), now),
  );
}

/** The fee that the spend of a payout books: the operator's income from payers pays the network. */
async function bookNetworkFee(): Promise<void> {
  const posting = {
    debit: systemAccount("fees", xrp),
    credit: systemAccount("chain", xrp),
    currency: xrp,
    units: 200n,
  };
  const entry = { accountId: "0", cause: "test-fee", postings: [posting] };
  await database.db.transaction((tx) => post(tx, [entry], world.clock.now()));
}

const operatorsBalance = () => readBalance(world, { walletId: operatorsWallet });

async function returnsAudited(id: string): Promise<number> {
  const rows = await database.sql(
    "select from audit_entry where action = 'unattributed.returned' and object_id = $1",
    [id],
  );
  return rows.length;
}

/** An account of its own with a deposit in XRP. */
async function shop() {
  const wallet = await arrangeWallet(world, { currency: xrp });
  return { wallet, deposit: await chain.deposit(wallet) };
}

/** A payment to the shared account, two blocks deep. */
async function received(tag: string | null, units: bigint) {
  const txid = chain.pay(tag, units);
  await chain.mine(2);
  const { resources } = await get(`/unattributed/?filter[txid]=${txid}`);
  return { txid, id: present(resources[0], "a row").id };
}

function assign(
  id: string,
  deposit: { readonly id: string },
  attributes: JsonObject = {},
  as = operator,
) {
  const reason = { reason: "The payer wrote to us", ...attributes };
  const relationships = { deposit: { data: { type: "deposit", id: deposit.id } } };
  const body = { data: { type: "unattributed", attributes: reason, relationships } };
  return api.ask("POST", `/unattributed/${id}/assign/`, { body, as });
}

const audited = (id: string) =>
  database.sql<{ account_id: string; has_member: boolean; reason: string }>(
    `select account_id, member_id is not null as has_member, summary ->> 'reason' as reason from audit_entry
     where object_type = 'unattributed' and object_id = $1 and action = 'unattributed.assigned' order by account_id`,
    [id],
  );
