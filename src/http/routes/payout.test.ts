import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { useDatabase } from "../../../test/support/database.ts";
import {
  arrangeDeposit,
  arrangeWallet,
  btc,
  depositWorld,
  ownerOf,
  rateOf,
  readBalance,
  tellChain,
  testCurrencies,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { payoutApi } from "../../../test/support/payout-api.ts";
import {
  bitcoinPayee,
  currencyIs,
  fund,
  payee,
  receiver,
} from "../../../test/support/payout-world.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatTimestamp } from "../../kernel/timestamp.ts";
import { changePayouts } from "../../payouts/change-payouts.ts";
import type { Payout } from "../../payouts/payout.ts";
import { payoutIntent } from "../../payouts/payout-intent.ts";
import { approvalMessage } from "../../signer/intent.ts";

/*
 * Reading, listing, changing, approving, cancelling and releasing payouts over the real server and database: filters, who sees
 * what, and who may do what in which state.
 */

const database = useDatabase();
const world = depositWorld(database);
const { api, make, learn, read, spends } = payoutApi(world);
let wallet: Wallet;
let owner: Principal;
beforeAll(async () => {
  await tellChain(world, "ETH");
});
beforeEach(async () => {
  wallet = await arrangeWallet(world);
  await fund(world, wallet, "10");
  owner = ownerOf(wallet.accountId);
  spends.withdraw = () => Promise.resolve(false);
});

const ask = (method: string, url: string, as = owner, body?: JsonObject) =>
  api.ask(method, url, { as, ...(body === undefined ? {} : { body }) });

const member = (role: Principal["role"], memberId: string): Principal => ({
  ...owner,
  role,
  memberId,
});
/** Creates payouts that wait for approval. */
const asker = (): Principal => member("withdrawals_with_approval", "5");
const admin = (): Principal => member("admin", "2");

const patch = (id: string, attributes: JsonObject): JsonObject => ({
  data: { type: "payout", id, attributes },
});

describe("GET /payout/{id}", () => {
  test("every attribute of the interface, null where there is nothing to say", async () => {
    const { id } = await make(wallet);
    const { one } = await ask("GET", `/payout/${id}`);
    expect(one).toEqual({
      type: "payout",
      id,
      attributes: {
        ...{ amount: "0.100000000000000000", fee_amount: "0.000000000000000200", exp: 18 },
        ...{ address: payee, destination: { address_type: null, address: payee } },
        ...{ target_deposit: null, target_wallet: null, tracking_id: null, label: null },
        ...{ confirmations_needed: null, is_fee_included: false, status: 2 },
        ...{ rate_requested: "1", callback_url: null, force_blockchain: false },
        ...{ tag_type: null, tag: null, travel_rule_info: receiver },
        created_at: "2026-01-02T03:04:05.678901Z",
      },
      relationships: {
        currency: { data: { type: "currency", id: "1002" } },
        wallet: { data: { type: "wallet", id: wallet.walletId } },
      },
    });
  });

  test("a token's fee reads in its parent coin, its amount in its own digits", async () => {
    const tokens = await arrangeWallet(world, {
      accountId: wallet.accountId,
      currency: "2015" as never,
    });
    await fund(world, tokens, "100");
    const { id } = await make(tokens, {
      attributes: { amount: "12.5" },
      relationships: currencyIs("2015"),
    });
    const { attributes } = (await ask("GET", `/payout/${id}/`)).one;
    expect(attributes).toMatchObject({
      ...{ amount: "12.500000", exp: 6, fee_amount: "0.000000000000000200" },
    });
  });

  test("travel-rule data is for roles that pay; lists have it for nobody", async () => {
    const { id } = await make(wallet);
    const shown = async (as: Principal) =>
      (await ask("GET", `/payout/${id}/`, as)).one.attributes["travel_rule_info"];
    for (const role of ["admin", "withdrawals", "withdrawals_with_approval"] as const) {
      expect(await shown(member(role, "2"))).toEqual(receiver);
    }
    expect(await shown(member("read_only", "2"))).toBeNull();
    const { many } = await ask("GET", "/payout/");
    expect(many.map(({ attributes }) => attributes["travel_rule_info"])).toEqual([null]);
  });

  test("404 for what there is not and another account's, 400/5001 for a wallet not granted, 401/2007 for nobody", async () => {
    const { id } = await make(wallet);
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const name of ["99999999", "0", "abc", "-1", "9".repeat(30)]) {
      expect(faults(await ask("GET", `/payout/${name}/`))).toEqual(["404", "404"]);
    }
    expect(faults(await ask("GET", `/payout/${id}/`, stranger))).toEqual(["404", "404"]);
    const narrow = { ...owner, memberId: "9", wallets: new Map() };
    expect(faults(await ask("GET", `/payout/${id}/`, narrow))).toEqual(["400", "5001"]);
    expect((await ask("GET", "/payout/", narrow)).many).toEqual([]);
    expect(faults(await api.ask("GET", `/payout/${id}/`, { as: null }))).toEqual(["401", "2007"]);
  });

  test("with its wallet and currency included", async () => {
    const { id } = await make(wallet);
    const { included } = await ask("GET", `/payout/${id}/?include=wallet,currency`);
    expect(included.map(({ type, id: name }) => `${type} ${name}`).toSorted()).toEqual([
      "currency 1002",
      `wallet ${wallet.walletId}`,
    ]);
  });
});

describe("GET /payout/", () => {
  let tenant: Principal;
  let shop: Wallet;
  let vault: Wallet;
  let coins: Wallet;
  const ids: string[] = [];
  beforeAll(async () => {
    vault = await arrangeWallet(world);
    tenant = ownerOf(vault.accountId);
    const { accountId } = vault;
    shop = await arrangeWallet(world, { accountId, type: 1, currency: usd });
    coins = await arrangeWallet(world, { accountId, currency: btc });
    await fund(world, vault, "10");
    await fund(world, shop, "10000");
    await fund(world, coins, "1");
    world.rates.set("1002 840", rateOf("2000.50"));
    await database.sql(
      `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values ($1::bigint, '1002', 'payout', 10000, 0, 0)`,
      [accountId],
    );
    const own = await arrangeDeposit(world, { ...vault });
    const paying: readonly [Wallet, JsonObject, JsonObject?][] = [
      [vault, { label: "Rent 50%", tracking_id: "order_1", confirmations_needed: 3 }],
      [shop, { amount: "1" }],
      [
        coins,
        { amount: "0.5", address: bitcoinPayee, is_fee_included: true, fee_amount: "0.000002" },
        { currency: { data: { type: "currency", id: "1000" } } },
      ],
      [vault, { amount: "2", address: own.address, fee_amount: null }],
    ];
    for (const [from, attributes, relationships = {}] of paying) {
      world.clock.advance(3_600);
      ids.push((await make(from, { attributes, relationships })).id);
    }
    await learn(ids[1] ?? "", { stage: "cancelled", status: 3 });
  });

  const found = async (query: string): Promise<string> => {
    const { many, status, text } = await ask("GET", `/payout/?${query}`, tenant);
    expect(status, text).toBe(200);
    return many.map(({ id }) => ids.indexOf(id)).join(" ");
  };

  test.each([
    ["", "3 2 1 0"],
    ["sort=created_at", "0 1 2 3"],
    ["sort=status,-id", "3 2 0 1"],
    ["filter[id]=ID0", "0"],
    ["filter[currency]=1000", "2"],
    ["filter[currency]=840", ""],
    ["filter[wallet]=VAULT", "3 0"],
    ["filter[wallet]=99999999", ""],
    ["filter[wallet_from]=SHOP", "1"],
    ["filter[wallet_from]=shop", ""],
    ["filter[wallet_to]=VAULT", "3"],
    ["filter[wallet_to]=SHOP", ""],
    ["filter[wallet_type]=1", "1"],
    ["filter[wallet_type]=2", "3 2 0"],
    ["filter[label]=rent 50%25", "0"],
    ["filter[label]=50_", ""],
    ["filter[tracking_id]=ORDER_", "0"],
    ["filter[address]=" + payee, "1 0"],
    ["filter[address]=" + payee.toLowerCase(), "1 0"],
    ["filter[address]=" + "x".repeat(300), ""],
    ["filter[confirmations_needed]=3", "0"],
    ["filter[status]=2", "3 2 0"],
    ["filter[status]=3", "1"],
    ["filter[status]=1", ""],
    ["filter[rate_requested]=2000.5", "1"],
    ["filter[rate_requested]=1", "3 2 0"],
    ["filter[is_fee_included]=true", "2"],
    ["filter[is_fee_included]=false", "3 1 0"],
    ["filter[amount]=0.50", "2"],
    ["filter[amount]=1", "1"],
    ["filter[amount]=-1", ""],
    ["filter[charged]=2020.5", "1"],
    ["filter[charged]=0.101", "0"],
    ["filter[commission]=0.001", "0"],
    ["filter[commission]=20.01", "1"],
    ["filter[commission]=20.005", ""],
    ["filter[commission]=0", "2"],
    ["filter[source_commission]=0.01", "1"],
    ["filter[created_at_from]=TIME2", "3 2"],
    ["filter[created_at_to]=TIME2", "2 1 0"],
    ["filter[updated_at_to]=2026-01-01", ""],
    ["filter[help_email]=a@b.example", ""],
    ["filter[time_limit]=60", ""],
    ["filter[inaccuracy]=0", ""],
    ["filter[target_amount_requested]=1", ""],
    ["filter[expired_at_from]=2020-01-01", ""],
    ["filter[expired_at_to]=2030-01-01", ""],
    ["filter[target_paid]=0", ""],
    ["filter[enrolled]=0", ""],
    ["filter[target_paid_pending]=0", ""],
    ["filter[source_paid_pending]=0", ""],
    ["filter[source_paid]=0", ""],
    ["filter[source_amount_requested]=1", ""],
    ["filter[status]=2&filter[wallet]=VAULT&filter[amount]=2", "3"],
  ])("?%s finds: %s", async (query, expected) => {
    const { createdAt } = await read({ accountId: vault.accountId, id: ids[2] ?? "" });
    const filled = query
      .replace("ID0", ids[0] ?? "")
      .replace("VAULT", vault.walletId)
      .replace("SHOP", shop.walletId)
      .replace("TIME2", formatTimestamp(createdAt));
    expect(await found(filled)).toBe(expected);
  });

  test.each([
    "currency=01",
    "currency=123456789",
    "wallet_to=" + "1".repeat(65),
    "wallet_type=6",
    "id=0",
    "created_at_from=now",
    "label=" + "x".repeat(33),
    "tracking_id=" + "x".repeat(129),
    "commission=lots",
    "confirmations_needed=100",
    "help_email=" + "x".repeat(65),
    "status=4",
    "time_limit=-1",
    "inaccuracy=" + "1".repeat(33),
    "rate_requested=" + "1".repeat(33),
    "target_paid=" + "1".repeat(65),
    "is_fee_included=maybe",
    "amount=1e3",
    "charged=" + "1".repeat(33),
    "amount=",
    "colour=red",
  ])("filter %s is refused", async (filter) => {
    const [name = "", text = ""] = filter.split("=");
    const answer = await ask("GET", `/payout/?filter[${name}]=${text}`, tenant);
    expect(answer.status).toBe(400);
    expect(answer.errors[0]?.source).toEqual({ parameter: `filter[${name}]` });
  });

  test("pages by number and by cursor, of the wallets that the caller may see", async () => {
    const first = await ask("GET", "/payout/?page[size]=3", tenant);
    expect(first.pagination).toEqual({ page: 1, pages: 2, count: 4 });
    const after = await ask("GET", "/payout/?page[after]=&page[size]=3", tenant);
    const next = await ask(
      "GET",
      (after.links.next ?? "").replace("http://pay.example", ""),
      tenant,
    );
    expect(next.many.map(({ id }) => id)).toEqual([ids[0]]);
    const narrow: Principal = {
      ...{ ...tenant, memberId: "2" },
      wallets: new Map([[shop.walletId, { mayPay: false }]]),
    };
    const seen = await ask("GET", "/payout/", narrow);
    expect([seen.many.map(({ id }) => id), seen.pagination.count]).toEqual([[ids[1]], 1]);
  });
});

describe("PATCH /payout/{id}/", () => {
  test("changes label and tracking_id, clears them, and leaves alone what is not named", async () => {
    const { id } = await make(wallet, { attributes: { label: "old", tracking_id: "a" } });
    const first = await ask("PATCH", `/payout/${id}/`, owner, patch(id, { label: "new" }));
    expect(first.one.attributes).toMatchObject({ label: "new", tracking_id: "a" });
    const second = await ask("PATCH", `/payout/${id}/`, owner, patch(id, { tracking_id: "" }));
    expect(second.one.attributes).toMatchObject({ label: "new", tracking_id: null });
  });

  test("a tracking_id of another payout of the wallet is 400/4012, its own or another wallet's is not", async () => {
    const one = await make(wallet, { attributes: { tracking_id: "taken" } });
    const { id } = await make(wallet);
    await learn(one.id, { stage: "cancelled", status: 3 });
    const body = patch(id, { tracking_id: "taken" });
    expect(faults(await ask("PATCH", `/payout/${id}/`, owner, body))).toEqual([
      "400",
      "4012 /data/attributes/tracking_id",
    ]);
    const own = patch(one.id, { tracking_id: "taken" });
    expect((await ask("PATCH", `/payout/${one.id}/`, owner, own)).status).toBe(200);
    const other = await arrangeWallet(world, { accountId: wallet.accountId });
    await fund(world, other, "1");
    const elsewhere = await make(other);
    const there = patch(elsewhere.id, { tracking_id: "taken" });
    expect((await ask("PATCH", `/payout/${elsewhere.id}/`, owner, there)).status).toBe(200);
  });

  test("of many at once who want the same tracking_id one gets it", async () => {
    const made = await Promise.all(Array.from({ length: 8 }, () => make(wallet)));
    const answers = await Promise.all(
      made.map(({ id }) =>
        ask("PATCH", `/payout/${id}/`, owner, patch(id, { tracking_id: "wanted" })),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...made.slice(1).map(() => 400),
    ]);
  });

  test("is for who may pay from the wallet", async () => {
    const { id } = await make(wallet);
    const body = patch(id, { label: "x" });
    const asked = async (as: Principal) => faults(await ask("PATCH", `/payout/${id}/`, as, body));
    expect(await asked(member("read_only", "2"))).toEqual(["403", "permission_denied"]);
    const rights = new Map([[wallet.walletId, { mayPay: false }]]);
    expect(await asked({ ...admin(), wallets: rights })).toEqual(["400", "4002"]);
    expect(await asked({ ...admin(), wallets: new Map() })).toEqual(["400", "5001"]);
    expect(await asked(ownerOf((await arrangeWallet(world)).accountId))).toEqual(["404", "404"]);
    const long = patch(id, { label: "x".repeat(33), tracking_id: "x".repeat(129) });
    expect(faults(await ask("PATCH", `/payout/${id}/`, owner, long))).toEqual([
      "400",
      "1007 /data/attributes/label",
      "1007 /data/attributes/tracking_id",
    ]);
  });
});

describe("POST /payout/{id}/approve/", () => {
  const approve = (id: string, as: Principal) => ask("POST", `/payout/${id}/approve/`, as);

  test("another member lets it be paid, with a signature over what is to be paid", async () => {
    const waiting = await make(wallet, { as: asker() });
    expect([waiting.status, waiting.stage, waiting.approval]).toEqual([1, "waiting", null]);
    const { status, one } = await approve(waiting.id, admin());
    expect([status, one.attributes["status"]]).toEqual([200, 2]);
    const approved = await read(waiting);
    expect(approved).toMatchObject({ stage: "held", approvedByMemberId: "2" });
    const intent = payoutIntent(approved, testCurrencies.get("1002"));
    expect(Buffer.from(approved.approval ?? "")).toEqual(Buffer.from(approvalMessage(intent)));
    expect(faults(await approve(waiting.id, admin()))).toEqual(["400", "1007"]);
    await expectBooksToBalance(database);
  });

  test("never its creator, whatever the role, nor who may not pay from the wallet", async () => {
    const { id } = await make(wallet, { as: asker() });
    const rights = new Map([[wallet.walletId, { mayPay: false }]]);
    const refused: readonly [Principal, string, string][] = [
      [asker(), "403", "permission_denied"],
      [member("owner", "5"), "403", "permission_denied"],
      [member("withdrawals_with_approval", "6"), "403", "permission_denied"],
      [member("read_only", "7"), "403", "permission_denied"],
      [{ ...admin(), wallets: rights }, "400", "4002"],
      [{ ...admin(), wallets: new Map() }, "400", "5001"],
      [ownerOf((await arrangeWallet(world)).accountId), "404", "404"],
    ];
    for (const [as, status, code] of refused) {
      expect(faults(await approve(id, as))).toEqual([status, code]);
    }
    expect((await approve(id, member("withdrawals", "8"))).status).toBe(200);
  });

  test("pays at once what stays inside the service", async () => {
    const target = await arrangeWallet(world, { accountId: wallet.accountId });
    const deposit = await arrangeDeposit(world, await arrangeWallet(world));
    const toWallet = await make(wallet, {
      as: asker(),
      attributes: { address: undefined, target_wallet: target.walletId, fee_amount: undefined },
    });
    const toDeposit = await make(wallet, {
      as: asker(),
      attributes: {
        address: deposit.address,
        fee_amount: undefined,
        callback_url: "https://s.example/",
      },
    });
    expect((await read(toDeposit)).stage).toBe("waiting");
    for (const { id } of [toWallet, toDeposit])
      expect((await approve(id, admin())).status).toBe(200);
    expect(await readBalance(world, target)).toMatchObject({ available: 10n ** 17n });
    expect(await readBalance(world, deposit)).toMatchObject({ available: 10n ** 17n });
    expect(await read(toDeposit)).toMatchObject({ stage: "internal", isConfirmed: true });
    const [told] = await database.sql<{ trigger: string }>(
      "select trigger from event where object_type = 'payout' and object_id = $1",
      [toDeposit.id],
    );
    expect(told?.trigger).toBe("confirmed");
    await expectBooksToBalance(database);
  });

  test.each<[string, string, [string, string]]>([
    [
      "all",
      "insert into payout_stop values ('all', false, 'test', '2026-01-01Z')",
      ["403", "3019"],
    ],
    [
      "of its chain",
      "insert into payout_stop values ('chain/ETH', false, 'test', '2026-01-01Z')",
      ["403", "3019"],
    ],
    ["of its wallet", "update wallet set payouts_blocked = true where id = $1", ["403", "3019"]],
    [
      "by reconciliation",
      "insert into payout_stop values ('chain/ETH', true, 'test', '2026-01-01Z')",
      ["503", "4018"],
    ],
  ])(
    "moves nothing inside the service while payouts are stopped: %s",
    async (_which, stop, fault) => {
      const target = await arrangeWallet(world, { accountId: wallet.accountId });
      const { id } = await make(wallet, {
        as: asker(),
        attributes: { address: undefined, target_wallet: target.walletId, fee_amount: undefined },
      });
      await database.sql(stop, stop.includes("$1") ? [wallet.walletId] : []);
      const refused = await approve(id, admin());
      await database.sql("delete from payout_stop");
      await database.sql("update wallet set payouts_blocked = false");
      expect(faults(refused)).toEqual(fault);
      expect(await readBalance(world, target)).toMatchObject({ available: 0n });
      expect((await approve(id, admin())).status).toBe(200);
    },
  );

  test("of two who approve at once one does", async () => {
    const { id } = await make(wallet, { as: asker() });
    const answers = await Promise.all([approve(id, admin()), approve(id, member("owner", "3"))]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });
});

describe("POST /payout/{id}/cancel/", () => {
  const cancel = (id: string, as = owner) => ask("POST", `/payout/${id}/cancel/`, as);
  const full = 10n ** 19n;

  test("gives the money back, of one that waits and of one that is approved", async () => {
    for (const as of [asker(), owner]) {
      const { id } = await make(wallet, { as });
      const { status, one } = await cancel(id, as);
      expect([status, one.attributes["status"]]).toEqual([200, 3]);
      expect(faults(await cancel(id, as))).toEqual(["400", "1007"]);
    }
    expect(await readBalance(world, wallet)).toMatchObject({ available: full });
    await expectBooksToBalance(database);
  });

  test("withdraws it from a spend that nothing was signed of, and from no other", async () => {
    const { id } = await make(wallet);
    await learn(id, { stage: "sending", spendId: "77" });
    expect(faults(await cancel(id))).toEqual(["400", "1007"]);
    spends.withdraw = async (tx) => {
      const now = world.clock.now();
      const back = (payout: Payout): Payout => ({ ...payout, stage: "held", spendId: null });
      await changePayouts(tx, world.context, [id], back, now);
      return true;
    };
    expect((await cancel(id)).status).toBe(200);
    expect(spends.withdrawn.slice(-2)).toEqual(["77", "77"]);
    expect(await readBalance(world, wallet)).toMatchObject({ available: full });
  });

  test("is refused once it is paid, or has failed", async () => {
    const block = { height: 7, hash: "b7" };
    const states: readonly Partial<Payout>[] = [
      { stage: "included", block },
      { stage: "failed", block },
    ];
    for (const facts of states) {
      const { id } = await make(wallet);
      await learn(id, facts);
      expect(faults(await cancel(id))).toEqual(["400", "1007"]);
    }
  });

  test("a blocked one can be cancelled; who creates with approval cancels only its own", async () => {
    const blocked = await make(wallet);
    await learn(blocked.id, { stage: "blocked", message: "risk 91" });
    expect(faults(await cancel(blocked.id, asker()))).toEqual(["403", "permission_denied"]);
    expect((await cancel(blocked.id, admin())).status).toBe(200);
    expect(faults(await cancel(blocked.id, member("read_only", "2")))).toEqual([
      "403",
      "permission_denied",
    ]);
  });
});

test("a blocked payout's transfer shows why, and is released by an Owner", async () => {
  const payout = await make(wallet);
  await learn(payout.id, { stage: "blocked", riskStatus: 3, risk: 91, message: "risk 91" });
  const url = `/transfer/${payout.transferId}/`;
  expect((await ask("GET", url)).one.attributes).toMatchObject({
    ...{ op_id: Number(payout.id), op_type: 2, status: -2, risk: 91, message: "risk 91" },
    ...{ amount: "0.100000000000000000", amount_cleared: "0.100000000000000000", txid: null },
    fee: "0.000000000000000200",
  });
  expect(faults(await ask("POST", `${url}release/`, admin()))).toEqual([
    "403",
    "permission_denied",
  ]);
  const { one } = await ask("POST", `${url}release/`);
  expect(one.attributes).toMatchObject({ status: 0, message: null });
  expect((await read(payout)).stage).toBe("held");
  expect(
    await database.sql(
      "select action, object_type, object_id from audit_entry where account_id = $1 order by seq desc limit 1",
      [wallet.accountId],
    ),
  ).toEqual([{ action: "payout.released", object_type: "payout", object_id: payout.id }]);
  expect(faults(await ask("POST", `${url}release/`))).toEqual(["400", "1007"]);
  const listed = await ask("GET", `/transfer/?filter[op_id]=${payout.id}&filter[op_type]=2`);
  expect(listed.many.map(({ id }) => id)).toEqual([payout.transferId]);
});

test("OPTIONS tells filters, writable fields and address masks", async () => {
  const { document } = await ask("OPTIONS", "/payout/");
  const { actions, custom, allowed_methods } = document["data"] as {
    actions: { GET: JsonObject; POST: JsonObject };
    custom: { POST: { address_masks: JsonObject } };
    allowed_methods: readonly string[];
  };
  expect(allowed_methods).toEqual(expect.arrayContaining(["GET", "POST", "HEAD", "OPTIONS"]));
  expect(actions.GET).toMatchObject({
    address: { lookup_expr: "exact" },
    charged: { lookup_expr: "icontains", max_length: 32 },
    is_fee_included: { lookup_expr: "exact" },
  });
  expect(Object.keys(actions.GET["address"] as JsonObject)).not.toContain("max_length");
  expect(Object.keys(actions.POST)).toEqual(
    expect.arrayContaining(["exp", "tag", "tag_type", "target_deposit", "target_wallet"]),
  );
  expect(custom.POST.address_masks).toMatchObject({
    "1002": [{ address_type: null, is_default: true }],
    "1000": [{ address_type: "bech32", is_default: true }],
  });
});
