import { describe, expect, it } from "vitest";
import { conformanceChecks } from "../../src/chains/conformance/conformance.ts";
import type { ChainDriver, Declaration } from "../../src/chains/conformance/conformance-check.ts";
import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { describeConformance } from "./describe-conformance.ts";
import { createSharedChain, createSimulatedChain } from "./simulated-chain.ts";

/* The simulated chain passes the adapters' conformance suite, which also tests the suite itself. */

const currency = "9001" as CurrencyId;

const declares: Declaration = {
  finality: "probable",
  pending: "pool",
  claims: "outpoints",
  validity: "none",
  deposits: "derived",
  includesFailed: true,
  paysSeveral: true,
  pays: false,
};

function startDriver(
  create: typeof createSimulatedChain | typeof createSharedChain = createSimulatedChain,
): Omit<ChainDriver, "declares"> {
  const options = { chain: "SIM", currencies: [currency], clock: systemClock };
  const simulated = create(options);
  const elsewhere = create(options);
  elsewhere.faults.wrongNetwork = true;
  simulated.mine(5);
  return {
    adapter: simulated.adapter,
    currency,
    units: 1000n,
    unpayable: ["sim-1-00000000", "SIM-1", "btc-1-00000000", "sim-1-00000000?5"],
    fund: (to, units) => Promise.resolve(simulated.pay(to, units)),
    fundTwice: (to, first, second) =>
      Promise.resolve(
        simulated.submit([
          { to, units: first },
          { to, units: second },
        ]),
      ),
    fundFailing: (to, units) => Promise.resolve(simulated.submit([{ to, units }], { fails: true })),
    replace: (txid) => Promise.resolve(simulated.replace(txid)),
    mine: (blocks) => {
      simulated.mine(blocks);
      return Promise.resolve();
    },
    reorg: (depth) => {
      simulated.reorg(depth);
      return Promise.resolve();
    },
    cutOff: () => {
      simulated.faults.outage = true;
      return Promise.resolve(() => {
        simulated.faults.outage = false;
        return Promise.resolve();
      });
    },
    misconfigured: elsewhere.adapter.reader,
    payer: null,
    outlive: null,
  };
}

describeConformance("the simulated chain", {
  declares,
  start: () => Promise.resolve(startDriver()),
});

describeConformance("the simulated chain of a shared account", {
  declares: { ...declares, claims: "sequences", deposits: "shared" },
  start: () => Promise.resolve(startDriver(createSharedChain)),
});

describe("the conformance suite", () => {
  it.each<Partial<Declaration>>([
    { finality: "final" },
    { pending: "hidden" },
    { claims: "none" },
    { claims: "sequences" },
    { includesFailed: false },
    { paysSeveral: false },
    { knowsNoBalances: true },
    { deposits: "shared" },
    { pays: true },
  ])("fails an adapter whose family declares %o, which is not what it does", async (wrong) => {
    const driver = { ...startDriver(), declares: { ...declares, ...wrong } };
    const outcomes = await Promise.allSettled(
      conformanceChecks
        .filter(({ concerns }) => concerns(driver.declares))
        .filter(({ name }) => /declaration/.test(name))
        .map(async ({ run }) => run(driver)),
    );
    expect(outcomes.map(({ status }) => status)).toContain("rejected");
  });
});
