/**
 * Sweeps on a real EVM with the program's own drafts and signatures: deposit addresses are emptied into the hot account, many in
 * one transaction where accounts can delegate, otherwise through top-ups.
 */
import type { Address } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SweepState } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import type { IntendedAsset, SweepSource } from "../../src/signer/intent.ts";
import { deployConfigurableToken } from "../support/configurable-token.ts";
import { type DelegateTools, delegateOf, delegateToolsOn, keyAt } from "../support/delegated.ts";
import {
  type AdapterUnderTest,
  connectEvm,
  currenciesOf,
  eth,
  type PrivateEvm,
  startPrivateEvm,
  usdc,
  usdt,
} from "../support/private-evm.ts";
import { startGateway } from "../support/rpc-gateway.ts";
import { type SweepingTools, sweepingToolsOn, topUpUnitsOf } from "../support/sweeping.ts";

const hot = keyAt(1, 0).address;
const gasAccount = keyAt(2, 0).address;
const avax = "1142" as CurrencyId;
const usdtAvax = present(
  currenciesOf("AVAX").find(({ alpha }) => alpha === "USDT-AVAX"),
  "USDT-AVAX",
).id;

let chain: PrivateEvm;
let tools: DelegateTools;
let ethereum: AdapterUnderTest;
let avalanche: AdapterUnderTest;
let sweeping: SweepingTools;
let single: SweepingTools;

beforeAll(async () => {
  chain = await startPrivateEvm();
  tools = delegateToolsOn(chain);
  await tools.setBalance(gasAccount, 10n ** 20n);
  ethereum = connectEvm({ url: chain.anvil.url, currencies: chain.currencies });
  sweeping = sweepingToolsOn(chain, ethereum.adapter);
  // The same node, configured as a chain whose accounts cannot delegate.
  avalanche = connectEvm({
    url: chain.anvil.url,
    chain: "AVAX",
    currencies: currenciesOf("AVAX", { [usdtAvax]: chain.contracts.usdt }),
  });
  single = sweepingToolsOn(chain, avalanche.adapter);
});
afterAll(async () => {
  await ethereum.close();
  await avalanche.close();
  await chain.stop();
});

let nextIndex = 200;

function nextDeposits(count: number): readonly { keyIndex: number; address: Address }[] {
  return Array.from({ length: count }, () => {
    const keyIndex = nextIndex;
    nextIndex += 1;
    return { keyIndex, address: keyAt(0, keyIndex).address };
  });
}

/** Deep enough for every currency of the tests. */
const mature = (): Promise<void> => chain.mine(40);

const payUsdt = (to: Address, units: bigint): Promise<void> =>
  tools.pay("TetherLike", chain.contracts.usdt, to, units);
const payUsdc = (to: Address, units: bigint): Promise<void> =>
  tools.pay("DollarLike", chain.contracts.usdc, to, units);

function asset(currency: CurrencyId): IntendedAsset {
  if (currency === eth || currency === avax) return { kind: "coin" };
  const contract = currency === usdc ? chain.contracts.usdc : chain.contracts.usdt;
  return { kind: "token", locator: contract };
}

function sourceOf(state: SweepState, currencies: readonly CurrencyId[]): SweepSource {
  return { keyIndex: state.keyIndex, address: state.address, assets: currencies.map(asset) };
}

const heldBy = ({ assets }: SweepState): readonly CurrencyId[] =>
  assets.filter(({ final }) => final > 0n).map(({ currency }) => currency);

async function sweepBatch(states: readonly SweepState[]) {
  const sources = states.map((state) => ({ state, currencies: heldBy(state) }));
  return sweeping.carryOut(
    { kind: "batch", sources },
    { kind: "sweep", sources: sources.map((source) => sourceOf(source.state, source.currencies)) },
  );
}

describe("the EVM sweeper", () => {
  it("deploys the delegate once, at the address that the signer also computes", async () => {
    expect((await sweeping.survey([], [])).setUpFeeUnits).toBeGreaterThan(0n);
    await sweeping.carryOut({ kind: "setUp" }, { kind: "sweep", sources: [] });
    expect(await sweeping.survey([], [])).toMatchObject({
      setUpFeeUnits: null,
      mode: "batch",
    });
  });

  it("empties several addresses of tokens and ether in one transaction, and again without new authorizations", async () => {
    const deposits = nextDeposits(3);
    const [first, second, third] = deposits.map(({ address }) => address) as [
      Address,
      Address,
      Address,
    ];
    const indexes = deposits.map(({ keyIndex }) => keyIndex);
    const before = {
      usdt: await tools.tokenOf(chain.contracts.usdt, hot),
      ether: await tools.coinOf(hot),
    };
    await payUsdt(first, 5n);
    await payUsdt(second, 7n);
    await payUsdc(second, 11n);
    await payUsdt(third, 1n);
    await tools.setBalance(third, 10n ** 18n);
    await mature();
    const survey = await sweeping.survey(indexes, [eth, usdt, usdc]);
    expect(survey.states.map(heldBy)).toEqual([[usdt], [usdt, usdc], [eth, usdt]]);
    await sweepBatch(survey.states);
    expect(await tools.tokenOf(chain.contracts.usdc, hot)).toBe(11n);
    expect((await tools.tokenOf(chain.contracts.usdt, hot)) - before.usdt).toBe(13n);
    expect((await tools.coinOf(hot)) - before.ether).toBe(10n ** 18n);

    await payUsdt(first, 100n);
    await payUsdt(third, 200n);
    await mature();
    const again = await sweeping.survey([indexes[0] ?? 0, indexes[2] ?? 0], [eth, usdt]);
    expect(again.states.map(({ isPrepared, sequence }) => [isPrepared, sequence])).toEqual([
      [true, 1n],
      [true, 1n],
    ]);
    await sweepBatch(again.states);
    expect((await tools.tokenOf(chain.contracts.usdt, hot)) - before.usdt).toBe(313n);
  });

  it("sweeps only what has reached the currency's own confirmations", async () => {
    const [deposit] = nextDeposits(1);
    const { keyIndex, address } = present(deposit, "a deposit");
    await payUsdt(address, 5n);
    await mature();
    await payUsdt(address, 7n);
    const [young] = (await sweeping.survey([keyIndex], [usdt])).states;
    expect(young?.assets).toMatchObject([{ latest: 12n, final: 5n }]);
  });

  it("reports and leaves out a token that refuses to move", async () => {
    const token = (await chain.deploy("ConfigurableToken", [10n ** 6n])) as Address;
    const client = connectEvm({
      url: chain.anvil.url,
      currencies: currenciesOf("ETH", { [usdt]: token }),
    });
    const [deposit] = nextDeposits(1);
    const { keyIndex, address } = present(deposit, "a deposit");
    await tools.pay("ConfigurableToken", token, address, 1000n);
    await chain.send({ to: token, call: ["ConfigurableToken", "setBehavior", 2] });
    await mature();
    const survey = await sweepingToolsOn(chain, client.adapter).survey([keyIndex], [usdt]);
    await client.close();
    expect(survey.states[0]?.assets).toMatchObject([{ final: 1000n, work: null }]);
  });

  it("reports and leaves out a token whose transfer takes all the gas that Geth allows", async () => {
    const gateway = await startGateway(chain.anvil.url);
    const { currencies } = chain;
    const client = connectEvm({ url: gateway.url, currencies });
    const [deposit] = nextDeposits(1);
    const { keyIndex, address } = present(deposit, "a deposit");
    await payUsdt(address, 5n);
    await payUsdc(address, 7n);
    await mature();
    gateway.intercept = (method, [call]) => {
      const isUsdt =
        (call as { to?: string } | undefined)?.to === chain.contracts.usdt.toLowerCase();
      return method === "eth_estimateGas" && isUsdt
        ? { error: { code: -32000, message: "gas required exceeds allowance (50000000)" } }
        : null;
    };
    const survey = await sweepingToolsOn(chain, client.adapter).survey([keyIndex], [usdt, usdc]);
    await client.close();
    await gateway.close();
    expect(survey.states[0]?.assets).toMatchObject([
      { currency: usdt, final: 5n, work: null },
      { currency: usdc, final: 7n, work: expect.any(BigInt) as bigint },
    ]);
  });

  it("sweeps the rest of a batch although some tokens burn all their gas", async () => {
    const token = await deployConfigurableToken(chain);
    const client = connectEvm({
      url: chain.anvil.url,
      currencies: currenciesOf("ETH", { [usdt]: token.address, [usdc]: chain.contracts.usdc }),
    });
    const burners = nextDeposits(12);
    const honest = nextDeposits(2);
    for (const { address } of burners) await token.pay(address, 1_000n);
    for (const { address } of honest) await payUsdc(address, 3n);
    await mature();
    const hostile = sweepingToolsOn(chain, client.adapter);
    const { states, fitsOneTransaction } = await hostile.survey(
      [...burners, ...honest].map(({ keyIndex }) => keyIndex),
      [usdt, usdc],
    );
    const sources = states.map((state) => ({ state, currencies: heldBy(state) }));
    expect(fitsOneTransaction(sources)).toBe(true);
    await token.setBehavior("burning");
    const held = await tools.tokenOf(chain.contracts.usdc, hot);
    const { gasUsed } = await hostile.carryOut(
      { kind: "batch", sources },
      {
        kind: "sweep",
        sources: sources.map(({ state: { keyIndex, address }, currencies }) => ({
          keyIndex,
          address,
          assets: currencies.map((id) => {
            const contract = id === usdc ? chain.contracts.usdc : token.address;
            return { kind: "token", locator: contract } as const;
          }),
        })),
      },
    );
    await client.close();
    expect((await tools.tokenOf(chain.contracts.usdc, hot)) - held).toBe(6n);
    await token.setBehavior("good");
    expect(await token.held(burners[0]?.address ?? "")).toBe(1_000n);
    expect(gasUsed).toBeGreaterThan(12n * 100_000n);
  });

  it("rejects a sweep that needs more gas than one transaction may use", async () => {
    const [deposit] = nextDeposits(1);
    await payUsdt(present(deposit, "a deposit").address, 5n);
    await mature();
    const { states, fitsOneTransaction } = await sweeping.survey(
      [present(deposit, "a deposit").keyIndex],
      [usdt],
    );
    const state = present(states[0], "a state");
    const source = { state, currencies: [usdt] };
    expect(fitsOneTransaction(Array.from({ length: 40 }, () => source))).toBe(true);
    const assets = state.assets.map((held) => ({ ...held, work: 400_000n }));
    const dear = { state: { ...state, assets }, currencies: [usdt] };
    expect(fitsOneTransaction([dear])).toBe(true);
    expect(fitsOneTransaction(Array.from({ length: 40 }, () => dear))).toBe(false);
    const outcome = await sweeping.draft({
      kind: "batch",
      sources: Array.from({ length: 40 }, () => dear),
    });
    expect(outcome.kind).toBe("impossible");
  });

  it("sweeps ether to the last wei with a transaction of its address", async () => {
    const [deposit] = nextDeposits(1);
    const { keyIndex, address } = present(deposit, "a deposit");
    await tools.setBalance(address, 10n ** 18n);
    await mature();
    const before = await tools.coinOf(hot);
    const survey = await sweeping.survey([keyIndex], [eth]);
    const state = present(survey.states[0], "a state");
    const { gasUsed } = await sweeping.carryOut(
      { kind: "single", state, currency: eth },
      { kind: "sweep", sources: [sourceOf(state, [eth])] },
    );
    expect(gasUsed).toBe(21_000n);
    expect(await tools.coinOf(address)).toBe(0n);
    expect((await tools.coinOf(hot)) - before).toBeGreaterThan(10n ** 18n - 10n ** 15n);
  });

  it("tops up an address and then sweeps its token if accounts cannot delegate", async () => {
    const [deposit] = nextDeposits(1);
    const { keyIndex, address } = present(deposit, "a deposit");
    await payUsdt(address, 70n);
    await mature();
    const held = await tools.tokenOf(chain.contracts.usdt, hot);
    const poor = await single.survey([keyIndex], [usdtAvax]);
    expect(poor.mode).toBe("single");
    const before = present(poor.states[0], "a state");
    expect(await single.draft({ kind: "single", state: before, currency: usdtAvax })).toMatchObject(
      {
        kind: "insufficient",
        currency: avax,
      },
    );
    const units = topUpUnitsOf(before);
    await single.carryOut(
      { kind: "prepare", state: before, preparation: { kind: "topUp", units } },
      { kind: "top_up", keyIndex, units: units.toString() },
    );
    expect(await tools.coinOf(address)).toBe(units);

    const rich = await single.survey([keyIndex], [usdtAvax]);
    const state = present(rich.states[0], "a state");
    expect(topUpUnitsOf(state)).toBe(0n);
    await single.carryOut(
      { kind: "single", state, currency: usdtAvax },
      { kind: "sweep", sources: [sourceOf(state, [usdtAvax])] },
    );
    expect((await tools.tokenOf(chain.contracts.usdt, hot)) - held).toBe(70n);
    expect(await tools.coinOf(address)).toBeLessThan(units);
  });

  it("ends delegations, after which the addresses receive ether with 21000 gas again", async () => {
    const deposits = nextDeposits(2);
    const indexes = deposits.map(({ keyIndex }) => keyIndex);
    for (const { address } of deposits) await payUsdt(address, 9n);
    await mature();
    await sweepBatch((await sweeping.survey(indexes, [usdt])).states);
    const { states } = await sweeping.survey(indexes, [usdt]);
    expect(states.every(({ isPrepared }) => isPrepared)).toBe(true);
    await sweeping.carryOut(
      { kind: "release", states },
      { kind: "undelegate", keyIndexes: indexes },
    );
    for (const { address } of deposits) expect(await tools.codeOf(address)).toBe("0x");
  });

  it("replaces a pending sweep with one of the same claims at a higher fee, and the chain includes one of them", async () => {
    const deposits = nextDeposits(2);
    const indexes = deposits.map(({ keyIndex }) => keyIndex);
    for (const { address } of deposits) await payUsdt(address, 4n);
    await mature();
    const held = await tools.tokenOf(chain.contracts.usdt, hot);
    const { states } = await sweeping.survey(indexes, [usdt]);
    const sources = states.map((state) => ({ state, currencies: [usdt] }));
    const outcome = await sweeping.draft({ kind: "batch", sources });
    if (outcome.kind !== "draft") throw new Error(outcome.kind);
    const purpose = {
      kind: "sweep",
      sources: states.map((state) => sourceOf(state, [usdt])),
    } as const;
    await sweeping.send(outcome.draft, purpose);
    const dearer = await sweeping.replace(outcome.draft);
    if (dearer.kind !== "draft") throw new Error(dearer.kind);
    expect(dearer.draft.claims).toEqual(outcome.draft.claims);
    expect(dearer.draft.feeUnits).toBeGreaterThan(outcome.draft.feeUnits);
    await sweeping.send(dearer.draft, purpose);
    await chain.mine();
    expect((await tools.tokenOf(chain.contracts.usdt, hot)) - held).toBe(8n);
  });

  it("sweeps successfully even if a third party uses our authorization first", async () => {
    const [deposit] = nextDeposits(1);
    const { keyIndex, address } = present(deposit, "a deposit");
    await payUsdt(address, 6n);
    await mature();
    const held = await tools.tokenOf(chain.contracts.usdt, hot);
    const { states } = await sweeping.survey([keyIndex], [usdt]);
    const outcome = await sweeping.draft({
      kind: "batch",
      sources: states.map((state) => ({ state, currencies: [usdt] })),
    });
    if (outcome.kind !== "draft") throw new Error(outcome.kind);
    // A third party who sees the waiting transaction could do this: the nonce is then used, and the address delegates.
    await tools.run(keyAt(0, 5), {
      to: keyAt(0, 5).address,
      authorize: [{ key: keyAt(0, keyIndex), to: delegateOf(hot, gasAccount).address }],
    });
    await sweeping.send(outcome.draft, {
      kind: "sweep",
      sources: states.map((state) => sourceOf(state, [usdt])),
    });
    await chain.mine();
    expect((await tools.tokenOf(chain.contracts.usdt, hot)) - held).toBe(6n);
    expect(await tools.tokenOf(chain.contracts.usdt, address)).toBe(0n);
  });
});
