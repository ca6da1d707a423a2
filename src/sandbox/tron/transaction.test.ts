import { TronWeb } from "tronweb";
import { describe, expect, it } from "vitest";
import recorded from "../../../test/vectors/tron-node-answers.json" with { type: "json" };
import { present } from "../../platform/kernel/assert.ts";
import { type Json, type JsonRecord, parseJsonText, printJson } from "./json.ts";
import { printTransaction, readTransaction, transactionOf } from "./transaction.ts";

/** Answers of real nodes that contain a whole transaction. */
const withTransaction = [
  "createtransaction",
  "triggersmartcontract",
  "triggerconstantcontract",
  "freezebalancev2",
];

describe("a transaction that a real node built", () => {
  const cases = withTransaction.map((name) => ({ name, recorded: recordedOf(name) }));

  it.each(cases)("has the same id and members after $name", ({ recorded: { transaction } }) => {
    // The answer adds these two.
    const members = Object.entries(transaction).filter(
      ([name]) => !["ret", "visible"].includes(name),
    );
    const expected = Object.fromEntries(members);
    const raw = transactionOf(rawHexOf(transaction), []);
    expect(JSON.parse(printJson(printTransaction(raw, null, false)))).toEqual(plain(expected));
  });

  it.each(cases)("has the same bytes when its members are encoded after $name", ({ recorded }) => {
    const { rawHex, txid } = readTransaction(recorded.transaction, false);
    expect({ rawHex, txid }).toEqual({
      rawHex: recorded.transaction["raw_data_hex"],
      txid: recorded.transaction["txID"],
    });
  });

  it("shows addresses in base58 if `visible` is set", () => {
    const { transaction } = recordedOf("createtransaction");
    const raw = transactionOf(rawHexOf(transaction), []);
    const printed = printTransaction(raw, null, true);
    const owner = TronWeb.address.fromHex("41dd791d6b49e190062d650e6a23c575510d35f2f9");
    expect(printJson(printed)).toContain(`"owner_address":"${owner}"`);
    expect(readTransaction(printed, true).txid).toBe(transaction["txID"]);
  });
});

function recordedOf(name: string): { readonly transaction: JsonRecord } {
  const found = present(
    recorded.find((entry) => entry.name === name),
    name,
  );
  const answer = parseJsonText(JSON.stringify(found.answer)) as JsonRecord;
  return { transaction: (answer["transaction"] ?? answer) as JsonRecord };
}

function rawHexOf(transaction: JsonRecord): string {
  return transaction["raw_data_hex"] as string;
}

function plain(value: Json): unknown {
  return JSON.parse(printJson(value));
}
