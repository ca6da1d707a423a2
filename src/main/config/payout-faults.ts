import type { CurrencyRegistry } from "../../currencies/registry.ts";
import { parseDecimal } from "../../kernel/decimal.ts";
import { payeeAddressing } from "../payee-addressing.ts";
import type { Config } from "./config.ts";
import type { Path } from "./locate.ts";

export type Fault = { readonly path: Path; readonly message: string };

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

/** What is wrong with an amount that is given by a currency's alpha code; null: nothing. */
export function amountFault(
  currencies: CurrencyRegistry,
  alpha: string,
  amount: string,
  isOfCoin: boolean,
): string | null {
  const currency = currencies.byAlpha(alpha);
  if (currency === null) return `no currency ${alpha}`;
  if (isOfCoin && currency.kind !== "coin") return "fees are paid in coins: name one";
  return parseDecimal(amount, currency.exp).kind === "units"
    ? null
    : `${alpha} has at most ${currency.exp} digits after the point`;
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
