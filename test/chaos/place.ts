/*
 * Where money goes: an address, or an address and the tag beside it, as `ADDRESS:TAG`. An X-address of the XRP Ledger contains its tag.
 */

/** The place of a deposit as the API shows it; null if the chain prepares its address after the creation, which told none. */
export function placeOf(attributes: Readonly<Record<string, unknown>>): string | null {
  if (attributes["address"] === null) return null;
  const { address, tag } = attributes["destination"] as {
    readonly address: string;
    readonly tag?: string | null;
  };
  return (tag ?? null) === null || xAddress.test(address) ? address : `${address}:${String(tag)}`;
}

const xAddress = /^[XT][1-9A-HJ-NP-Za-km-z]{46}$/;

/** The address and the tag of a place. */
export function partsOf(place: string): { readonly address: string; readonly tag: string | null } {
  const [address = "", tag = null] = place.split(":");
  return { address, tag };
}

/** The place of a row `name` of `deposit`, in SQL. */
export function placeColumn(name: string): string {
  const isWhole = `${name}.tag is null or ${name}.address ~ '${xAddress.source}'`;
  return `(case when ${isWhole} then ${name}.address else ${name}.address || ':' || ${name}.tag end)`;
}
