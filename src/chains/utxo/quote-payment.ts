import type { UtxoNetwork } from "../../currencies/utxo-facts.ts";
import { assert, present } from "../../platform/kernel/assert.ts";
import { maxBigInt } from "../../platform/kernel/bigint-min-max.ts";
import type { FeeQuote, QuoteRequest } from "../paying-port.ts";
import { addressTypeNamed, spendableCoins } from "./draft-body.ts";
import { dustOf } from "./dust.ts";
import { feeBasisOf } from "./fee-basis.ts";
import type { FeeRates } from "./fee-rates.ts";
import { payeeOfAddress, scriptOfPayee } from "./output-script.ts";
import { planAtRate, ruleOfRate, type SpendRequest, worthwhile } from "./plan-spend.ts";
import { feeAt } from "./transaction-weight.ts";
import type { UtxoChain } from "./utxo-chain.ts";

/** A fee above a tenth of the amount counts as large. */
const largeFeeShare = 10n;
/** Larger than any fee. */
const unlimitedUnits = 2n ** 64n;

/**
 * The payment's cost at each rate with the given coins, selected as a draft would. If they do not suffice, the cost with all
 * of them and one more of the default type, since a quote does not check the balance.
 */
export function quotePayment(
  chain: UtxoChain,
  network: UtxoNetwork,
  rates: FeeRates,
  { balance, funds, payment }: QuoteRequest,
): FeeQuote {
  assert(funds.kind === "coins", `${chain.chain} is paid from coins`);
  assert(payment.amount.currency === chain.currency, `${chain.chain} pays one currency`);
  const payee = present(payeeOfAddress(network, payment.destination.address), "an address to pay");
  const change = present(payeeOfAddress(network, funds.change.address), "an address for change");
  const paid = payment.amount.units;
  const purse: SpendRequest = {
    coins: spendableCoins(funds.coins),
    paid,
    scriptLengths: [scriptOfPayee(payee).length / 2],
    basis: feeBasisOf(chain),
    change: {
      scriptLength: scriptOfPayee(change).length / 2,
      addressType: addressTypeNamed(funds.change.addressType),
      dust: dustOf(chain, change),
    },
  };
  const low = feeFor(chain, purse, rates.low, rates);
  const medium = maxBigInt(low, feeFor(chain, purse, rates.medium, rates));
  const high = maxBigInt(medium, feeFor(chain, purse, rates.high, rates));
  const left = balance - paid - medium;
  const isLeftTooSmall = left < 0n || (left > 0n && left < purse.change.dust);
  const isFeeLarge = medium * largeFeeShare > paid;
  return {
    low,
    medium,
    high,
    dust: dustOf(chain, payee),
    warning: isLeftTooSmall ? 2 : isFeeLarge ? 1 : null,
  };
}

/** Without the value that a selection would give up to avoid change: the draft decides that separately. */
function feeFor(
  chain: UtxoChain,
  purse: SpendRequest,
  rate: bigint,
  { low, relay }: FeeRates,
): bigint {
  const plan = planAtRate(purse, rate, low, ruleOfRate(rate, relay, unlimitedUnits));
  if (plan !== null) return feeAt(rate, plan.vsize);
  const worth = worthwhile(purse, rate).map(({ item }) => item.addressType);
  const inputs = [...worth, chain.defaultAddressType];
  const scriptLengths = [...purse.scriptLengths, purse.change.scriptLength];
  return feeAt(rate, feeBasisOf(chain).sizeOf({ inputs, scriptLengths }));
}
