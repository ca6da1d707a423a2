import { expect, it } from "vitest";
import { depositCode } from "./deposit-code.ts";

const page = "https://pay.example/pay/1/";
const uri = "xrpl:rDeposit?dt=7";

it.each([
  // An invoice shows its page, also before the payer has chosen a currency.
  ["rDeposit", "7", true, undefined, "page", page],
  [null, null, false, undefined, "page", page],
  ["bcrt1q", null, false, undefined, "address", "bcrt1q"],
  // An address with a tag is never shown alone.
  ["rDeposit", "7", false, uri, "address", uri],
  ["rDeposit", "7", false, null, "page", page],
] as const)(
  "of the address %o with the tag %o, an invoice: %o, with the URI %o, shows the %s",
  (address, tag, isInvoice, known, kind, value) => {
    const deposit = { address, destination: destinationOf(address, tag), payment_page: page };
    expect(depositCode(deposit, isInvoice, known)).toEqual({ kind, value });
  },
);

it("shows no code while the URI of a tag is unknown", () => {
  const destination = destinationOf("rDeposit", "7");
  const deposit = { address: "rDeposit", destination, payment_page: page };
  expect(depositCode(deposit, false, undefined)).toBe(null);
});

function destinationOf(address: string | null, tag: string | null) {
  return address === null ? null : { address_type: null, address, tag_type: "tag", tag };
}
