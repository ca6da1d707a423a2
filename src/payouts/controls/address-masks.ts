import type { PayeeAddressing } from "../../chains/port.ts";
import type { ChainId } from "../../currencies/currency.ts";
import type { CurrencyRegistry } from "../../currencies/registry.ts";
import type { JsonObject } from "../../platform/kernel/json.ts";

/** `custom.POST.address_masks` of the interface: per currency that can be paid out here, the forms that its addresses have. */
export function addressMasks(
  currencies: CurrencyRegistry,
  findPayeeAddressing: (chain: ChainId) => PayeeAddressing | null,
): JsonObject {
  return Object.fromEntries(
    currencies.all.flatMap(({ id, chain }) => {
      const addressing = chain === null ? null : findPayeeAddressing(chain);
      if (addressing === null) return [];
      const types = addressing.types.map(({ name, masks, isDefault }) => ({
        address_type: name,
        mask: masks.length === 0 ? null : [...masks],
        is_default: isDefault,
      }));
      return [[id, types]];
    }),
  );
}
