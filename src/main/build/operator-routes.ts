import { findChain } from "../../currencies/chains.ts";
import { isPayable } from "../../currencies/currency.ts";
import { chainRoutes } from "../../http/reports/chain.ts";
import { killSwitchRoutes } from "../../http/reports/kill-switch.ts";
import { operatorRoutes } from "../../http/reports/operator.ts";
import { statementRoutes } from "../../http/reports/statement.ts";
import { statisticsRoutes } from "../../http/reports/statistics.ts";
import type { Route } from "../../http/server/route.ts";
import { listPauses } from "../../payouts/controls/pause.store.ts";
import { readPayoutDemand } from "../../payouts/send/send.store.ts";
import { present } from "../../platform/kernel/assert.ts";
import type { OperatedChain } from "../../reports/operations/operated-chain.ts";
import { listUnexplained } from "../../treasury/recovery/unexplained.store.ts";
import { defaultSpendSettings } from "../../treasury/spends/spend-context.ts";
import { configAmounts } from "../config/config-amount.ts";
import { positionLimits } from "../config/position-limits.ts";
import { familyOf } from "../families/families.ts";
import type { Quotes } from "./build-quotes.ts";
import type { Foundation } from "./foundation.ts";
import { createFindWatchKey } from "./payee-addressing.ts";

/** The routes of operators. `quotes` is null in deployments without payouts, which read no balances from nodes. */
export function buildOperatorRoutes(
  foundation: Foundation,
  quotes: Quotes | null,
): readonly Route[] {
  const { db, clock, currencies, config, enabledChains } = foundation;
  const chains = operatedChains(foundation);
  return [
    ...chainRoutes({ db, clock, chains, listPauses }),
    ...operatorRoutes({
      db,
      clock,
      currencies,
      chains,
      listPauses,
      positions: positionLimits(config, currencies),
      ceilings: configAmounts(currencies, config.payouts?.hot_ceilings ?? {}),
      readDemand: readPayoutDemand,
      readUnexplained: () => listUnexplained(db),
      findWatchKey: createFindWatchKey(foundation),
      readFunds: quotes?.readFunds ?? (() => Promise.resolve(null)),
      stuckAfterSeconds:
        config.payouts?.stuck_after_seconds ?? defaultSpendSettings.stuckAfterSeconds,
    }),
    ...statisticsRoutes({ db, clock, currencies, findRate: foundation.findRate }),
    ...statementRoutes({ db, clock, currencies }),
    ...killSwitchRoutes({ db, clock, currencies, enabledChains }),
  ];
}

function operatedChains({ config, currencies }: Foundation): readonly OperatedChain[] {
  return Object.entries(config.chains).map(([chain, { network, reorg_limit }]) => {
    const record = present(findChain(chain), `record of chain ${chain}`);
    const payable = currencies.onChain(chain).filter(isPayable);
    const coin = present(
      payable.find(({ kind }) => kind === "coin"),
      `coin of ${chain}`,
    );
    const { funding, keyspace } = familyOf(chain);
    return {
      chain,
      name: record.name,
      network,
      reorgLimit: record.reorgLimit === null ? null : (reorg_limit ?? record.reorgLimit),
      funding,
      keyspace: keyspace.name,
      coin: coin.id,
      currencies: [coin.id, ...payable.map(({ id }) => id).filter((id) => id !== coin.id)],
    };
  });
}
