import { describe, expect, it } from "vitest";
import { isAlreadyKnown } from "./broadcast.ts";
import { warningOf } from "./quote-payment.ts";
import { isLackOfMoney, isRevert } from "./revert.ts";

describe("error messages of nodes", () => {
  /* Error messages for rejected transactions, quoted from the nodes' sources. */

  it.each([
    "already known",
    "INTERNAL_ERROR: existing tx with same hash: already known",
    "AlreadyKnown, Transaction is already known",
    "ALREADY_EXISTS: already known",
    "Known transaction",
    "transaction already imported",
    "Transaction with the same hash was already imported.",
    "tx already exists in cache: already exists",
  ])('reads "%s" as a transaction that the node already has', (message) => {
    expect(isAlreadyKnown(message)).toBe(true);
  });

  it.each([
    "nonce too low: next nonce 5, tx nonce 4",
    "nonce too low",
    "OldNonce, Current nonce: 5, nonce of rejected tx: 4",
    "replacement transaction underpriced",
    "ReplacementNotAllowed",
    "could not replace existing tx",
    "transaction underpriced: gas tip cap 1, minimum needed 1000000",
    "insufficient funds for gas * price + value: balance 0, tx cost 21000, overshot 21000",
    "intrinsic gas too low: gas 20000, minimum needed 21000",
    "max fee per gas less than block base fee",
    "unknown transaction type",
    "txpool is full",
  ])('does not read "%s" as a transaction that the node already has', (message) => {
    expect(isAlreadyKnown(message)).toBe(false);
  });

  it.each([
    [3, "execution reverted: ERC20: transfer amount exceeds balance"],
    [-32000, "execution reverted"],
    [-32015, "VM execution error."],
    [-32015, "Reverted 0x08c379a0"],
    [-32000, "Execution reverted"],
    [-32000, "invalid opcode: INVALID"],
    [-32000, "invalid jump destination"],
    [-32000, "stack underflow (0 <=> 2)"],
    [-32000, "out of gas"],
    [-32603, "EVM error InvalidJump"],
    [-32603, "EVM error InvalidFEOpcode"],
    [-32603, "EVM error OpcodeNotFound"],
    [-32603, "EVM error OutOfGas"],
  ])("reads %i %s as a failed call", (code, message) => {
    expect(isRevert({ code, message })).toBe(true);
  });

  it.each([
    [-32000, "header not found"],
    [-32000, "missing trie node 5f3c (path ) state 0x5f3c is not available"],
    [-32000, "execution timeout"],
    [-32005, "limit exceeded"],
    [-32601, "Method not found"],
  ])("reads %i %s as a node that cannot run the call now", (code, message) => {
    expect(isRevert({ code, message })).toBe(false);
    expect(isLackOfMoney({ code, message })).toBe(false);
  });

  it.each([
    [-32000, "insufficient funds for transfer"],
    [-32000, "gas required exceeds allowance (0)"],
    [
      -32004,
      "Upfront cost exceeds account balance (transaction up-front cost 0x1 exceeds transaction sender account balance 0x0)",
    ],
    [-32003, "Insufficient funds for gas * price + value"],
  ])("reads %i %s as a sender with too little funds", (code, message) => {
    expect(isLackOfMoney({ code, message })).toBe(true);
  });

  it.each([
    ["a small fee, and enough left", 1000n, 2000n, null],
    ["a fee above a tenth of the amount", 199n, 2000n, 1],
    ["a fee of exactly a tenth", 200n, 2000n, null],
    ["all of it", 1000n, 1020n, null],
    ["all but a unit", 1000n, 1021n, 3],
    ["all but less than the lowest fee", 1000n, 1029n, 3],
    ["all but the lowest fee", 1000n, 1030n, null],
    ["more than the balance", 1000n, 900n, null],
  ] as const)("returns the quote warning for a payment: %s", (_case, units, balance, warning) => {
    expect(warningOf({ low: 10n, medium: 20n }, units, balance)).toBe(warning);
  });
});
