import { isPayable } from "../../currencies/currency.ts";
import { deploymentCurrencies } from "../../currencies/deployment-currencies.ts";
import { findUncoveredPayouts } from "../../ledger/commission.store.ts";
import { connect } from "../../platform/db/connect.ts";
import { silentLogger } from "../../platform/kernel/logger.ts";
import type { World } from "../../platform/kernel/world.ts";
import type { Config } from "../config/config.ts";
import { currencySettings } from "../config/currency-settings.ts";
import { examine, type Finding } from "./finding.ts";

/**
 * When the operator pays token fees: checks that each account's commission has a fixed part or a minimum for each token. Without
 * one, tiny payouts burn the operator's coin at no cost to the account.
 */
export function checkTokenFees(config: Config, world: World): readonly Promise<Finding>[] {
  if (config.payouts?.token_fees !== "operator") return [];
  return [
    examine("token fees", world.clock, async () => {
      const tokens = deploymentCurrencies(currencySettings(config)).currencies.filter(
        (currency) =>
          currency.kind === "token" &&
          isPayable(currency) &&
          Object.hasOwn(config.chains, currency.chain ?? ""),
      );
      const db = connect({
        url: config.database.url,
        clock: world.clock,
        logger: silentLogger,
        applicationName: "sluice check",
      });
      try {
        const found = new Set(
          await findUncoveredPayouts(
            db,
            tokens.map(({ id }) => id),
          ),
        );
        const names = tokens.filter(({ id }) => found.has(id)).map(({ alpha }) => alpha);
        return { detail: "paid by the operator", notes: names.length === 0 ? [] : [noteOf(names)] };
      } finally {
        await db.close();
      }
    }),
  ];
}

function noteOf(names: readonly string[]): string {
  return `accounts pay out ${names.join(", ")} at the operator's expense: no commission minimum covers the fee. Set one (\`sluice commission payout\`), or set payouts.token_fees = "wallet"`;
}
