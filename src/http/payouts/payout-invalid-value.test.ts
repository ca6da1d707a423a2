import { describe, expect, it } from "vitest";
import {
  arrangeDeposit,
  arrangeWallet,
  btc,
  ownerOf,
  usdt,
} from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import { currencyIs, type Members } from "../../../test/support/payout-world.ts";
import {
  attribute,
  currencyPointer,
  usePayoutRefusals,
  walletPointer,
} from "../../../test/support/use-payout-refusals.ts";
import type { Principal } from "../../accounts/principal.ts";
import { walletType } from "../../accounts/wallets/wallet.ts";
import type { JsonObject, JsonValue } from "../../platform/kernel/json.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";

/*
 * `POST /payout/` with invalid values over the real server and database: 400/1007 with a pointer to each, and the
 * rejected request changes nothing and does not use its key.
 */

const { database, world, payouts, wallets, refused, withAttributes } = usePayoutRefusals();

describe("1007: invalid value", () => {
  it.each<[string, Members]>([
    ["amount", { amount: undefined }],
    ["amount", { amount: "" }],
    ["amount", { amount: "much" }],
    ["amount", { amount: "0.1000000000000000001" }],
    ["amount", { amount: "1".repeat(37) }],
    ["amount", { amount: ["1"] }],
    ["fee_amount", { fee_amount: undefined }],
    ["fee_amount", { fee_amount: "" }],
    ["fee_amount", { fee_amount: "little" }],
    ["fee_amount", { fee_amount: "-1" }],
    ["fee_amount", { fee_amount: "0.0000000000000000001" }],
    ["fee_amount", { fee_amount: "1".repeat(37) }],
    ["address", { address: undefined }],
    ["address", { address: "" }],
    ["address", { address: null }],
    ["address", { address: "x".repeat(129) }],
    ["address", { address: ["0x"] }],
    ["label", { label: "x".repeat(33) }],
    ["label", { label: "\u0000" }],
    ["tracking_id", { tracking_id: "x".repeat(129) }],
    ["confirmations_needed", { confirmations_needed: -1 }],
    ["confirmations_needed", { confirmations_needed: 101 }],
    ["confirmations_needed", { confirmations_needed: "some" }],
    ["callback_url", { callback_url: "shop.example" }],
    ["callback_url", { callback_url: "http://shop.example/" }],
    ["callback_url", { callback_url: "https://127.0.0.1/" }],
    ["callback_url", { callback_url: `https://shop.example/${"p".repeat(236)}` }],
    ["is_fee_included", { is_fee_included: "maybe" }],
    ["force_blockchain", { force_blockchain: true }],
    ["tag", { tag: "7" }],
    ["tag", { tag: "x".repeat(65) }],
    ["tag_type", { tag_type: "0" }],
    ["tag_type", { tag_type: "1".repeat(65) }],
    ["target_deposit", { address: undefined, target_deposit: "nobody" }],
    [
      "target_deposit",
      { address: undefined, target_deposit: "8e03978e-40d5-43e8-bc93-6894a57f9324" },
    ],
    ["target_deposit", { target_deposit: "8e03978e-40d5-43e8-bc93-6894a57f9324" }],
    ["target_wallet", { target_wallet: "1" }],
    ["target_wallet", { address: undefined, target_wallet: "nobody" }],
    ["target_wallet", { address: undefined, target_wallet: "999999999" }],
    ["travel_rule_info", { travel_rule_info: undefined }],
    ["travel_rule_info", { travel_rule_info: null }],
    ["travel_rule_info", { travel_rule_info: "me" }],
  ])("rejects %s: %j", async (field, attributes) => {
    expect(await withAttributes(wallets.ether, attributes)).toEqual([
      "400",
      `1007 ${attribute(field)}`,
    ]);
  });

  const persons = `${attribute("travel_rule_info")}/beneficiary/beneficiaryPersons`;
  const natural = (members: JsonObject): JsonObject => ({
    beneficiary: {
      beneficiaryPersons: [
        {
          naturalPerson: {
            name: [{ nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] }],
            geographicAddress: [
              { country: "DE", addressLine: ["Unter den Linden 1"], addressType: "HOME" },
            ],
            ...members,
          },
        },
      ],
    },
  });
  it.each<[string, JsonValue]>([
    [`${attribute("travel_rule_info")}/beneficiary`, {}],
    [persons, { beneficiary: { beneficiaryPersons: [] } }],
    [`${persons}/0`, { beneficiary: { beneficiaryPersons: [{}] } }],
    [`${persons}/0/naturalPerson/name`, natural({ name: [] })],
    [
      `${persons}/0/naturalPerson/name/0/nameIdentifier/0/secondaryIdentifier`,
      natural({ name: [{ nameIdentifier: [{ primaryIdentifier: "Doe" }] }] }),
    ],
    [`${persons}/0/naturalPerson/geographicAddress`, natural({ geographicAddress: [] })],
    [
      `${persons}/0/naturalPerson/geographicAddress/0/country`,
      natural({
        geographicAddress: [{ country: "QQ", addressLine: ["1"], addressType: "HOME" }],
      }),
    ],
    [
      `${persons}/0/naturalPerson/geographicAddress/0/addressType`,
      natural({ geographicAddress: [{ addressLine: ["1"], addressType: "CAVE" }] }),
    ],
  ])("points to the invalid member of travel_rule_info: %s", async (pointer, travel_rule_info) => {
    expect(await withAttributes(wallets.ether, { travel_rule_info })).toEqual([
      "400",
      `1007 ${pointer}`,
    ]);
  });

  it("returns the same error for a missing, unknown or foreign wallet, whatever was granted", async () => {
    for (const walletId of [wallets.stranger.walletId, "999999999", "0", "-1", "abc", "1e3", ""]) {
      expect(await refused({ ...wallets.ether, walletId })).toEqual([
        "400",
        `1007 ${walletPointer}`,
      ]);
    }
    expect(await refused(wallets.ether, { relationships: { wallet: undefined } })).toEqual([
      "400",
      `1007 ${walletPointer}`,
    ]);
    const as = { ...ownerOf(wallets.ether.accountId), memberId: "9", wallets: new Map() };
    for (const walletId of [wallets.stranger.walletId, "999999999", "abc"]) {
      expect(await refused({ ...wallets.ether, walletId }, { as })).toEqual([
        "400",
        `1007 ${walletPointer}`,
      ]);
    }
  });

  it("rejects a currency that is missing, unknown, fiat, or not the wallet's", async () => {
    for (const currency of ["777777", "ETH", "840", "1000"]) {
      expect(await refused(wallets.ether, { relationships: currencyIs(currency) })).toEqual([
        "400",
        `1007 ${currencyPointer}`,
      ]);
    }
    expect(await refused(wallets.ether, { relationships: { currency: undefined } })).toEqual([
      "400",
      `1007 ${currencyPointer}`,
    ]);
    const swap = await arrangeWallet(world, {
      accountId: wallets.ether.accountId,
      type: walletType.swap,
      currency: usdt,
    });
    expect(await refused(swap)).toEqual(["400", `1007 ${currencyPointer}`]);
  });

  it("points to the target wallet if it was given, and requires one that the caller may view", async () => {
    const relationships = {
      target_wallet: { data: { type: "wallet", id: wallets.stranger.walletId } },
    };
    expect(
      await refused(wallets.ether, { attributes: { address: undefined }, relationships }),
    ).toEqual(["400", "1007 /data/relationships/target_wallet"]);
    const as: Principal = {
      ...ownerOf(wallets.ether.accountId),
      memberId: "9",
      wallets: new Map([[wallets.ether.walletId, { mayPay: true }]]),
    };
    const attributes = { address: undefined, target_wallet: wallets.merchant.walletId };
    expect(await refused(wallets.ether, { as, attributes })).toEqual([
      "400",
      `1007 ${attribute("target_wallet")}`,
    ]);
  });

  it("rejects different target wallets in attribute and relationship", async () => {
    const relationships = {
      target_wallet: { data: { type: "wallet", id: wallets.merchant.walletId } },
    };
    const attributes = { address: undefined, target_wallet: wallets.ether.walletId };
    expect(await refused(wallets.ether, { attributes, relationships })).toEqual([
      "400",
      `1007 ${attribute("target_wallet")}`,
    ]);
  });

  it("rejects a target wallet that does not take the currency, is inactive, is for NFTs, or is forced onto the chain", async () => {
    const { accountId } = wallets.ether;
    const nft = await arrangeWallet(world, { accountId, type: walletType.nft });
    const asleep = await arrangeWallet(world, { accountId });
    await database.sql("update wallet set status = 1 where id = $1", [asleep.walletId]);
    for (const target of [wallets.bitcoin, nft, asleep]) {
      const attributes = { address: undefined, target_wallet: target.walletId };
      expect(await withAttributes(wallets.ether, attributes)).toEqual([
        "400",
        `1007 ${attribute("target_wallet")}`,
      ]);
    }
    const attributes = {
      address: undefined,
      target_wallet: wallets.ether.walletId,
      force_blockchain: true,
    };
    expect(await withAttributes(wallets.merchant, attributes)).toEqual([
      "400",
      `1007 ${attribute("force_blockchain")}`,
    ]);
  });

  it("rejects a target deposit in another currency, or in none yet", async () => {
    const other = await arrangeDeposit(world, wallets.bitcoin);
    const open = await arrangeDeposit(world, wallets.merchant, { currency: btc });
    await database.sql("update deposit set currency = null, address = null where id = $1", [
      open.id,
    ]);
    for (const { paymentPageId } of [other, open]) {
      const attributes = { address: undefined, target_deposit: paymentPageId };
      expect(await withAttributes(wallets.ether, attributes)).toEqual([
        "400",
        `1007 ${attribute("target_deposit")}`,
      ]);
    }
  });

  it("returns several faults of document and values together, sorted by pointer", async () => {
    const attributes = {
      label: "x".repeat(33),
      amount: "0.1000000000000000001",
      tag: "1",
      travel_rule_info: {},
      callback_url: "https://10.0.0.1/",
    };
    expect(await withAttributes(wallets.ether, attributes)).toEqual([
      "400",
      ...["amount", "callback_url", "label", "tag", "travel_rule_info/beneficiary"].map(
        (field) => `1007 ${attribute(field)}`,
      ),
    ]);
    const nothing = { data: { type: "payout", attributes: {} } };
    const headers = { "idempotency-key": systemRandom.uuid() };
    const answer = await payouts.api.ask("POST", "/payout/", {
      body: nothing,
      headers,
      as: ownerOf(wallets.ether.accountId),
    });
    expect(faults(answer)).toEqual([
      "400",
      ...["address", "amount", "travel_rule_info"].map((field) => `1007 ${attribute(field)}`),
      ...[`1007 ${currencyPointer}`, `1007 ${walletPointer}`],
    ]);
  });
});
