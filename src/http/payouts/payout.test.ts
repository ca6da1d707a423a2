import { beforeAll, describe, expect, it } from "vitest";
import {
  arrangeDeposit,
  arrangeWallet,
  btc,
  ownerOf,
  rateOf,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import {
  bitcoinPayee,
  currencyIs,
  fund,
  payee,
  receiver,
} from "../../../test/support/payout-world.ts";
import { usePayouts } from "../../../test/support/use-payouts.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/* Reading and listing payouts over the real server and database: attributes, filters, pages, and who may view what. */

const { database, world, payouts, account, ask, member, catchUp } = usePayouts();
const { api, make, learn, read } = payouts;

describe("GET and OPTIONS /payout/", () => {
  describe("GET /payout/{id}", () => {
    it("returns every attribute of the interface, null if it does not apply", async () => {
      const { id } = await make(account.wallet);
      const { one } = await ask("GET", `/payout/${id}`);
      expect(one).toEqual({
        type: "payout",
        id,
        attributes: {
          amount: "0.100000000000000000",
          fee_amount: "0.000000000000000200",
          exp: 18,
          address: payee,
          destination: { address_type: null, address: payee },
          target_deposit: null,
          target_wallet: null,
          tracking_id: null,
          label: null,
          confirmations_needed: null,
          is_fee_included: false,
          status: 2,
          state: "queued",
          rate_requested: "1",
          callback_url: null,
          force_blockchain: false,
          tag_type: null,
          tag: null,
          travel_rule_info: receiver,
          created_at: "2026-01-02T03:04:05.678901Z",
        },
        relationships: {
          currency: { data: { type: "currency", id: "1002" } },
          wallet: { data: { type: "wallet", id: account.wallet.walletId } },
        },
      });
    });

    it("shows a token's fee in its parent coin and its amount in its own digits", async () => {
      const tokens = await arrangeWallet(world, {
        accountId: account.wallet.accountId,
        currency: "2015" as never,
      });
      await fund(world, tokens, "100");
      const { id } = await make(tokens, {
        attributes: { amount: "12.5" },
        relationships: currencyIs("2015"),
      });
      const { attributes } = (await ask("GET", `/payout/${id}/`)).one;
      expect(attributes).toMatchObject({
        amount: "12.500000",
        exp: 6,
        fee_amount: "0.000000000000000200",
      });
    });

    it("shows travel-rule data to roles that may pay, and to no one in lists", async () => {
      const { id } = await make(account.wallet);
      const shown = async (as: Principal) =>
        (await ask("GET", `/payout/${id}/`, as)).one.attributes["travel_rule_info"];
      for (const role of ["admin", "withdrawals", "withdrawals_with_approval"] as const) {
        expect(await shown(member(role, "2"))).toEqual(receiver);
      }
      expect(await shown(member("read_only", "2"))).toBeNull();
      const { resources } = await ask("GET", "/payout/");
      expect(resources.map(({ attributes }) => attributes["travel_rule_info"])).toEqual([null]);
    });

    it("returns 404 for missing or foreign payouts, 400/5001 for a wallet not granted, 401/2007 without a token", async () => {
      const { id } = await make(account.wallet);
      const stranger = ownerOf((await arrangeWallet(world)).accountId);
      for (const name of ["99999999", "0", "abc", "-1", "9".repeat(30)]) {
        expect(faults(await ask("GET", `/payout/${name}/`))).toEqual(["404", "404"]);
      }
      expect(faults(await ask("GET", `/payout/${id}/`, stranger))).toEqual(["404", "404"]);
      const narrow = { ...account.owner, memberId: "9", wallets: new Map() };
      expect(faults(await ask("GET", `/payout/${id}/`, narrow))).toEqual(["400", "5001"]);
      expect((await ask("GET", "/payout/", narrow)).resources).toEqual([]);
      expect(faults(await api.ask("GET", `/payout/${id}/`, { as: null }))).toEqual(["401", "2007"]);
    });

    it("includes wallet and currency", async () => {
      const { id } = await make(account.wallet);
      const { included } = await ask("GET", `/payout/${id}/?include=wallet,currency`);
      expect(included.map(({ type, id: name }) => `${type} ${name}`).toSorted()).toEqual([
        "currency 1002",
        `wallet ${account.wallet.walletId}`,
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
        await catchUp();
        ids.push((await make(from, { attributes, relationships })).id);
      }
      await learn(ids[1] ?? "", { stage: "cancelled", status: 3 });
    });

    const found = async (query: string): Promise<string> => {
      const { resources, status, text } = await ask("GET", `/payout/?${query}`, tenant);
      expect(status, text).toBe(200);
      return resources.map(({ id }) => ids.indexOf(id)).join(" ");
    };

    it.each([
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
      ["filter[state]=confirmed", "3"],
      ["filter[state]=queued", "2 0"],
      ["filter[state]=canceled", "1"],
      ["filter[state]=sent", ""],
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
    ])("finds with ?%s: %s", async (query, expected) => {
      const { createdAt } = await read({ accountId: vault.accountId, id: ids[2] ?? "" });
      const filled = query
        .replace("ID0", ids[0] ?? "")
        .replace("VAULT", vault.walletId)
        .replace("SHOP", shop.walletId)
        .replace("TIME2", formatTimestamp(createdAt));
      expect(await found(filled)).toBe(expected);
    });

    it("finds payouts to a shared account by account, or by account and tag in one address", async () => {
      const id = ids[0] ?? "";
      const address = async (text: string | null, tag: string | null) =>
        await database.sql(
          "update payout set address = $2::text, tag = $3::text where id = $1 returning address",
          [id, text, tag],
        );
      const [before] = await database.sql<{ address: string }>(
        "select address from payout where id = $1",
        [id],
      );
      await address("rAccount", "5");
      expect(await found("filter[address]=rAccount")).toBe("0");
      expect(await found("filter[address]=rAccount%3F5")).toBe("0");
      expect(await found("filter[address]=rAccount%3F6")).toBe("");
      expect(await found("filter[address]=raccount")).toBe("");
      await address(before?.address ?? null, null);
      expect(await found("filter[address]=rAccount")).toBe("");
    });

    it.each([
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
      "paint=red",
    ])("rejects the filter %s", async (filter) => {
      const [name = "", text = ""] = filter.split("=");
      const answer = await ask("GET", `/payout/?filter[${name}]=${text}`, tenant);
      expect(answer.status).toBe(400);
      expect(answer.errors[0]?.source).toEqual({ parameter: `filter[${name}]` });
    });

    it("pages by number and by cursor over the wallets that the caller may view", async () => {
      const first = await ask("GET", "/payout/?page[size]=3", tenant);
      expect(first.pagination).toEqual({ page: 1, pages: 2, count: 4 });
      const after = await ask("GET", "/payout/?page[after]=&page[size]=3", tenant);
      const next = await ask(
        "GET",
        (after.links.next ?? "").replace("http://pay.example", ""),
        tenant,
      );
      expect(next.resources.map(({ id }) => id)).toEqual([ids[0]]);
      const narrow: Principal = {
        ...tenant,
        memberId: "2",
        wallets: new Map([[shop.walletId, { mayPay: false }]]),
      };
      const seen = await ask("GET", "/payout/", narrow);
      expect([seen.resources.map(({ id }) => id), seen.pagination.count]).toEqual([[ids[1]], 1]);
    });
  });

  it("lists filters, writable fields and address masks in OPTIONS", async () => {
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
});
