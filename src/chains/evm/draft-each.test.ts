import { describe, expect, it } from "vitest";
import {
  answeringEvmNode,
  feeAnswer,
  type NodeAnswer,
} from "../../../test/support/answering-evm-node.ts";
import { evmChain } from "../../../test/support/known-chains.ts";
import { builtInCurrencies } from "../../currencies/built-in-currencies.ts";
import { coinAmong } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { Payment } from "../paying-port.ts";
import { readBody } from "./draft-body.ts";
import { draftEach } from "./draft-each.ts";
import { draftPayment, type EvmDrafting } from "./draft-payment.ts";
import { createFeeMarket } from "./fee-market.ts";
import { quotePayment } from "./quote-payment.ts";
import { nonceClaim } from "./senders.ts";

/* Payments to a contract whose code takes much gas. Nodes never accept a limit above a transaction's most, so its nonce would jam. */

const { signal } = new AbortController();
const hot = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const payee = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const wei = 10n ** 18n;

type Contract = { readonly gas: number | string; readonly blockGas?: bigint };

/** A node whose contract takes that gas, or whose estimate is refused with that message. */
function draftingFor(alpha: string, { gas, blockGas = 60_000_000n }: Contract): EvmDrafting {
  const currencies = builtInCurrencies.filter(({ chain }) => chain === alpha);
  const record = evmChain(alpha);
  const answer = (method: string): NodeAnswer => {
    const ofFees = feeAnswer(method, { baseFee: 10n ** 9n, gasLimit: blockGas });
    if (ofFees !== null) return ofFees;
    switch (method) {
      case "eth_getCode":
        return { result: "0x6080" };
      case "eth_call":
        return { result: "0x" };
      case "eth_getBalance":
        return { result: `0x${(1_000n * wei).toString(16)}` };
      case "eth_estimateGas":
        return typeof gas === "string"
          ? { refusal: { code: -32000, message: gas } }
          : { result: `0x${gas.toString(16)}` };
      default:
        throw new Error(`unexpected ${method}`);
    }
  };
  const node = answeringEvmNode(answer);
  return {
    record,
    network: { chainId: 1, genesisHash: null },
    node,
    market: createFeeMarket(node, record),
    coin: coinAmong(currencies),
    currencies,
    gasAccount: null,
  };
}

function paymentOf({ coin }: EvmDrafting): Payment {
  return {
    destination: { address: payee, addressType: null, tag: null },
    amount: { units: wei, currency: coin },
  };
}

async function gasOfDraft(drafting: EvmDrafting): Promise<bigint | string> {
  const payments = [{ payment: paymentOf(drafting), feeTarget: null }];
  const [outcome] = await draftEach(drafting, hot, payments, { timesHigh: 10n }, signal);
  return outcome?.kind === "draft"
    ? readBody(outcome.withSequence(7n).body).gas
    : present(outcome, "an outcome").kind;
}

describe("draftEach", () => {
  it.each<readonly [string, string, Contract, bigint | string]>([
    ["common code gets a fifth more", "ETH", { gas: 30_000 }, 36_000n],
    ["the most that a payment may have", "ETH", { gas: 950_000 }, 1_000_000n],
    ["code that works for itself", "ETH", { gas: 1_000_001 }, "impossible"],
    ["code that burns most of a transaction", "ETH", { gas: 15_000_000 }, "impossible"],
    ["a block with less gas", "ETH", { gas: 600_000, blockGas: 700_000n }, 700_000n],
    ["a block with too little gas", "ETH", { gas: 800_000, blockGas: 700_000n }, "impossible"],
    [
      "an estimate that runs out of gas",
      "ETH",
      { gas: "gas required exceeds allowance (16777216)" },
      "impossible",
    ],
    ["data as gas: a transaction's most", "ARB", { gas: 15_000_000 }, 16_777_216n],
    ["data as gas: more than that", "ARB", { gas: 17_000_000 }, "impossible"],
    [
      "data as gas: an estimate that runs out of gas",
      "ARB",
      { gas: "Out of gas: gas required exceeds allowance: 16777216" },
      "impossible",
    ],
  ])("bounds the gas: %s", async (_case, alpha, contract, expected) => {
    expect(await gasOfDraft(draftingFor(alpha, contract))).toBe(expected);
  });
});

describe("draftPayment", () => {
  it.each([
    ["comes down to what nodes accept", 17_000_000, 18_000_000n, 16_777_216n],
    ["keeps its gas when the code takes more than a payment may", 17_000_000, 60_000n, 60_000n],
    ["has the gas that the code now takes", 100_000, 60_000n, 120_000n],
    ["never has less", 30_000, 60_000n, 60_000n],
  ])("drafts a replacement whose gas %s", async (_case, gas, before, expected) => {
    const drafting = draftingFor("ETH", { gas });
    const payment = paymentOf(drafting);
    const body = {
      type: "eip1559",
      chainId: "1",
      from: hot,
      nonce: "7",
      to: payee,
      value: wei.toString(),
      data: "0x",
      gas: before.toString(),
      maxFeePerGas: (2n * 10n ** 9n).toString(),
      maxPriorityFeePerGas: "1",
      dataFee: "0",
    };
    const replaces = { body, claims: [nonceClaim(hot, 7)], feeUnits: 1n, validity: null };
    const outcome = await draftPayment(
      drafting,
      {
        payments: [payment],
        funds: { kind: "account", address: hot, sequence: 7n },
        feeTarget: null,
        feeCeiling: 10n * wei,
        replaces,
      },
      signal,
    );
    expect(outcome.kind === "draft" && readBody(outcome.draft.body).gas).toBe(expected);
  });
});

describe("quotePayment", () => {
  it.each([
    [30_000, "ready"],
    [1_000_001, "impossible"],
  ])(
    "says before anyone is charged whether a receiver of %i gas is paid",
    async (gas, expected) => {
      const drafting = draftingFor("ETH", { gas });
      const funds = { kind: "account", address: hot, sequence: null } as const;
      const request = { payment: paymentOf(drafting), funds, balance: wei };
      const { receiver } = await quotePayment(drafting, request, signal);
      expect(receiver?.kind ?? "ready").toBe(expected);
    },
  );
});
