import type { SimulatedNode } from "../utxo-ledger/node.ts";
import { scriptOfAddress } from "./addresses.ts";
import {
  canonicalOrder,
  genesis,
  makeCoinbase,
  makeHeader,
  readHeader,
  subsidy,
} from "./blocks.ts";
import { checkAlone, checkSpending, refusal } from "./checks.ts";
import { readTransaction } from "./codec.ts";
import { bchnMethods } from "./methods.ts";
import { wallet } from "./wallet.ts";

/** A private chain of Bitcoin Cash behind the interface of BCHN 28, whose scripts run in libauth's machine. */
export const bchn: SimulatedNode = {
  rules: {
    genesis,
    coinbaseMaturity: 100,
    subsidy,
    readTransaction,
    readHeader,
    makeHeader,
    makeCoinbase,
    order: canonicalOrder,
    checkAlone,
    checkSpending,
    refusal,
    scriptOfAddress,
    wallet,
  },
  methods: bchnMethods,
};
