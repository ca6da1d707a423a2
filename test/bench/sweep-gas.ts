import type { Address } from "viem";
import type { SweepState } from "../../src/chains/paying-port.ts";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import type { SweepSource } from "../../src/signer/intent.ts";
import { delegateToolsOn, keyAt } from "../support/delegated.ts";
import {
  connectEvm,
  currenciesOf,
  eth,
  type PrivateEvm,
  startPrivateEvm,
  usdt,
} from "../support/private-evm.ts";
import { type SweepingTools, sweepingToolsOn, topUpUnitsOf } from "../support/sweeping.ts";
import type { BenchSite } from "./bench-site.ts";
import { countFinding, type Finding } from "./report.ts";

/*
 * Gas of emptying twenty deposit addresses into the hot account, on Anvil with the hardfork of mainnet: one EIP-7702 transaction
 * of the gas account compared with a top-up and a transfer for each address, both drafted and signed by the product.
 */

const count = 20;
const usdtAvax = "2906" as CurrencyId;

export type SweepGas = {
  /** For all addresses together. */
  readonly batchFirst: bigint;
  readonly batchAgain: bigint;
  readonly topUps: bigint;
  readonly coinBatch: bigint;
  readonly coinAlone: bigint;
};

/** Gas used by each method, for `count` addresses with equal holdings. */
async function measureSweepGas(chain: PrivateEvm): Promise<SweepGas> {
  const tools = delegateToolsOn(chain);
  await tools.setBalance(keyAt(2, 0).address, 10n ** 20n);
  const pay = (to: Address): Promise<void> =>
    tools.pay("TetherLike", chain.contracts.usdt, to, 5_000_000n);
  // The hot account already holds Tether, as after the first sweep.
  await pay(keyAt(1, 0).address);

  const ethereum = connectEvm({ url: chain.anvil.url, currencies: chain.currencies });
  const batch = sweepingToolsOn(chain, ethereum.adapter);
  await batch.carryOut({ kind: "setUp" }, { kind: "sweep", sources: [] });
  const paying = async (first: number, by: (to: Address) => Promise<void>) => {
    const indexes = Array.from({ length: count }, (_, place) => first + place);
    for (const index of indexes) await by(keyAt(0, index).address);
    await chain.mine(40);
    return indexes;
  };
  const indexes = await paying(1_000, pay);
  const batchFirst = await sweepTogether(batch, chain, indexes, usdt);
  await paying(1_000, pay);
  const batchAgain = await sweepTogether(batch, chain, indexes, usdt);

  const ether = (to: Address): Promise<void> => tools.setBalance(to, 10n ** 18n);
  const coinBatch = await sweepTogether(batch, chain, await paying(2_000, ether), eth);
  const coinAlone = await sweepEach(batch, await paying(3_000, ether), eth, { kind: "coin" });
  await ethereum.close();

  // The same node, treated as a chain without delegation.
  const plain = connectEvm({
    url: chain.anvil.url,
    chain: "AVAX",
    currencies: currenciesOf("AVAX", { [usdtAvax]: chain.contracts.usdt }),
  });
  const asset = { kind: "token", locator: chain.contracts.usdt } as const;
  const single = sweepingToolsOn(chain, plain.adapter);
  const topUps = await sweepEach(single, await paying(4_000, pay), usdtAvax, asset);
  await plain.close();
  return { batchFirst, batchAgain, topUps, coinBatch, coinAlone };
}

async function sweepTogether(
  sweeping: SweepingTools,
  chain: PrivateEvm,
  indexes: readonly number[],
  currency: CurrencyId,
): Promise<bigint> {
  const { states } = await sweeping.survey(indexes, [currency]);
  const asset =
    currency === eth
      ? ({ kind: "coin" } as const)
      : ({ kind: "token", locator: chain.contracts.usdt } as const);
  const { gasUsed } = await sweeping.carryOut(
    { kind: "batch", sources: states.map((state) => ({ state, currencies: [currency] })) },
    { kind: "sweep", sources: states.map((state) => sourceOf(state, asset)) },
  );
  await assertEmpty(sweeping, indexes, currency);
  return gasUsed;
}

async function sweepEach(
  sweeping: SweepingTools,
  indexes: readonly number[],
  currency: CurrencyId,
  asset: SweepSource["assets"][number],
): Promise<bigint> {
  const read = async (index: number): Promise<SweepState> =>
    present((await sweeping.survey([index], [currency])).states[0], "a state");
  let gas = 0n;
  for (const index of indexes) {
    const poor = await read(index);
    const units = topUpUnitsOf(poor);
    if (units > 0n) {
      const purpose = { kind: "top_up", keyIndex: index, units: units.toString() } as const;
      gas += (
        await sweeping.carryOut(
          { kind: "prepare", state: poor, preparation: { kind: "topUp", units } },
          purpose,
        )
      ).gasUsed;
    }
    const state = await read(index);
    const purpose = { kind: "sweep", sources: [sourceOf(state, asset)] } as const;
    gas += (await sweeping.carryOut({ kind: "single", state, currency }, purpose)).gasUsed;
  }
  await assertEmpty(sweeping, indexes, currency);
  return gas;
}

async function assertEmpty(
  sweeping: SweepingTools,
  indexes: readonly number[],
  currency: CurrencyId,
): Promise<void> {
  const { states } = await sweeping.survey(indexes, [currency]);
  if (states.some(({ assets }) => assets.some(({ latest }) => latest !== 0n)))
    throw new Error("something was left");
}

function sourceOf(
  { keyIndex, address }: SweepState,
  asset: SweepSource["assets"][number],
): SweepSource {
  return { keyIndex, address, assets: [asset] };
}

/** The section of `npm run bench`. */
export async function benchSweepGas({ teardown }: BenchSite): Promise<readonly Finding[]> {
  const chain = await startPrivateEvm();
  teardown.add("a private chain", chain.stop);
  const { batchFirst, batchAgain, topUps, coinBatch, coinAlone } = await measureSweepGas(chain);
  return [
    gasFinding("USDT of 20 addresses swept for the first time", batchFirst, "20 top-ups", topUps),
    gasFinding("USDT of 20 addresses that delegate already", batchAgain, "20 top-ups", topUps),
    gasFinding("ether of 20 addresses, each by itself", coinAlone, "one EIP-7702", coinBatch),
  ];
}

function gasFinding(what: string, gas: bigint, floorName: string, floor: bigint): Finding {
  const each = { product: Number(gas) / count, floor: Number(floor) / count };
  return countFinding(what, each, "gas each", floorName, 1);
}
