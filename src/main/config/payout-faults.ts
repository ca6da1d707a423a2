import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { payeeAddressing } from "../build/payee-addressing.ts";
import type { Config } from "./config.ts";
import { amountFault, type Fault } from "./fault.ts";
import type { Path } from "./locate.ts";

/**
 * Validates `payouts` beyond its schema: amounts name existing currencies, and cold addresses belong to running chains. A
 * misspelled name would leave unset a limit that the operator relies on.
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
  if (addressing.parse(address, null) !== null) return null;
  const reason = addressing.explain?.(address) ?? null;
  return reason === null ? "no address of this chain" : `no address of this chain: ${reason}`;
}
