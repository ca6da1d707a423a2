import { describe, expect, it } from "vitest";
import { created, newDeposit, postDeposit, testSeal } from "../../../test/support/deposit-api.ts";
import {
  arrangeWallet,
  btc,
  eth,
  ownerOf,
  rateOf,
  usdt,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { ada, travelRule, useDepositCreation } from "../../../test/support/use-deposit-creation.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";

/* Successful `POST /deposit/` requests with the real server and database. deposit-refusals.test.ts covers rejected ones. */

const { database, world, api, wallets } = useDepositCreation();

describe("a deposit of an Enterprise wallet", () => {
  it("requires only the wallet and shows every attribute", async () => {
    const answer = await postDeposit(api, wallets.enterprise);
    const { id, attributes, relationships } = created(answer);
    expect(id).toMatch(/^[1-9]\d{0,7}$/);
    expect(answer.headers["location"]).toBe(`http://pay.example/deposit/${id}/`);
    const address = attributes["address"] as string;
    expect(address).toMatch(/^evmAddress\d+$/);
    expect(attributes).toEqual({
      status: 2,
      state: "new",
      is_active: true,
      address,
      address_type: "",
      label: null,
      tracking_id: null,
      confirmations_needed: null,
      time_limit: null,
      callback_url: null,
      inaccuracy: null,
      target_amount_requested: null,
      rate_requested: "1",
      rate_expired_at: null,
      invoice_updated_at: null,
      payment_page: expect.stringMatching(
        /^http:\/\/pay\.example\/pay\/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      ) as unknown,
      target_paid: "0.000000000000000000",
      source_amount_requested: null,
      target_paid_pending: "0.000000000000000000",
      assets: {},
      destination: { address_type: null, address },
      payment_page_redirect_url: null,
      payment_page_button_text: null,
      description: null,
      created_at: "2026-01-02T03:04:05.678901Z",
    });
    expect(relationships).toEqual({
      currency: { data: { type: "currency", id: "1002" } },
      wallet: { data: { type: "wallet", id: wallets.enterprise.walletId } },
    });
    const [issued] = await database.sql("select * from address where address = $1", [address]);
    expect(issued).toMatchObject({
      account_id: wallets.enterprise.accountId,
      wallet_id: wallets.enterprise.walletId,
      deposit_id: id,
      issued_at: world.clock.now(),
    });
    const read = await api.ask("GET", `/deposit/${id}`, {
      as: ownerOf(wallets.enterprise.accountId),
    });
    expect(read.one).toEqual(answer.one);
  });

  it.each(["legacy", "p2sh-segwit", "bech32", "bech32m", "cash", "address", "x-address"])(
    "ignores the address type %s, since ether has only one",
    async (address_type) => {
      const { attributes } = created(await postDeposit(api, wallets.enterprise, { address_type }));
      expect(attributes["address_type"]).toBe("");
    },
  );

  it("stores given values unchanged", async () => {
    const attributes = {
      label: "Ünïcødé ☂ label".padEnd(32, "x"),
      tracking_id: "t".repeat(128),
      confirmations_needed: 100,
      callback_url: `https://shop.example/${"p".repeat(235)}`,
      payment_page_redirect_url: "http://shop.example/thanks?order=5",
      payment_page_button_text: "Back to the shop",
    };
    const answer = created(
      await postDeposit(api, wallets.enterprise, attributes, { currency: "1002" }),
    );
    expect(answer.attributes).toMatchObject(attributes);
  });

  it("treats empty strings and null as not given, accepts numeric ids, and ignores unknown members", async () => {
    const nothing = { label: "", tracking_id: "", callback_url: "", confirmations_needed: null };
    const answer = await api.ask("POST", "/deposit", {
      as: ownerOf(wallets.enterprise.accountId),
      body: newDeposit(
        Number(wallets.enterprise.walletId),
        { ...nothing, color: "red", status: 4 },
        1002,
      ),
    });
    expect(created(answer).attributes).toMatchObject({
      label: null,
      tracking_id: null,
      callback_url: null,
      confirmations_needed: null,
      status: 2,
    });
    expect(
      created(await postDeposit(api, wallets.enterprise, {}, { currency: null })).attributes,
    ).toMatchObject({
      rate_requested: "1",
    });
  });

  it.each([
    { given: undefined, type: "bech32" },
    { given: "bech32", type: "bech32" },
    { given: "p2sh-segwit", type: "p2sh-segwit" },
    { given: "legacy", type: "legacy" },
  ])("has a $type address for bitcoin with address_type $given", async ({ given, type }) => {
    const wallet = await arrangeWallet(world, { currency: btc });
    const attributes = given === undefined ? {} : { address_type: given };
    const { address, address_type, destination } = created(
      await postDeposit(api, wallet, attributes, { currency: "1000" }),
    ).attributes;
    expect(address_type).toBe(type);
    expect(address).toContain(`BTCAddress${type}`);
    expect(destination).toEqual({ address_type: type, address });
  });

  it.each([walletType.custody, walletType.swap])(
    "is created for wallets of type %i too",
    async (type) => {
      const wallet = await arrangeWallet(world, { type, currency: usdt });
      const { relationships } = created(await postDeposit(api, wallet));
      expect(relationships["currency"]).toEqual({ data: { type: "currency", id: "2015" } });
    },
  );
});

describe("a deposit of a Merchant wallet", () => {
  const invoice = { target_amount_requested: "100.00", inaccuracy: "1.50", time_limit: 600 };

  it("locks the rate and rounds the source amount up", async () => {
    const { attributes } = created(
      await postDeposit(api, wallets.merchant, invoice, { currency: "1002" }),
    );
    expect(attributes).toMatchObject({
      target_amount_requested: "100.00",
      inaccuracy: "1.50",
      time_limit: 600,
      rate_requested: "1999.99",
      rate_expired_at: "2026-01-02T03:19:05.678901Z",
      source_amount_requested: "0.050000250001250007",
      invoice_updated_at: "2026-01-02T03:04:05.678901Z",
      target_paid: "0.00",
      target_paid_pending: "0.00",
    });
  });

  it("rounds bitcoin amounts up to the satoshi", async () => {
    world.rates.set("1000 840", rateOf("99999.99"));
    const { attributes } = created(
      await postDeposit(api, wallets.merchant, invoice, { currency: "1000" }),
    );
    expect(attributes["source_amount_requested"]).toBe("0.00100001");
  });

  it("has rate 1 and the exact amount in the wallet's own currency", async () => {
    const wallet = await arrangeWallet(world, { type: walletType.merchant, currency: eth });
    const { attributes } = created(
      await postDeposit(api, wallet, { target_amount_requested: "1.5" }, { currency: "1002" }),
    );
    expect(attributes).toMatchObject({
      rate_requested: "1",
      rate_expired_at: null,
      source_amount_requested: "1.500000000000000000",
    });
  });

  it("has no address, rate or source amount until the payer chooses a currency", async () => {
    world.rates.clear();
    const { attributes, relationships } = created(
      await postDeposit(api, wallets.merchant, invoice),
    );
    expect(attributes).toMatchObject({
      address: null,
      address_type: "",
      destination: null,
      rate_requested: null,
      rate_expired_at: null,
      source_amount_requested: null,
      target_amount_requested: "100.00",
    });
    expect(relationships["currency"]).toEqual({ data: null });
  });

  it("shows the current rate without a requested amount", async () => {
    const { attributes } = created(
      await postDeposit(api, wallets.merchant, {}, { currency: "1002" }),
    );
    expect(attributes).toMatchObject({
      rate_requested: "1999.99",
      rate_expired_at: "2026-01-02T03:04:35.678901Z",
      source_amount_requested: null,
      invoice_updated_at: null,
    });
  });

  it("reads JSON numbers as exact decimals", async () => {
    const owner = ownerOf(wallets.merchant.accountId);
    const text = JSON.stringify(newDeposit(wallets.merchant.walletId, { inaccuracy: "@" }));
    const send = (amount: string, inaccuracy: string) =>
      api.ask("POST", "/deposit/", {
        as: owner,
        body: text.replace('"@"', `${inaccuracy},"target_amount_requested":${amount}`),
      });
    expect(created(await send("100.10", "1e-2")).attributes).toMatchObject({
      target_amount_requested: "100.10",
      inaccuracy: "0.01",
    });
    expect(created(await send("90071992547409931.25", "0")).attributes).toMatchObject({
      target_amount_requested: "90071992547409931.25",
      inaccuracy: "0.00",
    });
    expect(faults(await send("100.101", "0"))).toEqual([
      "400",
      "1007 /data/attributes/target_amount_requested",
    ]);
  });
});

describe("travel-rule data", () => {
  it("is stored encrypted and never shown", async () => {
    const answer = await postDeposit(api, wallets.enterprise, travelRule(ada));
    const { id, attributes } = created(answer);
    expect(answer.text).not.toContain("Lovelace");
    const [row] = await database.sql<{ sealed: Uint8Array }>(
      "select travel_rule_sealed as sealed from deposit where id = $1",
      [id],
    );
    expect(Buffer.from(row!.sealed).toString("latin1")).not.toContain("Lovelace");
    const page = (attributes["payment_page"] as string).split("/").at(-1)!;
    const opened = testSeal.open(row!.sealed, `deposit/${page}/travel-rule`);
    expect(JSON.parse(new TextDecoder().decode(opened))).toEqual({
      beneficiary: {
        beneficiaryPersons: [
          {
            naturalPerson: {
              name: [
                { nameIdentifier: [{ primaryIdentifier: "Lovelace", secondaryIdentifier: "Ada" }] },
              ],
              geographicAddress: [
                { country: "GB", addressLine: ["12 St James's Square"], addressType: "HOME" },
              ],
            },
          },
        ],
      },
    });
  });
});
