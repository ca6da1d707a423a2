import type { Address } from "viem";
import { present } from "../../src/platform/kernel/assert.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { delegateToolsOn, keyAt } from "../support/delegated.ts";
import {
  connectEvm,
  currenciesOf,
  type PrivateEvm,
  startPrivateEvm,
  usdt,
} from "../support/private-evm.ts";
import { type SweepingTools, sweepingToolsOn, topUpUnitsOf } from "../support/sweeping.ts";
import type { BenchSite } from "./bench-site.ts";
import { countFinding, type Finding } from "./report.ts";

const deposits = 20;
const units = 5n * 10n ** 6n;

/**
 * Gas of emptying twenty deposit addresses that hold a token: with one transaction containing their authorizations (EIP-7702),
 * again once they delegate, and with a top-up and a transfer each, as on chains without delegation.
 */
export async function benchSweeps(site: BenchSite): Promise<readonly Finding[]> {
  const chain = await startPrivateEvm();
  site.teardown.add("chain of sweeps", () => chain.stop());
  const tools = delegateToolsOn(chain);
  await tools.setBalance(keyAt(2, 0).address, 10n ** 20n);
  const ethereum = connectEvm({ url: chain.anvil.url, currencies: chain.currencies });
  site.teardown.add("client of sweeps", () => ethereum.close());
  const batching = sweepingToolsOn(chain, ethereum.adapter);
  await batching.carryOut({ kind: "setUp" }, { kind: "sweep", sources: [] });
  const fill = async (first: number): Promise<readonly number[]> => {
    const indexes = Array.from({ length: deposits }, (_, index) => first + index);
    for (const index of indexes) {
      const to: Address = keyAt(0, index).address;
      await tools.pay("TetherLike", chain.contracts.usdt, to, units);
    }
    await chain.mine(40);
    return indexes;
  };
  // The hot account already holds the token, as in all sweeps but the first.
  await sweepTogether(batching, chain, (await fill(100)).slice(0, 1));
  const authorized = await sweepTogether(batching, chain, await fill(200));
  const delegated = await sweepTogether(batching, chain, await fill(200));
  const single = await sweepSingly(site, chain, await fill(300));
  const floor = `${deposits} top-ups and ${deposits} transfers`;
  return [
    countFinding(
      `${deposits} token deposits swept by one transaction, with authorizations`,
      { product: authorized, floor: single },
      "gas",
      floor,
      1,
    ),
    countFinding(
      `${deposits} token deposits swept by one transaction, already delegated`,
      { product: delegated, floor: single },
      "gas",
      floor,
      1,
    ),
  ];
}

async function sweepTogether(
  tools: SweepingTools,
  { contracts }: PrivateEvm,
  indexes: readonly number[],
): Promise<number> {
  const { states } = await tools.survey(indexes, [usdt]);
  const { gasUsed } = await tools.carryOut(
    { kind: "batch", sources: states.map((state) => ({ state, currencies: [usdt] })) },
    {
      kind: "sweep",
      sources: states.map(({ keyIndex, address }) => ({
        keyIndex,
        address,
        assets: [{ kind: "token", locator: contracts.usdt }],
      })),
    },
  );
  return Number(gasUsed);
}

/** The same node, treated as a chain without delegation. */
async function sweepSingly(
  site: BenchSite,
  chain: PrivateEvm,
  indexes: readonly number[],
): Promise<number> {
  const token: CurrencyId = present(
    currenciesOf("AVAX").find(({ alpha }) => alpha === "USDT-AVAX"),
    "USDT-AVAX",
  ).id;
  const avalanche = connectEvm({
    url: chain.anvil.url,
    chain: "AVAX",
    currencies: currenciesOf("AVAX", { [token]: chain.contracts.usdt }),
  });
  site.teardown.add("second client of sweeps", () => avalanche.close());
  const tools = sweepingToolsOn(chain, avalanche.adapter);
  const stateOf = async (index: number) =>
    present((await tools.survey([index], [token])).states[0], "a state");
  let gas = 0n;
  for (const keyIndex of indexes) {
    const state = await stateOf(keyIndex);
    const topUp = topUpUnitsOf(state);
    const toppedUp = await tools.carryOut(
      { kind: "prepare", state, preparation: { kind: "topUp", units: topUp } },
      { kind: "top_up", keyIndex, units: topUp.toString() },
    );
    const rich = await stateOf(keyIndex);
    const moved = await tools.carryOut(
      { kind: "single", state: rich, currency: token },
      {
        kind: "sweep",
        sources: [
          {
            keyIndex,
            address: rich.address,
            assets: [{ kind: "token", locator: chain.contracts.usdt }],
          },
        ],
      },
    );
    gas += toppedUp.gasUsed + moved.gasUsed;
  }
  return Number(gas);
}
