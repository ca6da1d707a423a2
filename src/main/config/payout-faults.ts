import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { payeeAddressing } from "../build/payee-addressing.ts";
import type { Config } from "./config.ts";
import { amountFault, type Fault } from "./fault.ts";
import type { Path } from "./locate.ts";

/**
 * What the schema cannot say of `payouts`: that its amounts are those of currencies there are, and its cold addresses those of
 * chains that run. A misspelt name would otherwise leave a limit unset that its operator relies on.
 */
export function payoutFaults(config: Config, currencies: CurrencyRegistry): readonly Fault[] {
  const { payouts } = config;
  if (payouts === undefined) return [];
  const members = ["fee_ceilings", "hot_ceilings", "travel_rule_from"] as const;
  return [
    ...members.flatMap((member) =>
      Object.entries(payouts[member]).flatMap(([alpha, amount]) =>
        faultAt(
          ["payouts", member, alpha],
          amountFault(currencies, alpha, amount, member === "fee_ceilings"),
        ),
      ),
    ),
    ...Object.entries(payouts.cold_addresses).flatMap(([chain, address]) =>
      faultAt(
        ["payouts", "cold_addresses", chain],
        coldFault({ config, currencies }, chain, address),
      ),
    ),
  ];
}

function faultAt(path: Path, message: string | null): readonly Fault[] {
  return message === null ? [] : [{ path, message }];
}

function coldFault(
  deployment: { readonly config: Config; readonly currencies: CurrencyRegistry },
  chain: string,
  address: string,
): string | null {
  const addressing = payeeAddressing(deployment, chain);
  if (addressing === null) return "this deployment has no such chain";
  return addressing.parse(address, null) === null ? "no address of this chain" : null;
}
