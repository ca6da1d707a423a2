/**
 * What a block of Ogmios means for payments, where a transaction does more than pay: rewards that it withdraws, certificates, votes, proposals,
 * and minted tokens. The simulated network refuses most of these, so the block is written after the schema of Ogmios 6.
 */
import { describe, expect, it } from "vitest";
import { instantFromSeconds } from "../../platform/kernel/clock.ts";
import type { CurrencyId } from "../../platform/kernel/money.ts";
import { readBlock } from "./block.ts";
import { contentOf } from "./block-content.ts";

const id = (letter: string): string => letter.repeat(64);
const ada = (lovelace: number) => ({ ada: { lovelace } });
const stake = "stake_test1uqehkck0lajq8gr28t9uxnuvgcqrc6070x3k9r8048z8y5gssrtvn";
const deposit = "addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsy";
const policy = "ab".repeat(28);

const transaction = {
  id: id("a"),
  spends: "inputs",
  inputs: [{ transaction: { id: id("b") }, index: 3 }],
  outputs: [{ address: deposit, value: ada(7_000_000) }],
  fee: ada(180_000),
};
const block = (more: object) => ({
  type: "praos",
  era: "conway",
  id: id("c"),
  ancestor: id("d"),
  slot: 40,
  height: 2,
  transactions: [{ ...transaction, ...more }],
});
const currency = "1018" as CurrencyId;
const ref = { height: 2, hash: "40.c", parentHash: "20.d", time: instantFromSeconds(40) };

function contentWith(more: object) {
  return contentOf(ref, readBlock(block(more)).transactions, currency);
}

describe("a transaction that also", () => {
  it.each([
    ["withdraws rewards", { withdrawals: { [stake]: ada(5_000_000) } }],
    [
      "registers and delegates stake",
      {
        certificates: [
          {
            type: "stakeCredentialRegistration",
            credential: "33".repeat(28),
            from: "verificationKey",
            deposit: ada(2_000_000),
          },
          {
            type: "stakeDelegation",
            credential: "33".repeat(28),
            from: "verificationKey",
            stakePool: { id: "pool1pu5jlj4q9w9jlxeu370a3c9myx47md5j5m2str0naunn2q3lkdy" },
          },
        ],
      },
    ],
    [
      "votes",
      {
        votes: [
          {
            issuer: {
              role: "delegateRepresentative",
              id: "44".repeat(28),
              from: "verificationKey",
            },
            proposal: { transaction: { id: id("e") }, index: 0 },
            vote: "yes",
          },
        ],
      },
    ],
    [
      "proposes, and gives to the treasury",
      {
        proposals: [
          {
            deposit: ada(100_000_000_000),
            returnAccount: stake,
            metadata: { url: "https://example.com", hash: id("f") },
            action: { type: "treasuryWithdrawals", withdrawals: { [deposit]: ada(9_000_000) } },
          },
        ],
        treasury: { donation: ada(1_000_000) },
      },
    ],
    ["mints", { mint: { [policy]: { "6e6577": 9 } } }],
  ])("%s delivers its outputs and nothing else", (_what, more) => {
    const plain = contentWith({});
    expect(plain.transfers).toMatchObject([
      { key: { txid: id("a"), index: 0 }, to: deposit, asset: { amount: { units: 7_000_000n } } },
    ]);
    const content = contentWith(more);
    expect(content.transfers).toEqual(plain.transfers);
    expect(content.spends.sources()).toEqual([`${id("b")}:3`]);
    expect(readBlock(block(more)).transactions[0]?.feeUnits).toBe(180_000n);
  });
});
