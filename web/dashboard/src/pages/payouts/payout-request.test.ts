import { describe, expect, it } from "vitest";
import { emptyPerson, travelRuleOf } from "../../components/travel-rule-person.ts";
import {
  emptyPayout,
  type PayoutValues,
  parseDepositId,
  payoutRequest,
  stepOfFields,
} from "./payout-request.ts";

const person = { firstName: "Jo", lastName: "Doe", country: "DE", addressLine: "Linden 1" };
const values: PayoutValues = {
  ...emptyPayout,
  ...person,
  wallet: "7",
  currency: "1002",
  amount: " 0.1 ",
  address: " 0xabc ",
  label: "rent",
};
const facts = { feeAmount: "0.0001", beneficiary: null, isTravelRuleRequired: true, tagKind: null };

describe("payoutRequest", () => {
  it("contains only the filled-in fields of a payout to an address", () => {
    expect(payoutRequest(values, facts)).toEqual({
      attributes: {
        amount: "0.1",
        fee_amount: "0.0001",
        address: "0xabc",
        label: "rent",
        travel_rule_info: travelRuleOf({ ...emptyPerson, ...person }),
      },
      relationships: {
        wallet: { type: "wallet", id: "7" },
        currency: { type: "currency", id: "1002" },
      },
    });
  });

  it("takes address, tag and recipient details from the beneficiary", () => {
    const travelRule = { beneficiary: { beneficiaryPersons: [] } };
    const beneficiary = { address: "rAbc", tag: "0", tagType: null, travelRule };
    const chosen: PayoutValues = { ...values, recipientKind: "beneficiary" };
    const request = payoutRequest(chosen, { ...facts, beneficiary });
    expect(request.attributes).toMatchObject({
      address: "rAbc",
      tag: "0",
      travel_rule_info: travelRule,
    });
    const other = payoutRequest({ ...chosen, usesForm: true }, { ...facts, beneficiary });
    expect(other.attributes["travel_rule_info"]).toEqual(
      travelRuleOf({ ...emptyPerson, ...person }),
    );
  });

  it("contains neither address nor fee for payouts to a wallet or deposit of the service", () => {
    const inside = { ...facts, feeAmount: null };
    const toWallet = payoutRequest(
      { ...values, recipientKind: "wallet", target_wallet: "9" },
      inside,
    );
    expect(toWallet.relationships["target_wallet"]).toEqual({ type: "wallet", id: "9" });
    expect(toWallet.attributes).not.toHaveProperty("address");
    expect(toWallet.attributes).not.toHaveProperty("fee_amount");
    const id = "0B3F5C1E-1111-4222-8333-444455556666";
    const page = `https://pay.example/pay/${id}?x=1`;
    const toDeposit = payoutRequest(
      { ...values, recipientKind: "deposit", target_deposit: page },
      inside,
    );
    expect(toDeposit.attributes["target_deposit"]).toBe(id.toLowerCase());
  });

  it("contains recipient details only if required or added", () => {
    const optional = { ...facts, isTravelRuleRequired: false };
    expect(payoutRequest(values, optional).attributes).not.toHaveProperty("travel_rule_info");
    expect(payoutRequest({ ...values, isNamed: true }, optional).attributes).toHaveProperty(
      "travel_rule_info",
    );
  });
});

describe("parseDepositId", () => {
  it("returns other text trimmed", () => {
    expect(parseDepositId(" nothing ")).toBe("nothing");
  });
});

describe("stepOfFields", () => {
  it("returns the first step that shows one of the fields", () => {
    expect(stepOfFields(["lastName", "amount"])).toBe(1);
    expect(stepOfFields(["country"])).toBe(2);
    expect(stepOfFields(["address"])).toBe(0);
    expect(stepOfFields(["nothing"])).toBeNull();
  });
});
