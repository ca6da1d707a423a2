import { describe, expect, it } from "vitest";
import {
  answeringEvmNode,
  feeAnswer,
  type NodeAnswer,
} from "../../../test/support/answering-evm-node.ts";
import { evmChain } from "../../../test/support/known-chains.ts";
import { currenciesOf, usdt } from "../../../test/support/private-evm.ts";
import { coinAmong } from "../../currencies/currency.ts";
import { present } from "../../platform/kernel/assert.ts";
import { money } from "../../platform/kernel/money.ts";
import type { AccountDraftOutcome, SweepSourceState } from "../paying-port.ts";
import { draftBatches } from "./draft-batch.ts";
import { createFeeMarket } from "./fee-market.ts";
import { createEvmSweeper } from "./sweeper.ts";

/*
 * Nodes refuse to broadcast a transaction whose gas limit times highest price is above one coin (`rpc.txfeecap`). At 300 gwei that bounds how
 * many payments or sweeps one transaction makes.
 */

const { signal } = new AbortController();
const ether = 10n ** 18n;
const hot = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const gasAccount = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const contract = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const currencies = currenciesOf("ETH", { [usdt]: contract });
const addressOf = (number: number): string => `0x${number.toString(16).padStart(40, "1")}`;

const word = (value: bigint): string => `0x${value.toString(16).padStart(64, "0")}`;

function answer(method: string, [call]: readonly unknown[]): NodeAnswer {
  const ofFees = feeAnswer(method, { baseFee: 300n * 10n ** 9n, gasLimit: 60_000_000n });
  if (ofFees !== null) return ofFees;
  switch (method) {
    case "eth_getCode":
      return { result: "0x6080" };
    case "eth_estimateGas":
      return { result: "0xea60" };
    case "eth_getBalance":
      return { result: `0x${(1_000n * ether).toString(16)}` };
    case "eth_call": {
      // `balanceOf`, else `transfer`.
      const { data } = call as { readonly data: string };
      return { result: word(data.startsWith("0x70a08231") ? 10n ** 12n : 1n) };
    }
    default:
      throw new Error(`unexpected ${method}`);
  }
}

const record = evmChain("ETH");
const node = answeringEvmNode(answer);
const network = { chainId: 1, genesisHash: null };

async function draftBatchOf(count: number): Promise<AccountDraftOutcome> {
  const drafting = {
    record,
    network,
    node,
    currencies,
    gasAccount,
    market: createFeeMarket(node, record),
    coin: coinAmong(currencies),
    existing: new Set<string>(),
  };
  const payments = Array.from({ length: count }, (_, number) => ({
    destination: { address: addressOf(number), addressType: null, tag: null },
    amount: money(1n, usdt),
  }));
  const batch = { payments, feeTarget: null };
  const outcomes = await draftBatches(drafting, hot, [batch], { timesHigh: 10n }, signal);
  return present(outcomes[0], "an outcome");
}

describe("the nodes' limit of a transaction's fee", () => {
  it("splits a batch that would be above it", async () => {
    expect(await draftBatchOf(64)).toMatchObject({
      kind: "impossible",
      reason: expect.stringMatching(/^together they cost 1\d{18}, above the ceiling$/) as string,
    });
  });

  it("lowers the price of a batch that can still pay the market's least", async () => {
    const outcome = await draftBatchOf(40);
    if (outcome.kind !== "draft") throw new Error(outcome.kind);
    expect(outcome.feeUnits).toBeLessThanOrEqual(ether);
    expect(outcome.feeUnits).toBeGreaterThan((99n * ether) / 100n);
  });

  it("sweeps fewer addresses together, and drafts no sweep above it", async () => {
    const account = (address: string) => ({ address, addressType: null, tag: null });
    const treasury = { hot: account(hot), gas: account(gasAccount) };
    const sweeper = createEvmSweeper({ record, network, node, currencies, treasury });
    const { fitsOneTransaction } = await sweeper.survey([], signal);
    const sources = Array.from({ length: 64 }, (_, number) => sourceOf(number));
    expect(fitsOneTransaction(sources)).toBe(false);
    expect(fitsOneTransaction(sources.slice(0, 40))).toBe(false);
    expect(fitsOneTransaction(sources.slice(0, 10))).toBe(true);
    const draftOf = (part: readonly SweepSourceState[]) =>
      sweeper.draft(
        { plan: { kind: "batch", sources: part }, sequence: 0n, feeCeiling: 100n * ether },
        signal,
      );
    expect((await draftOf(sources.slice(0, 40))).kind).toBe("tooExpensive");
    expect((await draftOf(sources.slice(0, 10))).kind).toBe("draft");
  });
});

function sourceOf(keyIndex: number): SweepSourceState {
  const asset = {
    currency: usdt,
    latest: 10n ** 9n,
    final: 10n ** 9n,
    work: 60_000n,
    feeUnits: { inBatch: 1n, alone: 1n },
    preparation: null,
  };
  const state = {
    keyIndex,
    address: addressOf(keyIndex),
    sequence: 0n,
    isPrepared: true,
    batchFeeUnits: 1n,
    assets: [asset],
  };
  return { state, currencies: [usdt] };
}
