import { formatDecimal } from "../platform/kernel/decimal.ts";
import { findChain } from "./chains.ts";
import type { Currency } from "./currency.ts";

export type CurrencyResource = {
  readonly type: "currency";
  readonly id: string;
  readonly attributes: {
    readonly iso: number;
    readonly name: string;
    readonly alpha: string;
    readonly alias: string | null;
    readonly exp: number;
    readonly confirmation_blocks: number;
    readonly minimal_transfer_amount: string;
    readonly block_delay: number;
    readonly blockchain_name: string | null;
    readonly tags: readonly string[];
  };
  readonly relationships: {
    readonly parent: {
      readonly data: { readonly type: "currency"; readonly id: string } | null;
    };
  };
};

/** The currency resource in responses and in the `included` member of callbacks. */
export function currencyResource(currency: Currency): CurrencyResource {
  const chain = currency.chain === null ? null : findChain(currency.chain);
  return {
    type: "currency",
    id: currency.id,
    attributes: {
      iso: Number(currency.id),
      name: currency.name,
      alpha: currency.alpha,
      alias: currency.alias,
      exp: currency.exp,
      confirmation_blocks: currency.confirmationBlocks,
      minimal_transfer_amount: formatDecimal(currency.minimalTransferUnits, currency.exp),
      block_delay: currency.blockDelay,
      blockchain_name: chain === null ? null : chain.name,
      tags: currency.tags,
    },
    relationships: {
      parent: {
        data: currency.parent === null ? null : { type: "currency", id: currency.parent },
      },
    },
  };
}
