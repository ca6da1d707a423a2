import type { CurrencyId } from "../../src/platform/kernel/money.ts";
import { systemClock } from "../../src/platform/kernel/system-clock.ts";
import { describeConformance } from "./describe-conformance.ts";
import { createSimulatedChain } from "./simulated-chain.ts";

/* The simulated chain passes the adapters' conformance suite, which also tests the suite itself. */

const currency = "9001" as CurrencyId;

describeConformance("the simulated chain", {
  start: () => {
    const simulated = createSimulatedChain({
      chain: "SIM",
      currencies: [currency],
      clock: systemClock,
    });
    const elsewhere = createSimulatedChain({
      chain: "SIM",
      currencies: [currency],
      clock: systemClock,
    });
    elsewhere.faults.wrongNetwork = true;
    simulated.mine(5);
    return Promise.resolve({
      adapter: simulated.adapter,
      currency,
      units: 1000n,
      unpayable: ["sim-1-00000000", "SIM-1", "btc-1-00000000"],
      fund: (to, units) => Promise.resolve(simulated.pay(to, units)),
      fundTwice: (to, first, second) =>
        Promise.resolve(
          simulated.submit([
            { to, units: first },
            { to, units: second },
          ]),
        ),
      fundFailing: (to, units) =>
        Promise.resolve(simulated.submit([{ to, units }], { fails: true })),
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
    });
  },
  absent: { payer: "its adapter only reads" },
});
