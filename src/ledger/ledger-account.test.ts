import { describe, expect, it } from "vitest";
import type { CurrencyId } from "../platform/kernel/money.ts";
import {
  operatorAccountId,
  parseWalletAccount,
  systemAccount,
  walletAccount,
} from "./ledger-account.ts";

/** The names are stored with every posting. */
describe("an account of the ledger", () => {
  it("has the name that is stored", () => {
    expect(systemAccount("chain", "1002" as CurrencyId)).toBe("chain/1002");
    expect(walletAccount("17", "held")).toBe("wallet/17/held");
    expect(operatorAccountId).toBe("0");
  });

  it.each(["available", "pending", "held", "deficit"] as const)("is a wallet's: %s", (bucket) => {
    expect(parseWalletAccount(walletAccount("17", bucket))).toEqual({ walletId: "17", bucket });
  });

  it.each([
    "chain/1002",
    "wallet/17/lost",
    "wallet/x/held",
    "a/wallet/17/held",
    "wallet/17/held/b",
  ])("is no wallet's: %s", (name) => {
    expect(parseWalletAccount(name)).toBeNull();
  });
});
