import type { SimulatedNode } from "../utxo-ledger/node.ts";
import { scriptOfAddress } from "./addresses.ts";
import { coinbaseMaker, genesis, makeHeader, readHeader, subsidy } from "./blocks.ts";
import { aloneCheck, refusal, spendingCheck } from "./checks.ts";
import { readTransaction } from "./codec.ts";
import { zebraMethods } from "./methods.ts";
import { type UpgradeName, upgradesAt } from "./upgrades.ts";
import { walletFor } from "./wallet.ts";

/**
 * A private chain of Zcash behind the interface of Zebra 6, whose ledger verifies every transparent signature. `heights` are those of
 * upgrades that activate after block 1.
 */
export function zebra(heights: Readonly<Partial<Record<UpgradeName, number>>>): SimulatedNode {
  const upgrades = upgradesAt(heights);
  return {
    rules: {
      genesis,
      coinbaseMaturity: 100,
      subsidy,
      readTransaction,
      readHeader,
      makeHeader,
      makeCoinbase: coinbaseMaker(upgrades),
      order: (transactions) => transactions,
      checkAlone: aloneCheck(upgrades),
      checkSpending: spendingCheck(upgrades),
      refusal,
      scriptOfAddress,
      wallet: walletFor(upgrades),
    },
    methods: zebraMethods(upgrades),
  };
}
