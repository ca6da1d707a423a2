import { beforeAll, describe, expect, it } from "vitest";
import { created, postDeposit } from "../../../test/support/deposit-api.ts";
import {
  announceChain,
  arrangeWallet,
  eth,
  fillPool,
  ownerOf,
  payment,
  rateOf,
  usd,
  type Wallet,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { fund, payoutWorld, postPayout } from "../../../test/support/payout-world.ts";
import { useDeposits } from "../../../test/support/use-deposits.ts";
import type { Principal } from "../../accounts/principal.ts";
import type { Deposit } from "../../deposits/deposit.ts";
import { readDepositRow } from "../../deposits/deposit-list.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Instant } from "../../platform/kernel/clock.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { formatTimestamp } from "../../platform/kernel/timestamp.ts";

/*
 * Reading and listing deposits with the real server and database: filters, pages, access by other accounts and restricted
 * members, and OPTIONS.
 */

const { database, world, api, account, ask, make } = useDeposits();

describe("GET /deposit/{id}", () => {
  it("returns 404 for missing, malformed and foreign ids", async () => {
    const { id } = await make();
    const stranger = ownerOf((await arrangeWallet(world)).accountId);
    for (const [url, as] of [
      ...(["99999999", "0", "abc", "-1", "1.5", "9".repeat(30)] as const).map(
        (name) => [`/deposit/${name}/`, account.owner] as const,
      ),
      [`/deposit/${id}/`, stranger] as const,
    ]) {
      expect(faults(await ask("GET", url, as))).toEqual(["404", "404"]);
    }
  });

  it("returns 401/2007 without a token and 400/5001 for a wallet that was not granted", async () => {
    const { id } = await make();
    expect(faults(await api.ask("GET", `/deposit/${id}/`, { as: null }))).toEqual(["401", "2007"]);
    const narrow = { ...account.owner, memberId: "2", wallets: new Map() };
    expect(faults(await ask("GET", `/deposit/${id}/`, narrow))).toEqual(["400", "5001"]);
    const read = await ask("GET", "/deposit/", narrow);
    expect([read.resources, read.pagination.count]).toEqual([[], 0]);
  });

  it("answers with and without trailing slash, to Read only members, with HEAD, include and fields", async () => {
    const { id } = await make();
    const reader = { ...account.owner, memberId: "3", role: "read_only" as const };
    const plain = await ask("GET", `/deposit/${id}`, reader);
    expect(plain.status).toBe(200);
    expect((await ask("GET", `//deposit//${id}/`)).text).toBe(plain.text);
    expect((await ask("HEAD", `/deposit/${id}/`)).status).toBe(200);
    const shaped = await ask("GET", `/deposit/${id}/?include=wallet&fields[deposit]=label,wallet`);
    expect(shaped.one).toEqual({
      type: "deposit",
      id,
      attributes: { label: null },
      relationships: { wallet: { data: { type: "wallet", id: account.merchant.walletId } } },
    });
    expect(shaped.included).toMatchObject([{ type: "wallet", id: account.merchant.walletId }]);
  });
});

describe("GET /deposit/", () => {
  it("lists the account's deposits, newest first, ten per page", async () => {
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      world.clock.advance(1);
      ids.unshift((await make()).id);
    }
    const first = await ask("GET", "/deposit/");
    expect(first.resources.map(({ id }) => id)).toEqual(ids.slice(0, 10));
    expect(first.pagination).toEqual({ page: 1, pages: 2, count: 12 });
    const second = await ask("GET", "/deposit?page[number]=2&page[size]=10");
    expect(second.resources.map(({ id }) => id)).toEqual(ids.slice(10));
    expect(faults(await ask("GET", "/deposit/?page[number]=3"))).toEqual([
      "404",
      "404 page[number]",
    ]);
    const after = await ask("GET", "/deposit/?page[after]=&page[size]=5");
    const next = await ask("GET", after.links.next!.replace("http://pay.example", ""));
    expect(next.resources.map(({ id }) => id)).toEqual(ids.slice(5, 10));
    const oldest = await ask("GET", "/deposit/?sort=created_at&page[size]=1");
    expect(oldest.resources.map(({ id }) => id)).toEqual(ids.slice(-1));
  });

  describe("filters", () => {
    let tenant: Principal;
    let shop: Wallet;
    let vault: Wallet;
    let till: Wallet;
    let invoice: Deposit;
    let paid: Deposit;
    let vaulted: Deposit;
    beforeAll(async () => {
      await fillPool(world, "evm", "", 20);
      world.rates.set("1002 840", rateOf("2000.50"));
      shop = await arrangeWallet(world, { type: 1, currency: usd });
      tenant = ownerOf(shop.accountId);
      vault = await arrangeWallet(world, { accountId: shop.accountId });
      await database.sql(
        `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
         values ($1::bigint, '1002', 'deposit', 10000, 0, 0)`,
        [shop.accountId],
      );
      const create = async (wallet: Wallet, attributes: JsonObject): Promise<Deposit> => {
        world.clock.advance(3_600);
        const currency = { currency: "1002" };
        const { id } = created(await postDeposit(api, wallet, attributes, currency));
        return present(await readDepositRow(database.db, wallet.accountId, id), "the deposit");
      };
      invoice = await create(shop, {
        label: "Order 5_0%",
        tracking_id: "A-77",
        confirmations_needed: 7,
        time_limit: 600,
        target_amount_requested: "100.05",
        inaccuracy: "1.25",
        help_email: "help@shop.example",
      });
      paid = await create(shop, { target_amount_requested: "200.05", label: "order 6 für Ωλγα" });
      vaulted = await create(vault, { tracking_id: "b-77" });
      const chain = await announceChain(world, "ETH");
      await chain.append([payment({ deposit: paid, amount: "0.1" })]);
      await chain.grow(2);
      await chain.append([payment({ deposit: vaulted, amount: "1.5" })]);
      till = await arrangeWallet(world, { accountId: shop.accountId });
      await fund(world, till, "1");
      await payFromTill(vaulted, tenant);
      const asker: Principal = { ...tenant, memberId: "5", role: "withdrawals_with_approval" };
      await payFromTill(invoice, asker);
    });

    /** Off-chain; paid at once unless it needs approval. */
    const payFromTill = async ({ address }: Deposit, as: Principal): Promise<void> => {
      const attributes = { amount: "0.01", address, fee_amount: undefined };
      created(await postPayout(payoutWorld(world), till, { attributes, as }));
    };

    const found = async (query: string): Promise<string> => {
      const { resources, status, text } = await ask("GET", `/deposit/?sort=id&${query}`, tenant);
      expect(status, text).toBe(200);
      const names = new Map([
        [invoice.id, "invoice"],
        [paid.id, "paid"],
        [vaulted.id, "vaulted"],
      ]);
      return resources.map(({ id }) => names.get(id)).join(" ");
    };

    it.each([
      ["", "invoice paid vaulted"],
      ["filter[currency]=1002", "invoice paid vaulted"],
      ["filter[currency]=1000", ""],
      ["filter[wallet]=SHOP", "invoice paid"],
      ["filter[wallet]=999999", ""],
      ["filter[wallet]=abc", ""],
      ["filter[wallet_to]=VAULT", "vaulted"],
      ["filter[wallet_to]=abc", ""],
      ["filter[wallet_from]=TILL", "vaulted"],
      ["filter[wallet_from]=SHOP", ""],
      ["filter[wallet_from]=till", ""],
      ["filter[wallet_type]=1", "invoice paid"],
      ["filter[wallet_type]=2", "vaulted"],
      ["filter[wallet_type]=5", ""],
      ["filter[id]=INVOICE", "invoice"],
      ["filter[created_at_from]=PAID", "paid vaulted"],
      ["filter[created_at_from]=AFTER", "vaulted"],
      ["filter[created_at_to]=PAID", "invoice paid"],
      ["filter[created_at_to]=2026-01-02", "invoice paid vaulted"],
      ["filter[created_at_from]=2026-01-03", ""],
      ["filter[updated_at_from]=2026-01-02T06:00:00Z", "paid vaulted"],
      ["filter[updated_at_to]=2026-01-02T06:00:00Z", "invoice"],
      ["filter[label]=ORDER", "invoice paid"],
      ["filter[label]=5_0%25", "invoice"],
      ["filter[label]=5x0", ""],
      [`filter[label]=${encodeURIComponent("FÜR ωΛΓΑ")}`, "paid"],
      ["filter[tracking_id]=-77", "invoice vaulted"],
      ["filter[tracking_id]=B-", "vaulted"],
      ["filter[commission]=2.01", "paid"],
      ["filter[commission]=2.010", "paid"],
      ["filter[commission]=0", "invoice vaulted"],
      ["filter[commission]=-1", ""],
      ["filter[address]=ADDRESS", "invoice"],
      ["filter[confirmations_needed]=7", "invoice"],
      ["filter[help_email]=help@shop.example", "invoice"],
      ["filter[help_email]=HELP@shop.example", ""],
      ["filter[status]=2", "invoice vaulted"],
      ["filter[status]=3", "paid"],
      ["filter[state]=new", "invoice"],
      ["filter[state]=paid", "paid"],
      ["filter[state]=pending", "vaulted"],
      ["filter[state]=on_hold", ""],
      ["filter[time_limit]=600", "invoice"],
      ["filter[inaccuracy]=.2", "invoice"],
      ["filter[target_amount_requested]=100.050", "invoice"],
      ["filter[target_amount_requested]=100.0501", ""],
      ["filter[rate_requested]=2000.5", "invoice paid"],
      ["filter[rate_requested]=1.0", "vaulted"],
      ["filter[expired_at_from]=EXPIRY", "invoice"],
      ["filter[expired_at_to]=EXPIRY", "invoice"],
      ["filter[expired_at_to]=2026-01-02T04:14:00Z", ""],
      ["filter[target_paid]=200.05", "paid"],
      ["filter[enrolled]=198.04", "paid"],
      ["filter[target_paid_pending]=1.5", "vaulted"],
      ["filter[source_paid_pending]=1.50", "vaulted"],
      ["filter[source_paid]=0.1", "paid"],
      ["filter[source_commission]=0.001", "paid"],
      ["filter[source_amount_requested]=0.1", "paid"],
      ["filter[status]=2&filter[wallet_type]=1&filter[label]=order", "invoice"],
    ])("finds the deposits for %s: %s", async (query, expected) => {
      const filled = query
        .replace("SHOP", shop.walletId)
        .replace("VAULT", vault.walletId)
        .replace("TILL", till.walletId)
        .replace("INVOICE", invoice.id)
        .replace("ADDRESS", invoice.address!)
        .replace("EXPIRY", formatTimestamp(invoice.expiresAt!))
        .replace("PAID", formatTimestamp(paid.createdAt))
        .replace("AFTER", formatTimestamp((paid.createdAt + 1) as Instant));
      expect(await found(filled)).toBe(expected);
    });

    it.each([
      ["currency", "0"],
      ["currency", "01"],
      ["currency", "123456789"],
      ["wallet_from", "x".repeat(65)],
      ["wallet_type", "6"],
      ["id", "-5"],
      ["id", "123456789"],
      ["created_at_from", "yesterday"],
      ["label", "x".repeat(33)],
      ["tracking_id", "x".repeat(129)],
      ["commission", "1e3"],
      ["commission", "1".repeat(33)],
      ["address", "x".repeat(257)],
      ["confirmations_needed", "0"],
      ["confirmations_needed", "100"],
      ["help_email", "x".repeat(65)],
      ["status", "1"],
      ["state", "Paid"],
      ["time_limit", "0"],
      ["inaccuracy", "x".repeat(33)],
      ["target_amount_requested", "1".repeat(33)],
      ["expired_at_to", "x".repeat(65)],
      ["enrolled", "1".repeat(65)],
      ["label", ""],
      ["color", "red"],
    ])("rejects filter[%s]=%s", async (name, text) => {
      const answer = await ask("GET", `/deposit/?filter[${name}]=${text}`, tenant);
      expect(answer.status).toBe(400);
      expect(answer.errors[0]!.source).toEqual({ parameter: `filter[${name}]` });
    });
  });
});

describe("the deposit resource", () => {
  it("lists the interface's filters, writable fields and methods in OPTIONS", async () => {
    const { document, status } = await ask("OPTIONS", "/deposit/");
    expect(status).toBe(200);
    const { data } = document as {
      data: { actions: { GET: JsonObject; POST: JsonObject } };
    };
    const { actions } = data;
    expect(data).toMatchObject({
      renders: ["application/vnd.api+json"],
      parses: expect.arrayContaining([
        "multipart/form-data",
        "application/vnd.api+json",
      ]) as unknown,
      allowed_methods: ["GET", "POST", "HEAD", "OPTIONS"],
    });
    expect(Object.keys(actions.GET).sort()).toEqual(
      [
        ...["currency", "wallet", "wallet_from", "wallet_to", "wallet_type", "id"],
        ...["created_at_from", "created_at_to", "updated_at_from", "updated_at_to"],
        ...["label", "tracking_id", "commission", "address", "confirmations_needed", "help_email"],
        ...[
          "status",
          "state",
          "time_limit",
          "inaccuracy",
          "target_amount_requested",
          "rate_requested",
        ],
        ...["expired_at_from", "expired_at_to", "target_paid", "enrolled", "target_paid_pending"],
        ...["source_paid_pending", "source_paid", "source_commission", "source_amount_requested"],
      ].sort(),
    );
    expect(actions.GET).toMatchObject({
      currency: { lookup_expr: "exact", regexp: "^[1-9][0-9]*$", max_length: 8, required: false },
      wallet_type: { lookup_expr: "exact", choices: [1, 2, 3, 4, 5].map((value) => ({ value })) },
      label: { lookup_expr: "icontains", max_length: 32 },
      tracking_id: { lookup_expr: "icontains", max_length: 128 },
      inaccuracy: { lookup_expr: "icontains", max_length: 32 },
      confirmations_needed: { lookup_expr: "exact", max_length: 2 },
      status: { choices: [2, 3, 4, 5].map((value) => ({ value })) },
      address: { lookup_expr: "exact", max_length: 256 },
      expired_at_from: { lookup_expr: "exact", max_length: 64 },
      enrolled: { lookup_expr: "exact", max_length: 64 },
    });
    expect(actions.POST).toMatchObject({
      wallet: { type: "Relationship", required: true, read_only: false, label: "Wallet" },
      currency: { type: "Relationship", required: false },
      label: { type: "String", max_length: 32, required: false },
      tracking_id: { type: "String", max_length: 128 },
      confirmations_needed: { type: "Integer", min_value: 0, max_value: 100 },
      callback_url: { type: "URL", max_length: 256 },
      status: { type: "Choice", choices: [2, 3, 4, 5].map((value) => ({ value })) },
      address_type: { type: "String", max_length: 16 },
      inaccuracy: { type: "Decimal", min_value: 0 },
      time_limit: { type: "Integer", min_value: 59, max_value: 2_592_000 },
      target_amount_requested: { type: "Decimal", min_value: 0 },
      payment_page_redirect_url: { required: false },
      payment_page_button_text: { required: false },
      travel_rule_info: { required: false },
      payment_page: { read_only: true },
    });
    const required = Object.entries(actions.POST).filter(
      ([, field]) => (field as { required: boolean }).required,
    );
    expect(required.map(([name]) => name)).toEqual(["wallet"]);
  });

  it("shows all digits of an amount in ether", async () => {
    const wallet = await arrangeWallet(world, { currency: eth });
    const { one } = await postDeposit(api, wallet);
    expect(one.attributes["target_paid"]).toBe("0.000000000000000000");
  });
});
