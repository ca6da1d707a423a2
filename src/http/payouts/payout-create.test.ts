import { describe, expect, it } from "vitest";
import { expectBooksToBalance } from "../../../test/support/check-books.ts";
import { created } from "../../../test/support/deposit-api.ts";
import { arrangeWallet, btc, eth, ownerOf, usdt } from "../../../test/support/deposit-world.ts";
import { faults } from "../../../test/support/faults.ts";
import {
  bitcoinPayee,
  currencyIs,
  fund,
  newPayoutDocument,
  payee,
  payoutSeal,
  payoutWorld,
  postPayout,
  receiver,
} from "../../../test/support/payout-world.ts";
import { usePayoutCreation } from "../../../test/support/use-payout-creation.ts";
import { readTravelRule } from "../../payouts/read-payouts.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";
import { systemRandom } from "../../platform/kernel/system-random.ts";

/* Valid `POST /payout/` requests over the real server and database. */

const { database, world, payouts, account, make, makeWith, balanceOf, stored } =
  usePayoutCreation();

describe("POST /payout/", () => {
  describe("from an Enterprise wallet", () => {
    it("returns every attribute, holds amount and fee, and leaves the payout to be sent", async () => {
      const answer = await postPayout(payouts, account.wallet);
      const { id, attributes, relationships } = created(answer);
      expect(id).toMatch(/^[1-9]\d{0,7}$/);
      expect(answer.headers["location"]).toBe(`http://pay.example/payout/${id}/`);
      expect(attributes).toEqual({
        amount: "0.100000000000000000",
        fee_amount: "0.000000000000000200",
        status: 2,
        state: "queued",
        address: payee,
        destination: { address_type: null, address: payee },
        target_deposit: null,
        target_wallet: null,
        tracking_id: null,
        label: null,
        confirmations_needed: null,
        is_fee_included: false,
        rate_requested: "1",
        callback_url: null,
        force_blockchain: false,
        exp: 18,
        tag_type: null,
        tag: null,
        travel_rule_info: receiver,
        created_at: "2026-01-02T03:04:05.678901Z",
      });
      expect(relationships).toEqual({
        currency: { data: { type: "currency", id: "1002" } },
        wallet: { data: { type: "wallet", id: account.wallet.walletId } },
      });
      expect(await balanceOf(account.wallet)).toEqual({
        available: 9_899_999_999_999_999_800n,
        held: 100_000_000_000_000_200n,
      });
      expect(await stored(id)).toMatchObject({
        stage: "held",
        charged_units: 100_000_000_000_000_200n,
        fee_wallet_id: account.wallet.walletId,
        is_internal: false,
        chain: "ETH",
        risk_status: 4,
        is_travel_rule_flagged: false,
      });
      const transfers = await database.sql("select * from transfer where payout_id = $1", [id]);
      expect(transfers).toMatchObject([
        {
          op_type: 2,
          status: 0,
          disposition: "payout",
          deposit_id: null,
          txid: null,
          units: 10n ** 17n,
          fee_units: 200n,
          currency: eth,
        },
      ]);
      expect(await database.sql("select from event")).toEqual([]);
      await expectBooksToBalance(database);
    });

    it("stores what was given and normalizes the beneficiary", async () => {
      const attributes = {
        label: "Ünïcødé ☂ label".padEnd(32, "x"),
        tracking_id: "t".repeat(128),
        confirmations_needed: 100,
        callback_url: `https://shop.example/${"p".repeat(235)}`,
        is_fee_included: false,
        force_blockchain: false,
      };
      expect((await makeWith(account.wallet, attributes)).attributes).toMatchObject(attributes);
      const loose = {
        extra: 1,
        beneficiary: {
          beneficiaryPersons: [
            {
              naturalPerson: {
                name: { nameIdentifier: [{ primaryIdentifier: "Doe", secondaryIdentifier: "Jo" }] },
                geographicAddress: [
                  { country: "de", addressLine: "Unter den Linden 1", addressType: "HOME" },
                ],
                nickname: "Jo",
              },
            },
          ],
        },
      };
      const { attributes: shown } = await makeWith(account.wallet, { travel_rule_info: loose });
      expect(shown["travel_rule_info"]).toEqual(receiver);
    });

    it("treats empty texts and null as not given, accepts numbers as ids and amounts, and ignores unknown members", async () => {
      const nothing = {
        label: "",
        tracking_id: "",
        callback_url: "",
        target_deposit: "",
        tag: null,
      };
      const text = JSON.stringify(
        newPayoutDocument(Number(account.wallet.walletId), {
          ...nothing,
          paint: "red",
          status: 1,
          exp: 3,
          amount: "@",
          is_fee_included: null,
        }),
      ).replace('"@"', "1.50e-1");
      const answer = await payouts.api.ask("POST", "/payout", {
        body: text,
        as: ownerOf(account.wallet.accountId),
        headers: { "idempotency-key": systemRandom.uuid() },
      });
      expect(created(answer).attributes).toMatchObject({
        amount: "0.150000000000000000",
        label: null,
        tracking_id: null,
        callback_url: null,
        status: 2,
        exp: 18,
        is_fee_included: false,
        target_deposit: null,
      });
    });

    it("shows the address in the chain's spelling, and quotes the fee of this very payment", async () => {
      payouts.fees.requests.length = 0;
      const { attributes } = await makeWith(account.wallet, { address: payee.toLowerCase() });
      expect(attributes["address"]).toBe(payee);
      expect(payouts.fees.requests).toEqual([
        {
          chain: "ETH",
          walletId: account.wallet.walletId,
          balance: 10n ** 19n,
          payment: {
            destination: { address: payee, addressType: null, tag: null },
            amount: { units: 10n ** 17n, currency: eth },
          },
        },
      ]);
    });

    it("approves the payout with the intent that the signer will check", async () => {
      const { id } = await make(account.wallet);
      const { approval, approved_at } = await stored(id);
      expect(JSON.parse(Buffer.from(approval as Uint8Array).toString())).toEqual([
        "sluice payout approval 1",
        ...[id, "ETH", payee, null, "1002", "coin", "100000000000000000"],
      ]);
      expect(approved_at).toBe(world.clock.now());
    });

    it("encrypts the beneficiary's data per payout, and flags a legal person without a legal name", async () => {
      const company = (type: string): JsonObject => ({
        beneficiary: {
          beneficiaryPersons: [
            {
              legalPerson: {
                name: {
                  nameIdentifier: [
                    { legalPersonName: "ACME", legalPersonNameIdentifierType: type },
                  ],
                },
                geographicAddress: [
                  { country: "DE", addressLine: ["Secret street"], addressType: "BIZZ" },
                ],
              },
            },
          ],
        },
      });
      for (const type of ["LEGL", "TRAD"]) {
        const { id } = await makeWith(account.wallet, { travel_rule_info: company(type) });
        const { travel_rule_sealed, is_travel_rule_flagged } = await stored(id);
        expect(is_travel_rule_flagged).toBe(type === "TRAD");
        const travelRuleSealed = travel_rule_sealed as Uint8Array;
        expect(Buffer.from(travelRuleSealed).toString("latin1")).not.toContain("Secret");
        const opened = readTravelRule({ id, travelRuleSealed }, { role: "owner" }, payoutSeal);
        expect(opened).toEqual(company(type));
        expect(() =>
          readTravelRule({ id: "999", travelRuleSealed }, { role: "owner" }, payoutSeal),
        ).toThrow("not authentic");
      }
    });

    it("requires a named beneficiary from the configured amount on, and queues the payout for screening", async () => {
      const strict = payoutWorld(world, {
        travelRuleThresholds: new Map([[eth, 10n ** 18n]]),
        isScreened: true,
      });
      const unnamed = (amount: string) =>
        postPayout(strict, account.wallet, { attributes: { amount, travel_rule_info: undefined } });
      const { id, attributes } = created(await unnamed("0.999999999999999999"));
      expect(attributes["travel_rule_info"]).toBeNull();
      const [row] = await database.sql<{ travel_rule_sealed: Uint8Array }>(
        "select travel_rule_sealed from payout where id = $1",
        [id],
      );
      const travelRuleSealed = present(row, "the payout").travel_rule_sealed;
      expect(readTravelRule({ id, travelRuleSealed }, { role: "owner" }, payoutSeal)).toBeNull();
      expect(await stored(id)).toMatchObject({ risk_status: 2, stage: "held" });
      const missing = "1007 /data/attributes/travel_rule_info";
      expect(faults(await unnamed("1"))).toEqual(["400", missing]);
      const wrong = { amount: "0.1", travel_rule_info: {} };
      expect(faults(await postPayout(strict, account.wallet, { attributes: wrong }))).toEqual([
        "400",
        `${missing}/beneficiary`,
      ]);
    });

    it("deducts an included fee from the amount and adds commission on top", async () => {
      const bitcoin = await arrangeWallet(world, { currency: btc });
      await fund(world, bitcoin, "2");
      await database.sql(
        `insert into commission_terms (account_id, currency, direction, rate_ppm, fixed_units, minimum_units)
       values (null, '1000', 'payout', 10000, 5, 0)`,
      );
      const attributes = {
        amount: "1",
        fee_amount: "0.00000200",
        address: bitcoinPayee,
        is_fee_included: true,
      };
      const payout = await make(bitcoin, { attributes, relationships: currencyIs(btc) });
      expect(payout.attributes).toMatchObject({
        amount: "1.00000000",
        fee_amount: "0.00000200",
        is_fee_included: true,
        destination: { address_type: "bech32", address: bitcoinPayee },
      });
      expect(await stored(payout.id)).toMatchObject({
        units: 100_000_000n,
        paid_units: 99_999_800n,
        fee_units: 200n,
        commission_units: 1_000_005n,
        charged_units: 101_000_005n,
      });
      expect(await balanceOf(bitcoin)).toEqual({ available: 98_999_995n, held: 101_000_005n });
      // The calculated amount: a smaller one would select other coins and have another fee.
      expect(payouts.fees.requests.at(-1)?.payment.amount.units).toBe(100_000_000n);
    });

    it("charges a token's fee to the account's coin wallet, or to no one if the operator pays it", async () => {
      const { accountId } = account.wallet;
      const tether = await arrangeWallet(world, { accountId, currency: usdt });
      await fund(world, tether, "10");
      const options = {
        attributes: { amount: "2.5" },
        relationships: currencyIs(usdt),
      };
      const { id, attributes } = await make(tether, options);
      expect(attributes).toMatchObject({
        amount: "2.500000",
        exp: 6,
        fee_amount: "0.000000000000000200",
      });
      expect(await stored(id)).toMatchObject({
        fee_currency: "1002",
        fee_wallet_id: null,
        charged_units: 2_500_000n,
      });
      expect((await balanceOf(account.wallet))?.held).toBe(0n);

      const charging = payoutWorld(world, { tokenFees: "wallet" });
      const charged = created(await postPayout(charging, tether, options));
      expect(await stored(charged.id)).toMatchObject({
        fee_wallet_id: account.wallet.walletId,
        charged_fee_units: 200n,
        charged_units: 2_500_000n,
      });
      expect(await balanceOf(account.wallet)).toEqual({ available: 10n ** 19n - 200n, held: 200n });
      expect(await balanceOf(tether)).toEqual({ available: 5_000_000n, held: 5_000_000n });
      const poor = await arrangeWallet(world, { currency: usdt });
      await fund(world, poor, "10");
      expect((await postPayout(charging, poor, options)).errors[0]).toMatchObject({
        code: "4008",
        source: { pointer: "/data/attributes/fee_amount" },
        detail:
          "The network fee is charged to an active Enterprise wallet in ETH, and the account has none that covers it.",
      });
      await expectBooksToBalance(database);
    });
  });
});
