import type { CardanoNetworkId } from "../../currencies/cardano-address.ts";
import { assert } from "../../platform/kernel/assert.ts";
import type { FeeQuote, QuoteRequest } from "../paying-port.ts";
import { bytesOfAddress } from "./draft-body.ts";
import type { CardanoParameters } from "./parameters.ts";
import { type HeldCoin, planSpend } from "./plan-spend.ts";
import { feeOf, leastUnits } from "./transaction-size.ts";

/** A fee above a tenth of the amount counts as large. */
const largeFeeShare = 10n;
const unlimitedUnits = 2n ** 32n;
/** The end of validity takes five bytes in any year. */
const someTtl = 2 ** 31;

/**
 * The payment's cost with the given coins, selected as a draft would. The fee is linear in a transaction's size, and nobody is served sooner for
 * more: the three quotes are equal. If the coins do not suffice, the cost with all of them and one more, since a quote does not check the balance.
 */
export function quotePayment(
  network: CardanoNetworkId,
  parameters: CardanoParameters,
  { balance, funds, payment }: QuoteRequest,
): FeeQuote {
  assert(funds.kind === "coins", "the chain is paid from coins");
  const addressBytes = bytesOfAddress(network, payment.destination.address);
  const { units } = payment.amount;
  const change = { addressBytes: bytesOfAddress(network, funds.change.address), partsMax: 1 };
  const coins = funds.coins.map(
    ({ branch, claim, keyIndex, units: held }): HeldCoin => ({
      branch,
      claim,
      keyIndex,
      units: held,
      assets: [],
      scriptBytes: 0,
    }),
  );
  const paid = { addressBytes, units, assets: [] };
  const outcome = planSpend({
    coins,
    required: [],
    payments: [paid],
    change,
    ttl: someTtl,
    feeCeiling: unlimitedUnits,
    parameters,
  });
  const count = Math.min(coins.length + 1, inputsMax);
  const shape = {
    inputIndexes: Array.from({ length: count }, () => 0),
    keys: count,
    outputs: [paid, { addressBytes: change.addressBytes, units: 2n ** 32n, assets: [] }],
    ttl: someTtl,
  };
  const planned = outcome.kind === "plan" ? outcome.plan : null;
  // What a draft adds to avoid change that is too small is the operator's, not the payer's.
  const fee =
    planned === null
      ? feeOf(parameters, shape, 0)
      : feeOf(
          parameters,
          {
            inputIndexes: planned.coins.map(({ claim }) => Number(claim.split(":")[1])),
            keys: new Set(planned.coins.map(({ branch, keyIndex }) => `${branch}/${keyIndex}`))
              .size,
            outputs: [
              paid,
              ...planned.change.map((part) => ({ ...part, addressBytes: change.addressBytes })),
            ],
            ttl: someTtl,
          },
          0,
        );
  const left = balance - units - fee;
  const least = leastUnits(parameters, { addressBytes: change.addressBytes, assets: [] });
  return {
    low: fee,
    medium: fee,
    high: fee,
    dust: leastUnits(parameters, { addressBytes, assets: [] }),
    warning: left < 0n || (left > 0n && left < least) ? 2 : fee * largeFeeShare > units ? 1 : null,
  };
}

/** So many fit into a transaction. */
const inputsMax = 100;
