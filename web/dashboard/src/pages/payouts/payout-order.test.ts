import { expect, test } from "vitest";
import { emptyPerson, travelRuleOf } from "../../components/travel-rule-person.ts";
import { emptyPayout } from "./payout-draft.ts";
import { depositIn, orderOf, type PayoutValues, stepOfFields } from "./payout-order.ts";

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
const facts = { feeAmount: "0.0001", beneficiary: null, isTravelRuleRequired: true };

test("a payout to an address, with what was given and nothing else", () => {
  expect(orderOf(values, facts)).toEqual({
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

test("a beneficiary brings its address, its tag and who is behind it", () => {
  const travelRule = { beneficiary: { beneficiaryPersons: [] } };
  const beneficiary = { address: "rAbc", tag: "0", tagType: null, travelRule };
  const chosen: PayoutValues = { ...values, payeeKind: "beneficiary" };
  const order = orderOf(chosen, { ...facts, beneficiary });
  expect(order.attributes).toMatchObject({
    address: "rAbc",
    tag: "0",
    travel_rule_info: travelRule,
  });
  const other = orderOf({ ...chosen, usesForm: true }, { ...facts, beneficiary });
  expect(other.attributes["travel_rule_info"]).toEqual(travelRuleOf({ ...emptyPerson, ...person }));
});

test("to a wallet or a deposit of the service no address and no fee is named", () => {
  const inside = { ...facts, feeAmount: null };
  const toWallet = orderOf({ ...values, payeeKind: "wallet", target_wallet: "9" }, inside);
  expect(toWallet.relationships["target_wallet"]).toEqual({ type: "wallet", id: "9" });
  expect(toWallet.attributes).not.toHaveProperty("address");
  expect(toWallet.attributes).not.toHaveProperty("fee_amount");
  const id = "0B3F5C1E-1111-4222-8333-444455556666";
  const page = `https://pay.example/pay/${id}?x=1`;
  const toDeposit = orderOf({ ...values, payeeKind: "deposit", target_deposit: page }, inside);
  expect(toDeposit.attributes["target_deposit"]).toBe(id.toLowerCase());
  expect(depositIn(" nothing ")).toBe("nothing");
});

test("nobody is named where nobody has to be, unless it is wished", () => {
  const optional = { ...facts, isTravelRuleRequired: false };
  expect(orderOf(values, optional).attributes).not.toHaveProperty("travel_rule_info");
  expect(orderOf({ ...values, isNamed: true }, optional).attributes).toHaveProperty(
    "travel_rule_info",
  );
});

test("an error leads to the first step that shows a field of it", () => {
  expect(stepOfFields(["lastName", "amount"])).toBe(1);
  expect(stepOfFields(["country"])).toBe(2);
  expect(stepOfFields(["address"])).toBe(0);
  expect(stepOfFields(["nothing"])).toBeNull();
});
